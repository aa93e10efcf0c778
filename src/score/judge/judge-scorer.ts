import type { ConfigPath } from '../../errors.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { formatValue, type Row } from '../../prompt/values.ts';
import { extractAnswer } from '../create-scorer.ts';
import type { Extractor } from '../extract/extractor.ts';
import { trimmed } from '../extract/text-extractors.ts';
import { isMissing, noGold, partOf, scoredWithLast, unfitPrompt, unscored } from '../row-score.ts';
import type {
  JudgeReply,
  ReadColumn,
  RowScore,
  ScoreInput,
  Scorer,
  ScorerJudge,
} from '../scorer.ts';
import { choosePrompt, type PromptCase, type PromptChoice } from './choose-prompt.ts';
import { singlePrompt } from './default-prompts.ts';
import { compileJudgePrompt, type JudgePrompt, type TraceJudgePrompt } from './judge-prompt.ts';
import { isGiven, type JudgeValues, judgeValues, showsQuestion, turnOf } from './judge-values.ts';
import {
  isRead,
  type ReadVerdict,
  readVerdict,
  unreadableReason,
  type Verdict,
} from './read-verdict.ts';
import { refuseUneven } from './uneven-columns.ts';

/** Sends a prompt to the judge; `trace` says where it comes from, to whoever wants to know. */
export type Ask = (
  prompt: Prompt,
  signal: AbortSignal,
  trace: TraceJudgePrompt,
) => Promise<JudgeReply>;

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
  /** Or several, of which the first one that fits an answer is taken. */
  readonly prompts?: readonly PromptCase[] | undefined;
  /** The column of the question, which prompts call `{question}`; that of this name by default. */
  readonly questionColumn?: string | undefined;
  readonly extractorsOf?: ((row: Row) => readonly Extractor[]) | undefined;
  readonly cleanGold?: ((gold: unknown, row: Row) => unknown) | undefined;
  /** Which turns of a dialogue are judged: each, or the last one for all of it. */
  readonly turns?: 'every' | 'last' | undefined;
  /** The column to report separate means by. */
  readonly by?: string | undefined;
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
  const choice = promptChoice(settings);
  const dimensions = (verdict.type === 'grade' && verdict.dimensions) || [];
  const scale = verdict.type === 'grade' ? verdict.scale : ([0, 1] as const);
  return {
    metric: verdict.type === 'grade' ? 'grade' : 'accuracy',
    direction: 'higher',
    range: scale,
    ...(verdict.type === 'grade' && { isGraded: true }),
    ...(dimensions.length > 0 && {
      traits: dimensions.map(({ name }) => ({
        name,
        direction: 'higher',
        range: scale,
        isGraded: true,
      })),
    }),
    by: settings.by,
    ...ofWhole(settings),
    columns: columnsOf(choice, settings),
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      ...judgedMedia(choice, settings),
      requestsFor: (input) => Number(isAsked(input, { choice, settings })),
    },
    scoreLater: withWhole(settings, async (input, signal) => {
      const { replies } = input;
      if (!replies && isLeftToLast(input, settings)) return scoredWithLast();
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      const prompt = replies ? undefined : promptOf(input, { choice, settings });
      if (!replies && !prompt) return unscored(promptCases(settings) ? noPrompt : noGold);
      if (prompt) refuseUneven(input, { columns: shownColumns(prompt, settings) });
      const reply = replies?.[0] ?? (prompt && (await askAbout(prompt, { ask, columns, signal })));
      if (!reply) throw new TypeError('the judge gave no verdict');
      if ('type' in reply) return reply;
      const verdicts = verdictsOf(reply);
      const read = readVerdict(reply, verdict);
      if (!isRead(read)) return { ...unscored(unreadableReason(read), reply.text), ...verdicts };
      const { prediction } = columns;
      const scored = judged(read, { prediction, verdict, row: input.row, by: settings.by });
      return { ...scored, ...verdicts };
    }),
  };
}

/** Said of scores, and of the scorer, where the last turn is judged for all of the dialogue. */
export function ofWhole({ turns }: Pick<JudgeSettings, 'turns'>): { readonly ofWhole?: true } {
  return turns === 'last' ? { ofWhole: true } : {};
}

type ScoreLater = NonNullable<Scorer['scoreLater']>;

export function withWhole(settings: JudgeSettings, score: ScoreLater): ScoreLater {
  if (settings.turns !== 'last') return score;
  return async (input, signal) => ({ ...(await score(input, signal)), ofWhole: true });
}

