import type { ConfigPath } from '../../errors.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import type { Extractor } from '../extract/extractor.ts';
import { trimmed } from '../extract/text-extractors.ts';
import {
  extractAnswer,
  isMissing,
  type JudgeReply,
  type ReadColumn,
  type RowScore,
  type ScoreInput,
  type Scorer,
  unscored,
} from '../scorer.ts';
import { singlePrompt } from './default-prompts.ts';
import { compileJudgePrompt, type JudgePrompt } from './judge-prompt.ts';
import { type ReadVerdict, readVerdict, type Verdict } from './read-verdict.ts';

/** Sends a prompt to the judge. */
export type Ask = (prompt: Prompt, signal: AbortSignal) => Promise<JudgeReply>;

/** A model that judges. */
export interface JudgeModel {
  /** What the config calls it. */
  readonly name?: string | undefined;
  readonly ask: Ask;
  /** How its prompts are written; as plain text by default. */
  readonly format?: ModelFormat | undefined;
}

/** What all judges need to know. */
export interface JudgeSettings extends JudgeModel {
  /** What the judge is asked; there is a prompt of our own for every kind of verdict. */
  readonly template?: TemplateConfig | undefined;
  /** The column of the question, which prompts call `{question}`; that of this name by default. */
  readonly questionColumn?: string | undefined;
  readonly extractorsOf?: ((row: Row) => readonly Extractor[]) | undefined;
  readonly cleanGold?: ((gold: unknown, row: Row) => unknown) | undefined;
  /** Where the template stands in the config, */
  readonly path?: ConfigPath | undefined;
  /** and where the options of the judge do. */
  readonly optionsPath?: ConfigPath | undefined;
}

export interface SingleJudgeSettings extends JudgeSettings {
  readonly verdict: Verdict;
  /** Judged answers for the prompt of our own: `question`, `prediction`, `reference`, `reply`. */
  readonly examples?: readonly Row[] | undefined;
}

/**
 * Lets a model judge answers. Its prompt may use `{question}`, `{prediction}`, `{reference}`,
 * `{boundary}` and any column. A reply that cannot be read leaves the row unscored, with the reply
 * kept.
 *
 * @example
 * const scores = new Map([['yes', 1], ['no', 0]]);
 * const ask = async () => ({ text: '{"right": "yes"}' });
 * const scorer = createJudgeScorer({ ask, verdict: { type: 'values', field: 'right', scores } });
 * const row = { question: 'What is the capital of France?' };
 * await scorer.scoreLater?.({ answer: splitAnswer('Paris'), gold: 'Paris', row }, signal);
 * // { type: 'scored', value: 1, extracted: 'Paris', … }
 */
export function createJudgeScorer(settings: SingleJudgeSettings): Scorer {
  const { ask, verdict } = settings;
  const promptOf = promptFor(settings);
  return {
    metric: verdict.type === 'grade' ? 'grade' : 'accuracy',
    direction: 'higher',
    range: verdict.type === 'grade' ? verdict.scale : [0, 1],
    columns: columnsOf(promptOf(true)?.fields ?? [], settings),
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      requestsFor: (row, gold) => {
        const { cleanGold = (value: unknown) => value } = settings;
        return Number(promptOf(!isMissing(cleanGold(gold, row))) !== undefined);
      },
    },
    async scoreLater(input, signal) {
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      const hasReference = Object.hasOwn(columns.values, 'reference');
      const prompt = promptOf(hasReference);
      if (!prompt) return unscored('no gold answer');
      const reply = input.replies?.[0] ?? (await askAbout(prompt, { ask, columns, signal }));
      if ('type' in reply) return reply;
      const verdicts = verdictsOf(reply);
      const read = readVerdict(reply.text, verdict);
      if (!read) return { ...unscored('unreadable verdict', reply.text), ...verdicts };
      return { ...judged(read, { prediction: columns.prediction, verdict }), ...verdicts };
    },
  };
}

interface Asking {
  readonly ask: Ask;
  readonly columns: Pick<JudgeColumns, 'values'>;
  readonly signal: AbortSignal;
}

