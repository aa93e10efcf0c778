import { diffWordsWithSpace } from 'diff';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type {
  BenchDetails,
  ConfigList,
  PromptBody,
} from '../../src/server/viewer/workbench/api.ts';
import { addressOf, useLoaded } from '../client.ts';
import { useKeys } from '../keys.ts';
import { DataPanel } from '../parts/data-panel.tsx';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import type { JsonPrompt } from '../parts/prompt-view.tsx';
import { changed, go, usePlace } from '../router.tsx';
import { BenchSide, isSame, type Side } from './bench-side.tsx';
import { RescorePanel } from './rescore-panel.tsx';
import { SavePanel } from './save-panel.tsx';
import { TryPanel } from './try-panel.tsx';
import type { LivePrompt } from './use-prompt.ts';

/** Templates are edited here, and the prompt changes with them. */
export function WorkbenchPage() {
  const place = usePlace();
  const { params } = place;
  const name = { config: params.get('config') ?? undefined, run: params.get('run') ?? undefined };
  const { value: list } = useLoaded<ConfigList>('/api/workbench/configs');
  const isNamed = name.config !== undefined || name.run !== undefined;
  const { value: opened, error } = useLoaded<BenchDetails>(
    isNamed || (list && list.configs.length > 0)
      ? addressOf('/api/workbench/config', name)
      : undefined,
  );
  useEffect(() => {
    if (!isNamed && opened)
      go(changed(place, { config: opened.config, run: opened.run }), { replace: true });
  }, [isNamed, opened]);
  const details = isNamed ? opened : undefined;
  const own = JSON.stringify([name.config, name.run]);
  return (
    <Frame
      crumbs={[{ text: 'runs', to: '/' }, { text: 'workbench' }]}
      title={details ? `${details.name} · workbench` : 'workbench'}
      canExport={false}
    >
      <div class="page workbench">
        <div class="heading">
          <h1>Workbench</h1>
          <select
            aria-label="Config"
            value={own}
            onChange={(event) => {
              const [config, run] = JSON.parse(event.currentTarget.value) as (string | null)[];
              go(addressOf('/workbench', { config: config ?? undefined, run: run ?? undefined }));
            }}
          >
            {!list?.configs.some((one) => JSON.stringify([one.config, one.run]) === own) && (
              <option value={own}>{name.config ?? name.run ?? 'choose a config'}</option>
            )}
            {list?.configs.map((one) => (
              <option key={one.name} value={JSON.stringify([one.config, one.run])}>
                {one.name}
              </option>
            ))}
          </select>
          {details && <Choices details={details} />}
        </div>
        {error && <Problem error={error} />}
        {!details && !error && isNamed && <Loading what="config" />}
        {!isNamed && list?.configs.length === 0 && (
          <p class="warning">
            No config to open. <code>typecase serve config.yaml</code> opens one.
          </p>
        )}
        {details?.changed !== undefined && (
          <p class="warning">
            {details.changed} has changed since the run; this is the current config.
          </p>
        )}
        {details && (
          <Bench key={own + chosenDataset(details, params)} details={details} name={name} />
        )}
      </div>
    </Frame>
  );
}

function chosenDataset({ datasets }: BenchDetails, params: URLSearchParams): string {
  const named = params.get('dataset');
  return datasets.find(({ abbr }) => abbr === named)?.abbr ?? datasets[0]?.abbr ?? '';
}

function chosenModel({ models }: BenchDetails, params: URLSearchParams) {
  const named = params.get('model');
  return models.find(({ abbr }) => abbr === named) ?? models[0];
}

function Choices({ details }: { readonly details: BenchDetails }) {
  const place = usePlace();
  const { params } = place;
  const set = (name: string, value: string) => go(changed(place, { [name]: value, id: undefined }));
  return (
    <>
      <label class="small">
        dataset{' '}
        <select
          aria-label="Dataset"
          value={chosenDataset(details, params)}
          onChange={(event) => set('dataset', event.currentTarget.value)}
        >
          {details.datasets.map(({ abbr }) => (
            <option key={abbr}>{abbr}</option>
          ))}
        </select>
      </label>
      {details.models.length > 0 && (
        <label class="small">
          model{' '}
          <select
            aria-label="Model"
            value={chosenModel(details, params)?.abbr}
            onChange={(event) => set('model', event.currentTarget.value)}
          >
            {details.models.map(({ abbr }) => (
              <option key={abbr}>{abbr}</option>
            ))}
          </select>
        </label>
      )}
    </>
  );
}

interface BenchProps {
  readonly details: BenchDetails;
  readonly name: { readonly config: string | undefined; readonly run: string | undefined };
}