/** What a judge is shown: its media, and the columns whose texts may mark their places. */
export function judgedMedia(
  { prompts }: Pick<PromptChoice, 'prompts'>,
  { questionColumn = 'question' }: JudgeSettings,
): Pick<ScorerJudge, 'diagnostics' | 'showsMedia' | 'showsQuestion' | 'media' | 'mediaOf'> {
  const parts = prompts.flatMap(({ media }) => media.parts);
  return {
    diagnostics: prompts.flatMap((prompt) => prompt.diagnostics),
    showsMedia: prompts.some((prompt) => prompt.showsMedia),
    showsQuestion: prompts.some(({ shown }) => shown.some((name) => showsQuestion(name))),
    media: { parts, texts: [questionColumn] },
    mediaOf: (row) => {
      const question = row[questionColumn];
      const named = question === undefined ? row : { ...row, question };
      return prompts.flatMap((prompt) => prompt.mediaOf(named));
    },
  };
}

export const noPrompt = unfitPrompt.none;

/** Whether a turn has no verdict of its own. */
export function isLeftToLast(
  { dialogue }: Pick<ScoreInput, 'dialogue'>,
  { turns }: JudgeSettings,
): boolean {
  return turns === 'last' && dialogue?.isLast === false;
}

interface ChosenBy {
  readonly choice: Pick<PromptChoice, 'promptFor'>;
  readonly settings: JudgeSettings;
}

/** What the judge is asked about an answer; nothing where it is not asked. */
export function promptOf(
  input: Pick<ScoreInput, 'row' | 'gold' | 'dialogue'>,
  { choice, settings }: ChosenBy,
): JudgePrompt | undefined {
  if (isLeftToLast(input, settings)) return undefined;
  const { row, gold, dialogue } = input;
  const { cleanGold = (value: unknown) => value } = settings;
  return choice.promptFor({ hasReference: !isMissing(cleanGold(gold, row)), dialogue });
}

/** Whether the judge is asked about an answer, whatever that says: not where its prompt lacks a column. */
export function isAsked(
  input: Pick<ScoreInput, 'row' | 'gold' | 'dialogue'>,
  { choice, settings }: ChosenBy,
  others: readonly string[] = [],
): boolean {
  const prompt = promptOf(input, { choice, settings });
  if (!prompt) return false;
  const { values, said } = valuesOf(input, '', settings);
  return (
    prompt.lacks([...Object.keys({ ...values, ...said }), 'boundary', ...others]) === undefined
  );
}

/** The columns of rows that a prompt shows, but for media, which turns have any number of. */
export function shownColumns(
  { fields, shown, media }: JudgePrompt,
  { questionColumn = 'question', by }: JudgeSettings,
): readonly string[] {
  const ofMedia = media.parts.flatMap(({ columns }) => columns);
  const asks = media.parts.length > 0 || shown.some((name) => showsQuestion(name));
  return [
    ...fields.filter((name) => !isGiven(name) && name !== 'question' && !ofMedia.includes(name)),
    ...(asks ? [questionColumn] : []),
    ...(by === undefined ? [] : [by]),
  ];
}

interface Asking {
  readonly ask: Ask;
  readonly columns: JudgeValues;
  readonly signal: AbortSignal;
}

/** What the judge says to a prompt, or why it has none. */
export async function askAbout(
  prompt: JudgePrompt,
  { ask, columns, signal }: Asking,
): Promise<JudgeReply | (RowScore & { readonly type: 'unscored' })> {
  const filled = prompt.fill(columns);
  if (filled.type === 'missing') {
    return unscored(`${unfitPrompt.lacks} ${lackOf(filled.column, columns)}`, filled.message);
  }
  return ask(filled.prompt, signal, filled.trace);
}

/** What a prompt lacks, and why an answer does not have it. */
function lackOf(name: string, { before }: JudgeValues): string {
  const turn = turnOf(name);
  const judged = (before?.length ?? 0) + 1;
  if (turn !== undefined && turn > judged) {
    const why = before ? `turn ${judged} is judged` : 'the row has one turn';
    return `\`{${name}}\`, but ${why}: use \`turns: last\`, or \`prompts\` with a \`turn\``;
  }
  if (/^(?:reference|obj_gold)/.test(name)) {
    return `\`{${name}}\`, but ${before ? `turn ${turn ?? judged}` : 'the row'} has no gold answer`;
  }
  if (before && showsQuestion(name)) {
    const asks = turn === undefined ? 'a turn asks' : `turn ${turn} asks`;
    return `\`{${name}}\`, but what ${asks} is in no column (\`question_column\`), and no user message is before its answer`;
  }
  return `the column \`${name}\`, which the row does not have`;
}

/** The requests behind replies, as far as somebody keeps them. */
export function verdictsOf(
  ...replies: readonly JudgeReply[]
): Pick<RowScore, 'verdicts'> | undefined {
  const verdicts = replies.flatMap(({ asked }) => asked ?? []);
  return verdicts.length > 0 ? { verdicts } : undefined;
}