/** What the judge says to a prompt, or why it has none. */
export async function askAbout(
  prompt: JudgePrompt,
  { ask, columns, signal }: Asking,
): Promise<JudgeReply | (RowScore & { readonly type: 'unscored' })> {
  const filled = prompt.fill(columns.values);
  if (filled.type === 'missing') return unscored('judge prompt lacks a column', filled.message);
  return ask(filled.prompt, signal);
}

/** The requests behind replies, as far as somebody keeps them. */
export function verdictsOf(
  ...replies: readonly JudgeReply[]
): Pick<RowScore, 'verdicts'> | undefined {
  const verdicts = replies.flatMap(({ asked }) => asked ?? []);
  return verdicts.length > 0 ? { verdicts } : undefined;
}

/** What a judge's prompt is given besides the columns of the row. */
const given: ReadonlySet<string> = new Set([
  ...['prediction', 'reference', 'obj_gold', 'boundary', 'reply', 'first', 'second'],
]);

/** The columns of rows that a judge's prompt is filled with. */
export function columnsOf(
  fields: readonly string[],
  { questionColumn, path = [], optionsPath = [] }: JudgeSettings,
): readonly ReadColumn[] {
  const own = fields.filter((name) => !given.has(name));
  const question = {
    name: questionColumn ?? 'question',
    path: [...optionsPath, 'question_column'],
  };
  const asked = own.filter((name) => name !== 'question').map((name) => ({ name, path }));
  const isRead = own.includes('question') || questionColumn !== undefined;
  return isRead ? [question, ...asked] : asked;
}

/** The prompt for rows with a reference and for rows without; nothing where one is needed. */
function promptFor(settings: SingleJudgeSettings) {
  const { template, verdict, examples, format, path } = settings;
  if (template) {
    const prompt = compileJudgePrompt({ promptTemplate: template, format, path });
    return () => prompt;
  }
  const compile = (hasReference: boolean) =>
    compileJudgePrompt({
      ...singlePrompt({ verdict, hasReference, hasExamples: (examples?.length ?? 0) > 0 }),
      examples,
      format,
    });
  const withReference = compile(true);
  const without = verdict.type === 'grade' ? compile(false) : undefined;
  return (hasReference: boolean) => (hasReference ? withReference : without);
}

function judged(
  read: ReadVerdict,
  { prediction, verdict }: { readonly prediction: string; readonly verdict: Verdict },
): RowScore {
  const best =
    verdict.type === 'grade'
      ? String(verdict.scale[1])
      : ([...verdict.scores].find(([, score]) => score === 1)?.[0] ?? '');
  return {
    type: 'scored',
    value: read.value,
    isRight: verdict.type === 'grade' ? read.value === verdict.scale[1] : undefined,
    extracted: prediction,
    compared: { got: read.written, want: best },
    detail: read.reason,
  };
}

export interface JudgeColumns {
  readonly type: 'columns';
  readonly prediction: string;
  readonly values: Row;
}

/** What a judge's prompt is filled with, or why there is nothing to judge. */
export function judgeColumns(
  input: ScoreInput,
  { questionColumn = 'question', extractorsOf, cleanGold = (gold) => gold }: JudgeSettings,
): JudgeColumns | (RowScore & { readonly type: 'unscored' }) {
  const { row } = input;
  const extracted = extractAnswer(input, extractorsOf?.(row) ?? [trimmed]);
  if (extracted.type === 'unscored') return extracted;
  const gold = cleanGold(input.gold, row);
  const reference = isMissing(gold) ? undefined : formatValue(gold);
  return {
    type: 'columns',
    prediction: extracted.value,
    values: {
      ...row,
      ...(Object.hasOwn(row, questionColumn) && { question: row[questionColumn] }),
      prediction: extracted.value,
      // `obj_gold` is what the field's judge prompts call the reference.
      ...(reference !== undefined && { reference, obj_gold: reference }),
    },
  };
}

/** Rows that wait for a judge have no score at once. */
export function scoredLater(): RowScore {
  return unscored('not judged yet');
}
