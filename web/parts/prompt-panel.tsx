import { countOf } from '../../src/base/format.ts';
import type { RowPrompt } from '../../src/server/viewer/api.ts';
import { changed, go, usePlace } from '../router.tsx';
import { DataTable } from './data-panel.tsx';
import { Loading, Problem } from './frame.tsx';
import { type JsonPrompt, PromptText, promptName } from './prompt-view.tsx';
import { type Remark, RemarkList } from './remark-list.tsx';

interface PanelProps {
  readonly prompt: RowPrompt | undefined;
  readonly prompts: readonly JsonPrompt[];
  readonly error: Error | undefined;
  readonly row: {
    readonly run: string;
    readonly model: string;
    readonly dataset: string;
    readonly id: number;
  };
  readonly showsSpace: boolean;
  readonly showsOrigins: boolean;
  readonly onSpace: () => void;
  readonly onOrigins: () => void;
}

/** The request behind a prompt, and where it stands. Where loglikelihoods are taken it is that of all labels. */
export function shownRequest(
  prompt: RowPrompt | undefined,
  prompts: readonly JsonPrompt[],
  index: number,
): {
  readonly request: JsonPrompt['request'] | undefined;
  readonly at: readonly (string | number)[];
} {
  const place = Math.min(index, Math.max(0, prompts.length - 1));
  const own = prompts[place]?.request;
  if (own) return { request: own, at: ['view', 'prompts', place, 'request'] };
  const { request } = (prompt?.view ?? {}) as { readonly request?: JsonPrompt['request'] };
  return { request, at: ['view', 'request'] };
}

/** What was sent, with its origins. */
export function PromptPanel(props: PanelProps) {
  const { prompt, prompts, error, row, showsSpace, showsOrigins, onSpace, onOrigins } = props;
  const place = usePlace();
  const numberIn = (name: string) => {
    const text = place.params.get(name);
    return text === null ? undefined : Number(text);
  };
  const show = (name: 'prompt' | 'example', value: number | undefined) =>
    go(changed(place, { [name]: value?.toString() }), { replace: true });
  const example = numberIn('example');
  const index = Math.min(numberIn('prompt') ?? 0, Math.max(0, prompts.length - 1));
  const shown = prompts[index];
  const view = prompt?.view as
    | { shots?: readonly (string | number)[]; diagnostics?: readonly Remark[] }
    | undefined;
  const { request } = shownRequest(prompt, prompts, index);
  const opened = example === undefined ? undefined : prompt?.examples[example];
  return (
    <section class="panel">
      <h2>
        Prompt
        {shown && (
          <span class="soft small">
            {countOf(shown.characters, 'character')}
            {shown.tokens === null ? '' : ` · ${countOf(shown.tokens, 'token')}`}
          </span>
        )}
        <span class="tools">
          {hasOrigins(shown) && (
            <button type="button" class="button" aria-pressed={showsOrigins} onClick={onOrigins}>
              origins <kbd>o</kbd>
            </button>
          )}
          <button type="button" class="button" aria-pressed={showsSpace} onClick={onSpace}>
            white space <kbd>w</kbd>
          </button>
        </span>
      </h2>
      {error && <Problem error={error} />}
      {!prompt && !error && <Loading what="prompt" />}
      {prompt?.problem !== undefined && (
        <div class="warning">
          <p>The prompt cannot be shown: {prompt.problem}.</p>
          {/outside the folders/.test(prompt.problem) && (
            <p class="small">
              Start <code>typecase serve</code> in the folder where the run was started, or name the
              folder of the config beside that of the runs.
            </p>
          )}
          <p class="soft small">
            Prompts are made again from the config and the data of the run, and shown only if their
            hash is that of what was sent.
          </p>
        </div>
      )}
      {prompt?.kept !== undefined && (
        <p class="warning">As saved by the run; origins are unknown: {prompt.kept}.</p>
      )}
      {prompts.length > 1 && (
        <div class="tabs" role="group" aria-label="Prompts of the row">
          {prompts.map((one, at) => (
            <button
              type="button"
              class="button"
              key={promptName(one, at)}
              aria-pressed={at === index}
              onClick={() => show('prompt', at)}
            >
              {promptName(one, at)}
            </button>
          ))}
        </div>
      )}
      {shown && prompt && (
        <PromptText
          prompt={shown}
          index={index}
          source={{ of: 'prompt', row, cut: prompt.cut }}
          shots={view?.shots ?? []}
          showsSpace={showsSpace}
          showsOrigins={showsOrigins}
          onExample={(shot) => show('example', shot)}
        />
      )}
      {prompt && prompt.examples.length > 0 && (
        <div class="fold">
          <p class="soft small">Examples, by their numbers in the train split</p>
          <div class="tabs">
            {prompt.examples.map(({ id }, at) => (
              <button
                type="button"
                class="button"
                key={at}
                aria-pressed={at === example}
                onClick={() => show('example', at === example ? undefined : at)}
              >
                {at + 1}: train {id}
              </button>
            ))}
          </div>
          {opened && <DataTable row={opened.row} />}
        </div>
      )}
      {(view?.diagnostics ?? []).length > 0 && <RemarkList remarks={view?.diagnostics ?? []} />}
      {request && (
        <details class="fold">
          <summary>
            Request
            {request.url === undefined ? ` to ${request.to ?? 'the model'}` : ` to ${request.url}`}
          </summary>
          <pre>{JSON.stringify(request.body, null, 2)}</pre>
        </details>
      )}
    </section>
  );
}

/** Whether it is known where the parts of a prompt come from. */
function hasOrigins(prompt: JsonPrompt | undefined): boolean {
  const [first] = prompt?.spans ?? [];
  const span = first && 'spans' in first ? first.spans[0] : first;
  return span !== undefined && span.origin !== null;
}
