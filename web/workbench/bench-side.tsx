import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { countOf } from '../../src/base/format.ts';
import type { BenchDetails, PromptBody } from '../../src/server/viewer/workbench/api.ts';
import type { TemplateText } from '../../src/server/viewer/workbench/template-text.ts';
import { Problem } from '../parts/frame.tsx';
import { PromptText, promptName } from '../parts/prompt-view.tsx';
import { RemarkList } from '../parts/remark-list.tsx';
import type { CodeEditor, PlacedRemark } from './code-editor.ts';
import { Editor } from './editor.tsx';
import { type LivePrompt, usePrompt } from './use-prompt.ts';

/** What stands on one side of the bench. */
export interface Side {
  readonly templates: TemplateText;
  readonly format: string;
  /** Grows when the text is replaced as a whole. */
  readonly epoch: number;
}

interface SideProps {
  readonly name: 'A' | 'B' | '';
  readonly body: PromptBody;
  readonly side: Side;
  readonly original: TemplateText;
  readonly details: BenchDetails;
  readonly takesText: boolean;
  readonly showsSpace: boolean;
  readonly onChange: (side: Side) => void;
  readonly onPrompt: (live: LivePrompt) => void;
}

export function isSame(left: TemplateText, right: TemplateText): boolean {
  return left.form === right.form && left.text === right.text;
}

/** Templates in an editor, and what they make of the row. */
export function BenchSide(props: SideProps) {
  const { name, body, side, original, details, takesText, showsSpace, onChange, onPrompt } = props;
  const live = usePrompt(body);
  const editor = useRef<Pick<CodeEditor, 'goTo'> | undefined>(undefined);
  const remarks = useMemo(() => remarksOf(live), [live]);
  useEffect(() => onPrompt(live), [live]);
  const replace = (templates: TemplateText) =>
    onChange({ ...side, templates, epoch: side.epoch + 1 });
  const isEdited = !isSame(side.templates, original);
  return (
    <section class="bench-side" aria-label={name === '' ? 'Templates' : `Side ${name}`}>
      <div class="bench-head">
        <h2>
          {name !== '' && <span class="letter">{name}</span>} Template
          {isEdited && <span class="soft small">edited</span>}
        </h2>
        <span class="grow" />
        {side.templates.form === 'text' && (
          <button
            type="button"
            class="button"
            title="Roles, examples and labels can be written there"
            onClick={() => replace(asYaml(side.templates.text))}
          >
            as YAML
          </button>
        )}
        {isEdited && (
          <button type="button" class="button" onClick={() => replace(original)}>
            undo all
          </button>
        )}
        <label class="small">
          format{' '}
          <select
            aria-label={`Format${name === '' ? '' : ` of ${name}`}`}
            value={side.format}
            onChange={(event) => onChange({ ...side, format: event.currentTarget.value })}
          >
            <option value="">the model's own</option>
            {takesText &&
              details.formats.map((format) => (
                <option key={format.name} value={format.name} title={format.summary}>
                  {format.name}
                </option>
              ))}
          </select>
        </label>
      </div>
      <Editor
        templates={side.templates}
        epoch={side.epoch}
        label={`Template${name === '' ? '' : ` ${name}`}`}
        columns={live.reply?.columns ?? []}
        remarks={remarks}
        onChange={(text) => onChange({ ...side, templates: { ...side.templates, text } })}
        onOpen={(opened) => {
          editor.current = opened;
        }}
      />
      <LivePanel live={live} showsSpace={showsSpace} />
      <Lint live={live} onGo={(line, column) => editor.current?.goTo(line, column)} />
    </section>
  );
}

/** The same template where more can be said: its text is a block. */
function asYaml(text: string): TemplateText {
  return { form: 'yaml', text: `prompt_template:\n  template: ${JSON.stringify(text)}\n` };
}

