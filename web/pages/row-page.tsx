import { useEffect, useState } from 'preact/hooks';
import { formatCount } from '../../src/base/format.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';
import type { RowDetails, RowPrompt, RowsPage } from '../../src/server/viewer/api.ts';
import { addressOf, source, useLoaded } from '../client.ts';
import { curlOf } from '../curl.ts';
import { useKeys } from '../keys.ts';
import { AnswerPanel } from '../parts/answer-panel.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { DataPanel } from '../parts/data-panel.tsx';
import { Frame, Loading, Problem } from '../parts/frame.tsx';
import { LabelBars } from '../parts/label-bars.tsx';
import { KeptNote, NotePanel } from '../parts/note-panel.tsx';
import { JudgePanel, PartsPanel } from '../parts/parts-panel.tsx';
import { PromptPanel, shownRequest } from '../parts/prompt-panel.tsx';
import type { JsonPrompt } from '../parts/prompt-view.tsx';
import { RecordPanel } from '../parts/record-panel.tsx';
import { rowParams } from '../parts/row-browser.tsx';
import { Badge } from '../parts/verdict.tsx';
import { changed, go, Link, usePlace } from '../router.tsx';

/** Everything about one row of one evaluation. */
export function RowPage() {
  const place = usePlace();
  const { params } = place;
  const row = {
    run: params.get('run') ?? '',
    model: params.get('model') ?? '',
    dataset: params.get('dataset') ?? '',
    id: Number(params.get('id') ?? 0),
  };
  const { value: details, error } = useLoaded<RowDetails>(addressOf('/api/row', row));
  const { value: prompt, error: promptError } = useLoaded<RowPrompt>(addressOf('/api/prompt', row));
  const showsSpace = params.get('space') === '1';
  const showsOrigins = params.get('origins') !== '0';
  const show = (changes: Readonly<Record<string, string | undefined>>) =>
    go(changed(place, changes), { replace: true });
  const toggleSpace = () => show({ space: showsSpace ? undefined : '1' });
  const toggleOrigins = () => show({ origins: showsOrigins ? '0' : undefined });
  const listed = params.getAll('e');
  // A row that no list led to is one of all rows of its evaluation.
  const e = listed.length > 0 ? listed : [JSON.stringify([row.model, row.dataset])];
  const kept = {
    ...Object.fromEntries(rowParams.map((name) => [name, params.get(name) ?? undefined])),
    ...(listed.length === 0 && { show: 'all' }),
  };
  const list = addressOf('/run', { run: row.run, e, ...kept });
  const neighbours = useNeighbours({ ...kept, run: row.run, e }, row.id);
  const move = (id: number | undefined) => {
    if (id !== undefined) go(changed(place, { id: String(id), example: undefined }));
  };
  useEffect(() => scrollTo(0, 0), [row.id]);
  useKeys({
    j: () => move(neighbours.next),
    k: () => move(neighbours.previous),
    u: () => go(list),
    w: toggleSpace,
    o: toggleOrigins,
  });
  const record = details?.record as RowRecord | undefined;
  const prompts = ((prompt?.view as { prompts?: readonly JsonPrompt[] } | undefined)?.prompts ??
    []) as readonly JsonPrompt[];
  const parts = (details?.parts ?? []) as unknown as RowRecord[];
  const recordSource = { of: 'record' as const, row, cut: details?.cut ?? [] };
  return (
    <Frame
      crumbs={[{ text: 'runs', to: '/' }, { text: row.run, to: list }, { text: `row ${row.id}` }]}
      title={`row ${row.id} · ${row.dataset}`}
    >
      <div class="row-page">
        <div class="row-head">
          <h1>
            #{row.id} <span class="soft">{row.dataset}</span>
          </h1>
          {details?.verdict && (
            <Badge verdict={details.verdict} score={record?.score} kind={record?.kind} />
          )}
          <span class="soft">{row.model}</span>
          <span class="grow" />
          {!source.isAlone && (
            <Link class="button" to={addressOf('/workbench', { ...row })}>
              edit the template
            </Link>
          )}
          <Copies row={row} details={details} prompt={prompt} prompts={prompts} />
          {source.has(list) && (
            <>
              <button
                type="button"
                class="button"
                disabled={neighbours.previous === undefined}
                onClick={() => move(neighbours.previous)}
              >
                ← previous <kbd>k</kbd>
              </button>
              <button
                type="button"
                class="button"
                disabled={neighbours.next === undefined}
                onClick={() => move(neighbours.next)}
              >
                next → <kbd>j</kbd>
              </button>
            </>
          )}
        </div>
        {neighbours.position !== undefined && (
          <p class="soft small">
            {formatCount(neighbours.position + 1)} of {formatCount(neighbours.matching)} in{' '}
            <Link to={list}>the list</Link>
          </p>
        )}
        <OtherEvaluations e={e} row={row} />
        {error && <Problem error={error} />}
        {!details && !error && <Loading what="row" />}
        {(details || prompt?.view) && (
          <div class="row-columns">
            <div>
              <PromptPanel
                {...{ prompt, prompts, row, showsSpace, showsOrigins }}
                error={promptError}
                onSpace={toggleSpace}
                onOrigins={toggleOrigins}
              />
              {prompt?.row && <DataPanel row={prompt.row} />}
            </div>
            <div>
              {details && record && (
                <AnswerPanel
                  {...{ details, record, parts, showsSpace }}
                  extractedAt={prompt?.extractedAt}
                  source={recordSource}
                />
              )}
              {record && (
                <LabelBars record={record} rule={details?.rule.labels} prompts={prompts} />
              )}
              <PartsPanel parts={parts} prompts={prompts} source={recordSource} />
              <JudgePanel record={record} parts={parts} />
              {details && !source.isAlone && <NotePanel row={row} note={details.note} />}
              {details?.note && source.isAlone && <KeptNote note={details.note} />}
              {details && record && <RecordPanel details={details} record={record} />}
            </div>
          </div>
        )}
      </div>
    </Frame>
  );
}