/** The columns of rows that a judge's prompts are filled with. */
export function columnsOf(
  { prompts }: Pick<PromptChoice, 'prompts'>,
  settings: JudgeSettings,
): readonly ReadColumn[] {
  const { questionColumn, by, optionsPath = [] } = settings;
  const cases = promptCases(settings) ?? [];
  const own = prompts.flatMap(({ fields }, index) =>
    fields
      .filter((name) => !isGiven(name))
      .map((name) => ({ name, path: cases[index]?.path ?? optionsPath })),
  );
  const question = {
    name: questionColumn ?? 'question',
    path: [...optionsPath, 'question_column'],
    ...(questionColumn === undefined && { isSaidInChats: true as const }),
  };
  const isRead = questionColumn !== undefined || own.some(({ name }) => name === 'question');
  return [
    ...(isRead ? [question] : []),
    ...own.filter(({ name }) => name !== 'question'),
    ...(by === undefined ? [] : [{ name: by, path: [...optionsPath, 'by'] }]),
  ];
}

/** The prompts that the config brings; nothing where ours is used. */
export function promptCases({
  template,
  prompts,
  path,
}: Pick<JudgeSettings, 'template' | 'prompts' | 'path'>): readonly PromptCase[] | undefined {
  return prompts ?? (template && [{ template, path }]);
}

/** Where a prompt would stand that replaces ours. */
export function ownPromptPath({ optionsPath }: JudgeSettings): ConfigPath | undefined {
  return optionsPath && [...optionsPath, 'prompt'];
}

/** Our own prompt is another for rows without a reference; there is none where one is needed. */
function promptChoice(settings: SingleJudgeSettings): PromptChoice {
  const { verdict, examples, format } = settings;
  const cases = promptCases(settings);
  if (cases) return choosePrompt(cases, format);
  const compile = (hasReference: boolean) =>
    compileJudgePrompt({
      ...singlePrompt({ verdict, hasReference, hasExamples: (examples?.length ?? 0) > 0 }),
      examples,
      format,
      path: ownPromptPath(settings),
    });
  const withReference = compile(true);
  const without = verdict.type === 'grade' ? compile(false) : undefined;
  return {
    prompts: [withReference],
    promptFor: ({ hasReference }) => (hasReference ? withReference : without),
  };
}

interface JudgedRow {
  readonly prediction: string;
  readonly verdict: Verdict;
  readonly row: Row;
  readonly by: string | undefined;
}

function judged(read: ReadVerdict, { prediction, verdict, row, by }: JudgedRow): RowScore {
  const best =
    verdict.type === 'grade'
      ? String(verdict.scale[1])
      : ([...verdict.scores].find(([, score]) => score === 1)?.[0] ?? '');
  return {
    type: 'scored',
    value: read.value,
    isRight: verdict.type === 'grade' ? null : read.isRight,
    extracted: prediction,
    compared: { got: read.written, want: best },
    ...measuresOf(read, { row, by }),
    detail: read.reason,
  };
}

/** What is reported beside the score: dimensions, and the score of rows like this one. */
export function measuresOf(
  { value, dimensions }: Pick<ReadVerdict, 'value' | 'dimensions'>,
  { row, by }: Pick<JudgedRow, 'row' | 'by'>,
): { readonly metrics?: Readonly<Record<string, number>> } {
  const part = partOf(row, by);
  const metrics = { ...dimensions, ...(part !== undefined && { [part]: value }) };
  return Object.keys(metrics).length > 0 ? { metrics } : {};
}

export interface JudgeColumns extends JudgeValues {
  readonly type: 'columns';
  readonly prediction: string;
}

/** What a judge's prompt is filled with, or why there is nothing to judge. */
export function judgeColumns(
  input: ScoreInput,
  settings: JudgeSettings,
): JudgeColumns | (RowScore & { readonly type: 'unscored' }) {
  const extracted = extractAnswer(input, settings.extractorsOf?.(input.row) ?? [trimmed]);
  if (extracted.type === 'unscored') return extracted;
  const { value: prediction } = extracted;
  return { type: 'columns', prediction, ...valuesOf(input, prediction, settings) };
}

function valuesOf(
  input: Pick<ScoreInput, 'row' | 'gold' | 'dialogue'>,
  prediction: string,
  { questionColumn = 'question', cleanGold = (gold) => gold }: JudgeSettings,
): JudgeValues {
  const gold = cleanGold(input.gold, input.row);
  const reference = isMissing(gold) ? undefined : formatValue(gold);
  return judgeValues(input, { questionColumn, prediction, reference, cleanGold });
}

/** Rows that wait for a judge have no score at once. */
export function scoredLater(): RowScore {
  return unscored('not judged yet');
}