function remarksOf({ reply, isCurrent, problem }: LivePrompt): PlacedRemark[] {
  const wrong = problem?.at
    ? [{ kind: 'error' as const, message: problem.message, at: problem.at }]
    : [];
  const lint = isCurrent ? (reply?.lint ?? []) : [];
  return [
    ...wrong,
    ...lint.flatMap(({ kind, message, hint, at }) =>
      at ? [{ kind, message: hint === undefined ? message : `${message}. ${hint}`, at }] : [],
    ),
  ];
}

function LivePanel({
  live,
  showsSpace,
}: {
  readonly live: LivePrompt;
  readonly showsSpace: boolean;
}) {
  const [chosen, setChosen] = useState(0);
  const { prompts, madeBy, agrees, reply, problem, error } = live;
  const index = Math.min(chosen, Math.max(0, prompts.length - 1));
  const shown = prompts[index];
  const view = reply?.view as
    | { shots?: readonly (string | number)[]; dropped?: number }
    | undefined;
  return (
    <div
      class="panel live-prompt"
      data-made={madeBy}
      data-kit={reply === undefined ? undefined : String(reply.kit !== undefined)}
      data-agrees={agrees === undefined ? undefined : String(agrees)}
      data-current={String(live.isCurrent)}
    >
      <h2>
        Prompt
        {shown && (
          <span class="soft small">
            {countOf(shown.characters, 'character')}
            {shown.tokens === null ? '' : ` · ${countOf(shown.tokens, 'token')}`}
            {view?.shots && view.shots.length > 0
              ? ` · ${countOf(view.shots.length, 'example')}`
              : ''}
            {view?.dropped ? ` · ${countOf(view.dropped, 'example')} did not fit` : ''}
          </span>
        )}
        <span class="soft small bench-source">{sourceText(live)}</span>
      </h2>
      {error && <Problem error={error} />}
      {problem && (
        <div class="warning" role="alert">
          <p>
            {problem.message}
            {problem.at ? ` (line ${problem.at.line}, column ${problem.at.column})` : ''}.
          </p>
          {problem.hint !== undefined && <p class="soft">{problem.hint}</p>}
        </div>
      )}
      {prompts.length > 1 && (
        <div class="tabs" role="group" aria-label="Prompts of the row">
          {prompts.map((one, place) => (
            <button
              type="button"
              class="button"
              key={place}
              aria-pressed={place === index}
              onClick={() => setChosen(place)}
            >
              {promptName(one, place)}
            </button>
          ))}
        </div>
      )}
      {shown && !problem && (
        <PromptText
          prompt={shown}
          index={index}
          source={{ of: 'prompt', row: noRow, cut: [], media: '/api/workbench/media' }}
          shots={view?.shots ?? []}
          showsSpace={showsSpace}
          showsOrigins
          onExample={() => undefined}
        />
      )}
      {shown?.request && !problem && (
        <details class="fold">
          <summary>Request to {shown.request.url ?? shown.request.to ?? 'the model'}</summary>
          <pre>{JSON.stringify(shown.request.body, null, 2)}</pre>
        </details>
      )}
    </div>
  );
}

const noRow = { run: '', model: '', dataset: '', id: 0 };

function sourceText({ madeBy, agrees, isCurrent, reply, prompts }: LivePrompt): string {
  if (prompts.length === 0) return '';
  if (madeBy === 'page') return agrees ? 'as a run sends it' : isCurrent ? '' : 'checking …';
  if (agrees === false) return 'as the server makes it';
  return reply?.noKit === undefined ? '' : `made by the server: ${reply.noKit}`;
}

/** What may be wrong, by the checks of a run. */
function Lint({
  live: { reply, isCurrent },
  onGo,
}: {
  readonly live: LivePrompt;
  readonly onGo: (line: number, column: number) => void;
}) {
  const lint = reply?.lint ?? [];
  if (lint.length === 0) {
    return (
      <p class="soft small lint-none">{isCurrent && reply?.view ? 'Nothing looks wrong.' : ''}</p>
    );
  }
  return (
    <RemarkList
      remarks={lint}
      after={({ at }) =>
        at && (
          <button type="button" class="link" onClick={() => onGo(at.line, at.column)}>
            line {at.line}
          </button>
        )
      }
    />
  );
}