function Bench({ details, name }: BenchProps) {
  const place = usePlace();
  const { params } = place;
  const dataset = chosenDataset(details, params);
  const model = chosenModel(details, params);
  const { templates: original, problem } =
    details.datasets.find(({ abbr }) => abbr === dataset) ?? {};
  const draftKey = `workbench ${JSON.stringify([name, dataset])}`;
  const start: Side = { templates: original ?? { form: 'text', text: '' }, format: '', epoch: 0 };
  const [a, setA] = useState<Side>(() => draftOf(draftKey, start));
  const [b, setB] = useState<Side | undefined>();
  const [showsSpace, setShowsSpace] = useState(false);
  const [live, setLive] = useState<LivePrompt>();
  const [other, setOther] = useState<LivePrompt>();
  useEffect(() => {
    if (a.format === '' && isSame(a.templates, start.templates))
      sessionStorage.removeItem(draftKey);
    else sessionStorage.setItem(draftKey, JSON.stringify(a));
  }, [a]);
  const id = params.get('id');
  const bodyOf = (side: Side): PromptBody => ({
    ...name,
    dataset,
    ...(model && { model: model.abbr }),
    ...(id !== null && { row: Number(id) }),
    ...(original && !isSame(side.templates, original) && { templates: side.templates }),
    ...(side.format !== '' && { format: side.format }),
  });
  const move = (to: number | undefined) => {
    if (to !== undefined) go(changed(place, { id: String(to) }), { replace: true });
  };
  useKeys({
    j: () => move(live?.reply?.next),
    k: () => move(live?.reply?.previous),
    w: () => setShowsSpace((shown) => !shown),
  });
  const sideProps = {
    details,
    showsSpace,
    original: original ?? start.templates,
    takesText: model?.takes !== 'messages',
  };
  const reply = live?.reply;
  return (
    <>
      <div class="tools bench-row">
        <button
          type="button"
          class="button"
          disabled={reply?.previous === undefined}
          onClick={() => move(reply?.previous)}
        >
          ← <kbd>k</kbd>
        </button>
        <label class="small">
          row{' '}
          <input
            type="number"
            min={0}
            aria-label="Row"
            value={id ?? reply?.id ?? ''}
            onChange={(event) => move(Math.max(0, Math.round(Number(event.currentTarget.value))))}
          />
        </label>
        <button
          type="button"
          class="button"
          disabled={reply?.next === undefined}
          onClick={() => move(reply?.next)}
        >
          <kbd>j</kbd> →
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={showsSpace}
          onClick={() => setShowsSpace((shown) => !shown)}
        >
          white space <kbd>w</kbd>
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={b !== undefined}
          onClick={() => setB(b === undefined ? a : undefined)}
        >
          side by side
        </button>
      </div>
      {problem !== undefined && (
        <p class="warning">The templates cannot be edited here: {problem}.</p>
      )}
      <div class={b ? 'bench two-sides' : 'bench'}>
        <BenchSide
          {...sideProps}
          name={b ? 'A' : ''}
          side={a}
          body={bodyOf(a)}
          onChange={setA}
          onPrompt={setLive}
        />
        {b && (
          <BenchSide
            {...sideProps}
            name="B"
            side={b}
            body={bodyOf(b)}
            onChange={setB}
            onPrompt={setOther}
          />
        )}
      </div>
      {b && live && other && <Difference left={live.prompts} right={other.prompts} />}
      <div class="bench-tools">
        <div>
          <TryPanel body={bodyOf(b ?? a)} name={b ? 'side B' : 'as edited'} />
          {name.run !== undefined && model && (
            <RescorePanel run={name.run} model={model.abbr} dataset={dataset} details={details} />
          )}
        </div>
        <div>
          <SavePanel body={bodyOf(b ?? a)} folder={details.folder} />
          {reply?.row && <DataPanel row={reply.row} />}
        </div>
      </div>
    </>
  );
}

function draftOf(key: string, start: Side): Side {
  try {
    const kept = JSON.parse(sessionStorage.getItem(key) ?? 'null') as Side | null;
    return kept ?? start;
  } catch {
    return start;
  }
}

function textOf({ prompt, spans }: JsonPrompt): string {
  if (prompt.type === 'text') return prompt.text;
  const turns = spans as readonly { role: string; spans: readonly { text: string }[] }[];
  return turns
    .map(({ role, spans: own }) => `${role}: ${own.map(({ text }) => text).join('')}`)
    .join('\n');
}

/** What one side sends and the other does not. */
function Difference({
  left,
  right,
}: {
  readonly left: readonly JsonPrompt[];
  readonly right: readonly JsonPrompt[];
}) {
  const [a = '', b = ''] = [left[0] && textOf(left[0]), right[0] && textOf(right[0])];
  const parts = useMemo(
    () => (a.length + b.length > 40_000 ? undefined : diffWordsWithSpace(a, b)),
    [a, b],
  );
  if (a === b) return <p class="soft small">Both sides give the same prompt.</p>;
  return (
    <section class="panel">
      <h2>
        Difference <span class="soft small">of the first prompt</span>
      </h2>
      <pre class="text" tabIndex={0}>
        {parts?.map((part, index) => (
          <span key={index} class={part.added ? 'diff-ins' : part.removed ? 'diff-del' : ''}>
            {part.value}
          </span>
        )) ?? 'The prompts are too long to compare here.'}
      </pre>
    </section>
  );
}
