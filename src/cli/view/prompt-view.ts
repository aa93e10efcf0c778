import type { Compat, Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { compatOf } from '../../config/task-of-config.ts';
import type { SourceLocation } from '../../errors.ts';
import { abilityFor, inferenceOf } from '../../infer/inference-of.ts';
import type { PromptTask, TaskData, TaskPrompt, TaskPrompts } from '../../infer/task-prompts.ts';
import type { Encode } from '../../model/request.ts';
import {
  type Diagnostic,
  type Origin,
  type Prompt,
  type RowId,
  type Span,
  textOnly,
  untrace,
} from '../../prompt/index.ts';
import type { RequestMaker, ViewRequest } from './request-maker.ts';

/** All there is to see of one row of one data set on one model. */
export interface PromptView {
  readonly model: ModelConfig | undefined;
  readonly dataset: DatasetConfig;
  readonly row: { readonly index: number; readonly id: RowId };
  readonly shots: readonly RowId[];
  readonly mode: TaskPrompts['mode'];
  /** The system whose rules made the prompts, if not our own. */
  readonly compat: Compat | undefined;
  /** What is said of the templates, the same for every row. */
  readonly templateRemarks: readonly Remark[];
  readonly rowRemarks: readonly Remark[];
  readonly prompts: readonly LabelView[];
  /** What weighs texts, for the whole row; left out when an answer is asked for. */
  readonly weighing?: ViewRequest;
  /** Why there is no request, if there is none. */
  readonly noRequest?: string;
  readonly placeOf: (span: Span) => SourceLocation | undefined;
}

export interface LabelView extends TaskPrompt {
  /** What the spans join to. */
  readonly sent: Prompt;
  /** Left out when the model cannot be asked, or is not asked for an answer. */
  readonly request?: ViewRequest;
  readonly noRequest?: string;
  readonly characters: number;
  /** Left out when the model has no tokenizer. */
  readonly tokens?: number;
}

/** A diagnostic with its place in the config file. */
export interface Remark {
  readonly kind: 'note' | 'warning';
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  readonly at: SourceLocation;
}

export interface ViewSource {
  readonly task: PromptTask;
  readonly loaded: LoadedConfig;
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly model: ModelConfig | undefined;
  readonly data: TaskData;
  readonly prompts: TaskPrompts;
  readonly requests: RequestMaker;
  readonly encode: Encode | undefined;
}

/** Makes the prompts of a row with the functions that a run uses. */
export function makeView(source: ViewSource, index: number): PromptView {
  const { loaded, config, dataset, model, data, prompts } = source;
  const named = data.test[index];
  const shots = prompts.shotsOf(index);
  const { mode } = prompts;
  const toRemark = (diagnostic: Diagnostic) => placeDiagnostic(loaded, diagnostic);
  return {
    model,
    dataset,
    row: { index, id: named?.id ?? index },
    shots: shots.map(({ id }) => id),
    mode,
    compat: compatOf(config, model),
    templateRemarks: [
      ...config.notices.map((notice) => ({
        kind: 'note' as const,
        code: 'config.notice',
        ...notice,
      })),
      ...prompts.diagnostics.map(toRemark),
    ],
    rowRemarks: prompts.checkRow(index).map(toRemark),
    prompts: prompts
      .trace(index)
      .map((prompt) => makeLabelView(prompt, { ...source, id: named?.id ?? index })),
    ...weighingOf(source, index),
    placeOf: (span) => locateOrigin(loaded, span.origin),
  };
}

function weighingOf(
  { task, prompts, data, requests }: ViewSource,
  index: number,
): Pick<PromptView, 'weighing' | 'noRequest'> {
  const named = data.test[index];
  if (!named || !weighsTexts(task)) return {};
  const inference = inferenceOf(task, prompts);
  const request = inference.type === 'single' && inference.ask({ ...named, index }).request;
  if (request === false || request.type !== 'weigh') return {};
  const made = requests.weighing(request.texts);
  return typeof made === 'string' ? { noRequest: made } : { weighing: made };
}

function weighsTexts({ inferencer }: PromptTask): boolean {
  return abilityFor(inferencer.type) !== 'generate';
}

function makeLabelView(
  prompt: TaskPrompt,
  { task, requests, encode, prompts, id }: ViewSource & { readonly id: RowId },
): LabelView {
  const sent = untrace(prompt.prompt);
  const isAnswered = prompts.mode === 'gen' && !weighsTexts(task);
  const made = isAnswered ? requests.answering(sent, id) : undefined;
  return {
    ...prompt,
    sent,
    ...(typeof made === 'string' ? { noRequest: made } : made && { request: made }),
    characters: textsOf(sent).reduce((sum, text) => sum + [...text].length, 0),
    ...(encode && { tokens: countTokens(sent, encode) }),
  };
}

function textsOf(prompt: Prompt): string[] {
  if (prompt.type === 'text') return [prompt.text];
  return prompt.messages.map(({ content }) => textOnly(content));
}

function countTokens(prompt: Prompt, encode: Encode): number {
  const pieces = prompt.type === 'text' ? (prompt.pieces ?? [prompt.text]) : textsOf(prompt);
  return pieces.reduce(
    (sum, piece) => sum + (typeof piece === 'string' ? encode(piece) : piece).length,
    0,
  );
}

const warnings = new Set([
  'template.unknown_field',
  'template.doubled_braces',
  'template.text_without_role',
  'retrieve.leak_same_row',
  'retrieve.leak_same_question',
]);

function placeDiagnostic(loaded: LoadedConfig, diagnostic: Diagnostic): Remark {
  const { code, message, hint, path, start } = diagnostic;
  return {
    kind: warnings.has(code) ? 'warning' : 'note',
    code,
    message,
    ...(hint !== undefined && { hint }),
    at: start === undefined ? loaded.locate(path) : loaded.locateInString(path, start),
  };
}

function locateOrigin(loaded: LoadedConfig, origin: Origin): SourceLocation | undefined {
  return 'at' in origin ? loaded.locateInString(origin.at.path, origin.at.start) : undefined;
}