interface Neighbours {
  readonly previous?: number | undefined;
  readonly next?: number | undefined;
  readonly position?: number | undefined;
  readonly matching: number;
}

/** The rows before and after this one in the list that it was opened from. */
function useNeighbours(
  query: Readonly<Record<string, string | readonly string[] | undefined>>,
  id: number,
): Neighbours {
  const hasList = source.has(addressOf('/run', { run: query.run, e: query.e }));
  const [near, setNear] = useState(id);
  const { value } = useLoaded<RowsPage>(
    hasList ? addressOf('/api/rows', { ...query, near: String(near), count: '41' }) : undefined,
    ({ progress, isSearching }) => (progress < 1 || isSearching ? 500 : undefined),
  );
  const place = value?.rows.findIndex((row) => row.id === id) ?? -1;
  const last = (value?.rows.length ?? 0) - 1;
  const isAtEdge =
    value !== undefined &&
    (place < 0 ||
      (place === 0 && value.from > 0) ||
      (place === last && value.from + last + 1 < value.matching));
  useEffect(() => {
    if (isAtEdge && near !== id) setNear(id);
  }, [isAtEdge, id]);
  if (!value || place < 0) return { matching: value?.matching ?? 0 };
  return {
    previous: value.rows[place - 1]?.id,
    next: value.rows[place + 1]?.id,
    position: value.from + place,
    matching: value.matching,
  };
}

/** The same row in the evaluations that it was put side by side with. */
function OtherEvaluations({
  e,
  row,
}: {
  readonly e: readonly string[];
  readonly row: { model: string; dataset: string };
}) {
  const place = usePlace();
  if (e.length < 2) return null;
  return (
    <div class="tabs" role="group" aria-label="Evaluations">
      {e.map((key) => {
        const [model = '', dataset = ''] = JSON.parse(key) as string[];
        const isHere = model === row.model && dataset === row.dataset;
        return (
          <Link
            key={key}
            class="button"
            to={changed(place, { model, dataset })}
            aria-current={isHere ? 'true' : undefined}
          >
            {isHere ? <strong>{dataset}</strong> : dataset} <span class="soft">{model}</span>
          </Link>
        );
      })}
    </div>
  );
}

interface CopiesProps {
  readonly row: {
    readonly run: string;
    readonly model: string;
    readonly dataset: string;
    readonly id: number;
  };
  readonly details: RowDetails | undefined;
  readonly prompt: RowPrompt | undefined;
  readonly prompts: readonly JsonPrompt[];
}

function Copies({ details, prompt, prompts }: CopiesProps) {
  const { params } = usePlace();
  const { command, viewCommand, cut = [] } = prompt ?? {};
  const { request, at } = shownRequest(prompt, prompts, Number(params.get('prompt') ?? 0));
  const isCut = cut.some(({ path }) => at.every((key, place) => path[place] === key));
  const curl = request?.url === undefined ? undefined : curlOf({ ...request }, isCut);
  return (
    <details class="menu copies">
      <summary>copy</summary>
      <div class="menu-body">
        {viewCommand !== undefined && <CopyButton label="typecase view" text={() => viewCommand} />}
        {command !== undefined && <CopyButton label="typecase show" text={() => command} />}
        {curl !== undefined && <CopyButton label="curl" text={() => curl} />}
        {request?.url !== undefined && curl === undefined && (
          <p class="soft small">
            No curl: the request is too long or has media. <code>typecase view --json</code> prints
            it.
          </p>
        )}
        {details && (
          <CopyButton label="JSON" text={() => JSON.stringify({ ...details, prompt }, null, 2)} />
        )}
      </div>
    </details>
  );
}
