import type { Compat, Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { compatOf } from '../../config/task-of-config.ts';
import type { SourceLocation } from '../../errors.ts';
import type { TaskData, TaskPrompt, TaskPrompts } from '../../infer/task-prompts.ts';
import {
  type Encode,
  type EndpointSettings,
  generationRequest,
  type ModelRequest,
} from '../../model/request.ts';
import {
  type Diagnostic,
  type Origin,
  type Prompt,
  type RowId,
  type Span,
  untrace,
} from '../../prompt/index.ts';

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
  readonly placeOf: (span: Span) => SourceLocation | undefined;
}

export interface LabelView extends TaskPrompt {
  /** What the spans join to. */
  readonly sent: Prompt;
  /** Left out when the model has no endpoint, or is not asked for an answer. */
  readonly request?: ModelRequest;
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
  readonly loaded: LoadedConfig;
  readonly config: Config;
  readonly dataset: DatasetConfig;
  readonly model: ModelConfig | undefined;
  readonly data: TaskData;
  readonly prompts: TaskPrompts;
  readonly endpoint: EndpointSettings | undefined;
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
    rowRemarks: [
      ...(shots.some(({ row }) => row === named?.row) ? [ownExample(source)] : []),
      ...prompts.checkRow(index).map(toRemark),
    ],
    prompts: prompts.trace(index).map((prompt) => makeLabelView(prompt, source)),
    placeOf: (span) => locateOrigin(loaded, span.origin),
  };
}

function makeLabelView(prompt: TaskPrompt, { endpoint, encode, prompts }: ViewSource): LabelView {
  const sent = untrace(prompt.prompt);
  return {
    ...prompt,
    sent,
    ...(endpoint &&
      prompts.mode === 'gen' && { request: generationRequest(endpoint, sent, encode) }),
    characters: textsOf(sent).reduce((sum, text) => sum + [...text].length, 0),
    ...(encode && { tokens: countTokens(sent, encode) }),
  };
}

function textsOf(prompt: Prompt): string[] {
  if (prompt.type === 'text') return [prompt.text];
  return prompt.messages.map(({ content }) => content);
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

function ownExample({ loaded, dataset }: ViewSource): Remark {
  return {
    kind: 'warning',
    code: 'data.row_is_its_own_example',
    message: 'this row is among its own examples, with its answer',
    hint: 'Keep examples out of the test rows with `test_range` or a train split.',
    at: loaded.locate(dataset.inferCfg.retriever.source),
  };
}

function locateOrigin(loaded: LoadedConfig, origin: Origin): SourceLocation | undefined {
  return 'at' in origin ? loaded.locateInString(origin.at.path, origin.at.start) : undefined;
}
