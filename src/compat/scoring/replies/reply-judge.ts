import { createHash } from 'node:crypto';
import * as z from 'zod';
import { getKey, isMapping } from '../../../prompt/mapping.ts';
import { hideTags } from '../../../prompt/parts/hidden-tags.ts';
import { formatValue, type Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { pyStr } from '../../../python/repr.ts';
import {
  type Component,
  componentType,
  isComponent,
  type LocatedComponent,
} from '../../../score/component/component.ts';
import { nonEmptyText, oneOfNames, trueOrFalse } from '../../../score/component/option-kinds.ts';
import type { EvaluatorTypes, ScoringParts } from '../../../score/evaluators/scoring-parts.ts';
import { choosePrompt } from '../../../score/judge/choose-prompt.ts';
import { judgeNamed, judgeSettings, template } from '../../../score/judge/judge-evaluators.ts';
import {
  askAbout,
  columnsOf,
  isAsked,
  isLeftToLast,
  type JudgeColumns,
  type JudgeSettings,
  judgeColumns,
  judgedMedia,
  promptCases,
  promptOf,
  scoredLater,
  verdictsOf,
  withWhole,
} from '../../../score/judge/judge-scorer.ts';
import type { JudgeValues } from '../../../score/judge/judge-values.ts';
import { noGold, scoredWithLast, unscored } from '../../../score/row-score.ts';
import type { JudgeReply, RowScore, ScoreInput, Scorer } from '../../../score/scorer.ts';
import { splitAnswer } from '../../../score/split-thought.ts';
import { replyReader } from './read-replies.ts';
import { meanOf, type Reading, type ReplyReader } from './reply-reader.ts';

const replyJudgeOptions = {
  model: nonEmptyText.optional(),
  judge_cfg: z.unknown().optional(),
  dataset_cfg: z.unknown().optional(),
  prompt_template: template,
  dict_postprocessor: z.custom<Component>(isComponent, { error: 'a function, with its `type`' }),
  question_column: nonEmptyText.optional(),
  pack_all_predictions: trueOrFalse.optional(),
  multi_eval: trueOrFalse.optional(),
  infer_order: oneOfNames(['random', 'double']).optional(),
  base_models: z.array(nonEmptyText, { error: 'a list of columns' }).min(1).optional(),
};

type Options = z.output<z.ZodObject<typeof replyJudgeOptions>>;

/** Whether a judge's replies are read as one of the functions there reads them. */
export function readsReplies({ dict_postprocessor: reader }: Component): boolean {
  return isComponent(reader) && replyReader(reader) !== undefined;
}

/** One question to the judge about an answer. */
interface Question {
  readonly values: JudgeValues;
  readonly isFirst?: boolean | undefined;
}

/**
 * A judge as OpenCompass's `LMEvaluator` asks it: about an answer, about several criteria of it, or about
 * it and that of another model, which stands in the column of its name.
 */
function createReplyJudge(
  options: Options,
  parts: ScoringParts,
  located: LocatedComponent,
): Scorer {
  const reader = replyReader(options.dict_postprocessor);
  if (!reader) throw new TypeError('replies that nobody can read');
  const { read, isPair, ...metrics } = reader;
  const settings: JudgeSettings = judgeSettings({
    path: located.path,
    parts,
    options: {
      model: options.model ?? judgeNamed(options.judge_cfg),
      prompt: options.prompt_template,
      question_column: options.question_column,
      turns: 'last',
    },
    promptKey: 'prompt_template',
  });
  const choice = choosePrompt(promptCases(settings) ?? [], settings.format);
  const rivals = isPair ? (options.base_models ?? []) : [];
  const ask = (input: ScoreInput, signal: AbortSignal, columns: JudgeColumns) => {
    const prompt = promptOf(input, { choice, settings });
    if (!prompt) return [];
    return questionsOf(input, { columns, options, rivals }).map(({ values }) =>
      askAbout(prompt, { ask: settings.ask, columns: values, signal }),
    );
  };
  return {
    ...metrics,
    ofWhole: true,
    columns: [
      ...rivals.map((name) => ({ name, path: [...located.path, 'base_models'] })),
      ...columnsOf(choice, settings).filter(({ name }) => name !== 'prediction2'),
    ],
    score: scoredLater,
    judge: {
      name: settings.name ?? 'judge',
      ...judgedMedia(choice, settings),
      requestsFor: (input) =>
        isAsked(input, { choice, settings }, ['prediction2']) ? countOf(input, options, rivals) : 0,
    },
    scoreLater: withWhole(settings, async (input, signal) => {
      if (!input.replies && isLeftToLast(input, settings)) return scoredWithLast();
      const columns = judgeColumns(input, settings);
      if (columns.type === 'unscored') return columns;
      const lacking = rivals.find((name) => (input.row[name] ?? null) === null);
      if (!input.replies && lacking !== undefined) {
        return unscored('no answer to compare with', `\`${lacking}\``);
      }
      const asked = await Promise.all(input.replies ?? ask(input, signal, columns));
      const replies: JudgeReply[] = [];
      for (const reply of asked) {
        if ('type' in reply) return reply;
        replies.push(reply);
      }
      const orders = questionsOf(input, { columns, options, rivals });
      const isFirst = (index: number) => orders[index]?.isFirst;
      return {
        ...scoreOf(replies, { input, columns, reader, isFirst }),
        ...verdictsOf(...replies),
      };
    }),
  };
}

const replyJudge = componentType({
  summary: '',
  options: replyJudgeOptions,
  build: createReplyJudge,
});

export const replyJudges: EvaluatorTypes = {
  LMEvaluator: replyJudge,
  GenericLLMEvaluator: replyJudge,
};

function countOf(
  { row, gold }: Pick<ScoreInput, 'row' | 'gold'>,
  { multi_eval: isSeveral, infer_order: order }: Options,
  rivals: readonly string[],
): number {
  if (isSeveral) return promptsIn(gold).length;
  if (rivals.length === 0) return 1;
  const there = rivals.filter((name) => (row[name] ?? null) !== null);
  return there.length < rivals.length ? 0 : rivals.length * (order === 'double' ? 2 : 1);
}

interface Asked {
  readonly columns: JudgeColumns;
  readonly options: Options;
  readonly rivals: readonly string[];
}

function questionsOf(input: ScoreInput, { columns, options, rivals }: Asked): Question[] {
  const own = options.pack_all_predictions ? wholeDialogue(input, columns) : columns.prediction;
  if (options.multi_eval) {
    return promptsIn(input.gold).map((prompt) => ({
      values: filled(input, columns, [prompt.replaceAll('{prediction}', own)]),
    }));
  }
  if (rivals.length === 0) return [{ values: filled(input, columns, [own]) }];
  return rivals.flatMap((name) => {
    const rival = rivalText(input.row[name] ?? '');
    const inOrder = (isFirst: boolean): Question => ({
      isFirst,
      values: filled(input, columns, isFirst ? [own, rival] : [rival, own]),
    });
    if (options.infer_order === 'double') return [inOrder(false), inOrder(true)];
    return [inOrder(isHeads(input, name))];
  });
}

/** What the judge is to be asked about an answer, where its row lists that. */
function promptsIn(gold: unknown): string[] {
  const prompts = isMapping(gold) ? getKey(gold, 'judge_prompt_list') : undefined;
  return Array.isArray(prompts) ? prompts.map((prompt) => formatValue(prompt)) : [];
}

const place = /\{prediction(2|_r\d+)?\}/g;

/** Answers stand for their places, also in columns that hold the prompt. */
function filled(
  { dialogue, answer }: ScoreInput,
  { values, said, before }: JudgeColumns,
  [first = '', second]: readonly string[],
): JudgeValues {
  const turns = [...(dialogue?.before ?? []).map((turn) => turn.answer), answer.answer];
  const answerAt = (which: string | undefined) => {
    if (which === undefined) return first;
    return which === '2' ? second : turns[Number(which.slice(2)) - 1];
  };
  const columns = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'string'
      ? value.replace(place, (written, which?: string) => hideTags(answerAt(which) ?? written))
      : value,
  ]);
  return {
    values: {
      ...(Object.fromEntries(columns) as Row),
      prediction: hideTags(first),
      ...(second !== undefined && { prediction2: hideTags(second) }),
    },
    said,
    before,
  };
}

