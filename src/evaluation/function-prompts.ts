import { displayPath } from '../base/display-path.ts';
import { settled } from '../base/settled.ts';
import { thrownPlace } from '../base/thrown-place.ts';
import { ConfigError, type ConfigPath, DataError, formatPath, TypecaseError } from '../errors.ts';
import { describeType, toPlain } from '../prompt/mapping.ts';
import type { Origin, Span } from '../prompt/origin.ts';
import { compilePrompt } from '../prompt/program.ts';
import { type Prompt, type TracedPrompt, untrace } from '../prompt/prompt.ts';
import type { PromptFunction } from '../prompt/prompt-function.ts';
import { type PromptList, tracePromptList } from '../prompt/prompt-list.ts';
import { tracePrompt } from '../prompt/render.ts';
import type { NamedRow } from '../prompt/trace.ts';
import type { Row } from '../prompt/values.ts';
import { leakDiagnostics } from '../retrieve/leak.ts';
import type { Query, Retriever } from '../retrieve/retriever.ts';
import { isTooLong } from './fit-context.ts';
import type { TracedRequestText } from './inference.ts';
import type { EvaluationPrompts, PromptData, PromptSetup } from './prompt-setup.ts';

interface MadePrompt extends TracedRequestText {
  readonly shown: Prompt;
  readonly shots: readonly number[];
}

/** The prompts of a task whose template is a function. They are made when rows are made ready. */
export function functionPrompts(
  task: PromptSetup,
  data: PromptData,
  retriever: Retriever,
): EvaluationPrompts {
  const source = task.promptTemplate?.source ?? [];
  const make = task.promptTemplate?.config.template as PromptFunction;
  refuseOthers(task, source);
  const examplesAt = (shots: readonly number[]) =>
    shots.flatMap((index) => data.train[index] ?? []);
  const made = new WeakMap<Row, MadePrompt | Error>();
  const madeOf = ({ row }: Pick<Query, 'row'>): MadePrompt => {
    const found = made.get(row);
    if (!found) throw new TypeError('the row was not prepared');
    if (found instanceof Error) throw found;
    return found;
  };
  const makeOne = async (query: Query): Promise<MadePrompt | Error> => {
    try {
      const shots = retriever(query);
      const input = {
        row: withoutAnswer(query.row, task.outputColumn),
        examples: examplesAt(shots).map(({ row }) => toPlain(row) as Row),
      };
      const given = make(input);
      const value = given instanceof Promise ? await settled(given, neverSettles) : given;
      return { ...readPrompt(value, { task, source, query }), shots };
    } catch (error) {
      return error instanceof DataError ? error : rowError(error, source);
    }
  };
  return {
    mode: 'gen',
    labels: undefined,
    diagnostics: [],
    seed: retriever.seed,
    async prepare(queries) {
      await retriever.prepare?.(queries);
      await Promise.all(
        queries.map(async (query) => {
          if (!made.has(query.row)) made.set(query.row, await makeOne(query));
        }),
      );
    },
    promptOf: (query) => {
      const { shown: prompt, shots } = madeOf(query);
      const tooLong = isTooLong(prompt, { row: query.row, context: task.context });
      return { prompt, shots, dropped: 0, tooLong };
    },
    traceOf: (query) => {
      const { list, prompt } = madeOf(query);
      return { list, prompt };
    },
    labelPromptsOf: noLabels,
    labelListOf: noLabels,
    examplesAt,
    checkRow: () => [],
    leaksOf: (row, shots) =>
      leakDiagnostics(row, examplesAt(shots), {
        columns: task.inputColumns,
        path: task.retriever.source,
      }),
  };
}

function noLabels(): never {
  throw new TypeError('a function makes one prompt per row');
}

function neverSettles(): Error {
  return new Error('its promise never settles');
}

/** What a template of text can do and a function cannot. */
function refuseOthers({ compat, shotsAs }: PromptSetup, path: ConfigPath): void {
  const other = compat ? `compat: ${compat}` : shotsAs && `shots_as: ${shotsAs}`;
  if (!other) return;
  throw new ConfigError(
    'config.conflicting_keys',
    `${formatPath(path)} is a function, which ${other} does not accept`,
    {
      path,
      hint: 'Write the template as text or messages: a function receives the examples itself.',
    },
  );
}

function withoutAnswer(row: Row, outputColumn: string | undefined): Row {
  const { [outputColumn ?? '']: _, ...shown } = toPlain(row) as Record<string, unknown>;
  return shown;
}

interface PromptPlace {
  readonly task: PromptSetup;
  readonly source: ConfigPath;
  readonly query: NamedRow;
}

function readPrompt(value: unknown, place: PromptPlace): TracedRequestText & { shown: Prompt } {
  const { task, source, query } = place;
  const origin: Origin = { type: 'function', at: { path: [...source, 'template'], start: 0 } };
  if (typeof value === 'string') {
    const spans: Span[] = [{ text: value, origin }];
    const prompt: TracedPrompt = { type: 'text', spans };
    return { list: { type: 'text', spans }, prompt, shown: untrace(prompt) };
  }
  if (!Array.isArray(value) || value.length === 0) {
    const gave = Array.isArray(value) ? 'an empty list' : describeType(value);
    throw new DataError('template.function_prompt', `${formatPath(source)} gave ${gave}`, {
      path: source,
      hint: 'A prompt function must return text, or messages such as `{ role: "user", content: "…" }`.',
    });
  }
  const program = compilePrompt({
    promptTemplate: { messages: value, format_variables: false },
    paths: { promptTemplate: source },
    format: task.model.format,
  });
  const named = { id: query.id, row: {} };
  const own = (spans: readonly Span[]) =>
    spans.map((span) => (span.origin.type === 'literal' ? { ...span, origin } : span));
  const prompt = mapTraced(tracePrompt(program, named), own);
  return {
    list: mapList(tracePromptList(program, named), own),
    prompt,
    shown: untrace(prompt),
  };
}

type MapSpans = (spans: readonly Span[]) => readonly Span[];

function mapTraced(traced: TracedPrompt, map: MapSpans): TracedPrompt {
  if (traced.type === 'text') return { ...traced, spans: map(traced.spans) };
  return {
    ...traced,
    messages: traced.messages.map((message) => ({ ...message, spans: map(message.spans) })),
  };
}

function mapList(list: PromptList, map: MapSpans): PromptList {
  if (list.type === 'text') return { ...list, spans: map(list.spans) };
  return { ...list, items: list.items.map((item) => ({ ...item, spans: map(item.spans) })) };
}

/** What went wrong in the function fails the row, and says where. */
function rowError(error: unknown, path: ConfigPath): DataError {
  const reason = error instanceof Error ? error.message : String(error);
  const place = TypecaseError.isInstance(error) ? undefined : thrownPlace(error);
  const at = place ? ` at ${displayPath(place.file)}:${place.line}:${place.column}` : '';
  return new DataError(
    'template.function_failed',
    `the prompt function of ${formatPath(path)} failed${at}: ${reason}`,
    {
      path,
      ...(TypecaseError.isInstance(error) && error.hint !== undefined && { hint: error.hint }),
      cause: error,
    },
  );
}