/** All turns as Python writes them. */
function wholeDialogue({ dialogue }: ScoreInput, { prediction, values }: JudgeColumns): string {
  const turns = [
    ...(dialogue?.before ?? []).map(({ question, answer }) => ({ question, answer })),
    { question: dialogue?.question ?? values.question, answer: prediction },
  ].map(({ question, answer }, index) => ({
    round: index + 1,
    user: formatValue(question ?? ''),
    assistant: answer,
  }));
  return dialogue ? pyStr(toPython(turns)) : prediction;
}

/** The answer of another model; of a dialogue that it had, as Python writes it. */
function rivalText(value: unknown): string {
  return Array.isArray(value) ? pyStr(toPython(value)) : formatValue(value);
}

/** Which of two answers comes first is the same whenever the row is asked again. */
function isHeads({ row }: ScoreInput, rival: string): boolean {
  const texts = Object.values(row).map(formatValue);
  const hash = createHash('sha256')
    .update(JSON.stringify([rival, texts]))
    .digest();
  return (hash[0] ?? 0) % 2 === 0;
}

interface Judged {
  readonly input: ScoreInput;
  readonly columns: JudgeColumns;
  readonly reader: ReplyReader;
  readonly isFirst: (index: number) => boolean | undefined;
}

/** Replies that say nothing are left out, as they are there. */
function scoreOf(
  replies: readonly JudgeReply[],
  { input, columns, reader, isFirst }: Judged,
): RowScore {
  const { gold, row } = input;
  const readings = replies.flatMap((reply, index): Reading[] => {
    const { answer, unfinishedReasoning } = reply.parts ?? splitAnswer(reply.text);
    const read = unfinishedReasoning
      ? undefined
      : reader.read(answer, { gold, row, isFirst: isFirst(index) });
    return read ? [read] : [];
  });
  if (readings.length === 0) {
    const isCut = replies.some((reply) => reply.isCut);
    const reason = isCut ? 'verdict cut off at the length limit' : 'unreadable verdict';
    return unscored(replies.length === 0 ? noGold : reason, replies[0]?.text);
  }
  const value = meanOf(readings.map((reading) => reading.value));
  const [lowest, highest] = reader.range;
  if (!(value >= lowest && value <= highest)) return unscored('score out of range', String(value));
  const names = [...new Set(readings.flatMap(({ metrics = {} }) => Object.keys(metrics)))];
  const metrics = names.map((name) => [
    name,
    meanOf(readings.flatMap((reading) => reading.metrics?.[name] ?? [])),
  ]);
  const entries = readings.flatMap(({ entry }) => (entry ? [entry] : []));
  const counts = readings.flatMap((reading) => (reading.counts ? [reading.counts] : []));
  return {
    type: 'scored',
    value,
    ...(reader.isGraded && { isRight: null }),
    extracted: columns.prediction,
    compared: { got: String(value), want: String(highest) },
    ...(metrics.length > 0 && { metrics: Object.fromEntries(metrics) }),
    ...(entries.length > 0 && { cell: JSON.stringify(entries) }),
    ...(counts.length > 0 && { counts: sumOf(counts) }),
  };
}

function sumOf(lists: readonly (readonly number[])[]): number[] {
  const [first = []] = lists;
  return first.map((_, index) => lists.reduce((sum, list) => sum + (list[index] ?? 0), 0));
}
