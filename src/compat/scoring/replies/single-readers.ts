import { literalEval } from '../../../python/literal.ts';
import { pyStr } from '../../../python/repr.ts';
import { stripText } from '../../../python/text.ts';
import { isList, listItems } from '../../../python/values.ts';
import { stripCharacters } from '../cleaners/cleaner.ts';
import {
  type Entry,
  meanOf,
  meanOfMeans,
  measureOfEntries,
  memberOf,
  partsOf,
  type Reading,
  type ReplyReader,
  share,
  weightedMean,
} from './reply-reader.ts';

const grades = { direction: 'higher', range: [0, 10], isGraded: true } as const;

/** A number that a pattern finds, with means of the parts that members of the gold answer name. */
function numberReader(
  pattern: RegExp,
  {
    metric = 'score',
    parts = [],
    worth = (number) => number,
    ...traits
  }: Partial<Pick<ReplyReader, 'metric' | 'direction' | 'range' | 'isGraded'>> & {
    readonly parts?: readonly string[];
    readonly worth?: (number: number) => number;
  },
): ReplyReader {
  return {
    ...share,
    ...traits,
    metric,
    measuresMore: () => true,
    read(reply, { gold }) {
      const found = pattern.exec(reply)?.[1];
      const number = found === undefined ? Number.NaN : Number(found);
      if (Number.isNaN(number)) return undefined;
      const value = worth(number);
      return {
        value,
        metrics: partsOf(
          value,
          parts.map((part) => memberOf(gold, part)),
        ),
      };
    },
  };
}

/** The last number in two brackets that lies in a range. */
function lastInBrackets(reply: string, [lowest, highest]: readonly [number, number]) {
  return [...reply.matchAll(/\[\[\s*(\d+)\s*\]\]/g)]
    .map(([, digits]) => Number(digits))
    .findLast((number) => number >= lowest && number <= highest);
}

/** Right, wrong or not tried: the share of what was tried that is right, and its mean with all. */
const attempts = {
  datasetMetrics: [
    {
      name: 'accuracy_given_attempted',
      ...share,
      type: 'sums',
      measure: (sums: ArrayLike<number>) => shareOfTried(sums),
    },
    {
      name: 'f1',
      ...share,
      type: 'sums',
      measure(sums: ArrayLike<number>) {
        const [tried, all] = [shareOfTried(sums), (sums[0] ?? 0) / (sums[2] ?? 1)];
        return tried + all === 0 ? 0 : (2 * tried * all) / (tried + all);
      },
    },
  ],
  read(reply: string): Reading | undefined {
    const letter = /[ABC]/.exec(reply)?.[0];
    if (letter === undefined) return undefined;
    const value = Number(letter === 'A');
    return { value, counts: [value, Number(letter !== 'C'), 1] };
  },
} as const;

function shareOfTried(sums: ArrayLike<number>): number {
  return sums[1] ? (sums[0] ?? 0) / sums[1] : 0;
}

const simpleQuestions: ReplyReader = { ...share, ...attempts, metric: 'accuracy' };

/** Evaluations of one answer, by the names of the functions that read replies. */
export const singleReaders: Readonly<Record<string, ReplyReader>> = {
  mtbench_postprocess: numberReader(/Rating:\s*\[\[([\d.]+)\]\]/u, {
    ...grades,
    parts: ['capability'],
  }),
  mtbench101_postprocess: {
    ...grades,
    metric: 'avg',
    meanName: 'score',
    datasetMetrics: [measureOfEntries({ name: 'avg', ...grades }, worstOfDialogues)],
    read(reply, { gold }) {
      const found = /\[([0-9]+)\]/.exec(reply)?.[1];
      if (found === undefined) return undefined;
      const value = Number(found);
      const entry = [memberOf(gold, 'task') ?? '', memberOf(gold, 'multi_id') ?? '', value];
      return { value, entry };
    },
  },
  alignbench_postprocess: {
    ...grades,
    metric: '总分',
    meanName: 'score',
    measuresMore: () => true,
    datasetMetrics: [measureOfEntries({ name: '总分', ...grades }, alignmentScore)],
    read(reply, { gold }) {
      const value = alignmentRating(reply);
      const capability = memberOf(gold, 'capability');
      if (value === undefined) return undefined;
      return { value, entry: [capability ?? '', value], metrics: partsOf(value, [capability]) };
    },
  },
  fofo_postprocess: {
    ...share,
    metric: 'overall',
    measuresMore: () => true,
    read(reply, { gold }) {
      const found = /["']format_correctness["']:\s*([01])(?![01])/.exec(reply)?.[1];
      if (found === undefined) return undefined;
      const isGeneral = memberOf(gold, 'format_type') === 'general';
      const parts = [memberOf(gold, 'domain'), isGeneral ? memberOf(gold, 'format') : undefined];
      return { value: Number(found), metrics: partsOf(Number(found), parts) };
    },
  },
  followbench_postprocess: {
    ...share,
    metric: 'HSR_AVG',
    meanName: 'hard',
    measuresMore: () => true,
    datasetMetrics: [
      measureOfEntries({ name: 'HSR_AVG', ...share }, (all) => meanOfLevels(all, 1)),
      measureOfEntries({ name: 'SSR_AVG', ...share }, (all) => meanOfLevels(all, 2)),
    ],
    read(reply, { gold }) {
      const level = Number(memberOf(gold, 'level') ?? Number.NaN);
      const followed = followedOf(reply, level);
      if (followed === undefined) return undefined;
      const hard = Number(followed === level);
      const soft = followed / level;
      return {
        value: hard,
        entry: [level, hard, soft],
        metrics: { [`HSR_L${level}`]: hard, [`SSR_L${level}`]: soft },
      };
    },
  },
  writingbench_postprocess: numberReader(/["']score["']:\s*([0-9]+)/, {
    ...grades,
    metric: 'overall',
    parts: ['domain1'],
  }),
  compassarena_subjectiveeval_pointwise_postprocess: {
    ...share,
    metric: 'Average_score',
    measuresMore: () => true,
    read(reply, { gold }) {
      const found = /\[\[(\d+)分\]\]/.exec(reply)?.[1];
      if (found === undefined) return undefined;
      // From 1 to 5 there, and times 20.
      const value = Number(found) / 5;
      return { value, metrics: partsOf(value, [categoryOf(gold)]) };
    },
  },
  elbench_safety_postprocess: {
    ...share,
    metric: 'overall',
    read(reply) {
      const written = /(?:score|评分|得分|分数)["']?\s*[:：]\s*([01])/iu.exec(reply)?.[1];
      const value = lastInBrackets(reply, [0, 1]) ?? (written && Number(written));
      return typeof value === 'number' ? { value } : undefined;
    },
  },
  elbench_highlevel_edu_postprocess: {
    ...grades,
    metric: 'score',
    read(reply) {
      const value = lastInBrackets(reply, [1, 10]);
      return value === undefined ? undefined : { value };
    },
  },
  chem_exam_score_llmjudge_postprocess: {
    ...share,
    metric: 'final_score',
    read(reply) {
      const pattern = /(?:<NUMBER>\s*|\\boxed\{)\s*(-?\d*\.?\d+)\s*(?:<\/NUMBER>|\})/g;
      const last = [...reply.matchAll(pattern)].at(-1)?.[1];
      return last === undefined ? undefined : { value: Number(last) };
    },
  },
  livereasonbench_postprocess: {
    ...share,
    ...attempts,
    metric: 'accuracy_given_attempted',
    meanName: 'correct',
  },
  simpleqa_postprocess: simpleQuestions,
  csimpleqa_postprocess: simpleQuestions,
  numerical_llmjudge_postprocess: {
    direction: 'lower',
    range: [0, Number.POSITIVE_INFINITY],
    metric: 'mae',
    read(reply, { gold }) {
      const found = /[-+]?\d*\.\d+|\d+\.\d*|\d+/.exec(reply)?.[0];
      const wanted = Number(gold ?? 0);
      if (found === undefined || Number.isNaN(wanted)) return undefined;
      return { value: Math.abs(Number(found) - wanted) };
    },
  },
  eese_score_postprocess_dict: numberReader(/(?<!\d)(\d+)(?!\d)/, {
    metric: 'overall_score',
    worth: (points) => points / 10,
  }),
  clbench_llmjudge_postprocess: {
    ...share,
    metric: 'accuracy',
    measuresMore: () => true,
    read(reply, { row }) {
      const found =
        /"?Overall Score"?\s*:\s*"?([01])\b/i.exec(reply)?.[1] ??
        /\b([01])\s*points?\b/i.exec(reply)?.[1];
      if (found === undefined) return undefined;
      const category = row.context_category ?? memberOf(row.metadata, 'context_category');
      const parts = typeof category === 'string' ? [category] : [];
      return { value: Number(found), metrics: partsOf(Number(found), parts) };
    },
  },
  aa_lcr_llmjudge_postprocess: {
    ...share,
    metric: 'accuracy',
    measuresMore: () => true,
    read(reply, { row }) {
      const said = /\bINCORRECT\b/i.exec(reply) ?? /\bCORRECT\b/i.exec(reply);
      if (!said) return undefined;
      const value = Number(said[0].toUpperCase() === 'CORRECT');
      const category = String(row.document_category ?? '').replace(/\W+/g, '_');
      const part = category === '' ? undefined : `accuracy_${category.replace(/^_|_$/g, '')}`;
      return { value, metrics: partsOf(value, [part]) };
    },
  },
  inverse_ifeval_judge_postprocess: {
    ...share,
    metric: 'accuracy',
    measuresMore: () => true,
    read(reply, { row }) {
      const found =
        /"answer_score"\s*:\s*"?([01])\b/.exec(reply) ??
        /answer_score\s*[:：]\s*"?([01])/u.exec(reply) ??
        /评分】?\s*[:：]\s*([01])\s*分/u.exec(reply);
      if (!found) return undefined;
      const value = Number(found[1]);
      const parts = [row.language, row.instruction_types].map((part) =>
        typeof part === 'string' && part !== '' ? `${part}_accuracy` : undefined,
      );
      return { value, metrics: partsOf(value, parts) };
    },
  },
  peer_llm_judge_postprocess: {
    ...share,
    metric: 'accuracy',
    read(reply) {
      if (/TRUE/i.test(reply)) return { value: 1 };
      return /FALSE/i.test(reply) ? { value: 0 } : undefined;
    },
  },
};

/** The part of CompassArena's subjective bench that a row belongs to. */
export function categoryOf(gold: unknown): string | undefined {
  const category = memberOf(gold, 'category');
  return category === undefined ? undefined : `${category}_${memberOf(gold, 'difficulty') ?? ''}`;
}

type Counted = readonly (readonly [entry: Entry, count: number])[];

/** A dialogue is as good as its worst turn; tasks count alike. */
function worstOfDialogues(entries: Counted): number {
  const worst = new Map<string, { task: Entry[0]; score: number; count: number }>();
  for (const [[task = '', dialogue = '', score = 0], count] of entries) {
    const key = JSON.stringify([task, dialogue]);
    const known = worst.get(key);
    worst.set(key, {
      task,
      score: Math.min(known?.score ?? Number.POSITIVE_INFINITY, Number(score)),
      count: Math.max(known?.count ?? 0, count),
    });
  }
  return meanOfMeans([...worst.values()].map(({ task, score, count }) => [task, score, count]));
}

function meanOfLevels(entries: Counted, place: 1 | 2): number {
  const levels = [1, 2, 3, 4, 5].map((level) =>
    weightedMean(
      entries
        .filter(([entry]) => entry[0] === level)
        .map(([entry, count]) => [Number(entry[place]), count]),
    ),
  );
  return meanOf(levels);
}

/** How many of the demands a reply says are met: a word for one, a list of words for several. */
function followedOf(reply: string, level: number): number | undefined {
  const last = stripText(stripCharacters(reply, '`')).split('\n').at(-1) ?? '';
  if (level === 1) {
    if (last.includes('YES')) return 1;
    return last.includes('NO') ? 0 : undefined;
  }
  const list = /\[.*\]/.exec(last)?.[0];
  const words = list === undefined ? undefined : wordsOf(list);
  if (words?.length !== level) return undefined;
  const isKnown = words.every((word) => met.includes(word) || unmet.includes(word));
  return isKnown ? words.filter((word) => met.includes(word)).length : undefined;
}

const met = ['YES', 'True'];
const unmet = ['NO', 'False', 'PARTIAL', 'MAYBE', 'UNKNOWN', 'N/A'];

/** The texts of a list as Python writes it. */
function wordsOf(list: string): string[] | undefined {
  const { value = null } = literalEval(list) ?? {};
  return isList(value) ? listItems(value).map((item) => pyStr(item)) : undefined;
}

/** The two halves of AlignBench, each a mean of its capabilities. */
const capabilities = [
  ['数学计算', '逻辑推理'],
  ['基本任务', '中文理解', '综合问答', '文本写作', '角色扮演', '专业能力'],
];

/** Capabilities that no row has count as 0, as they do there. */
function alignmentScore(entries: Counted): number {
  const meanFor = (capability: string) =>
    weightedMean(
      entries
        .filter(([entry]) => entry[0] === capability)
        .map(([entry, count]) => [Number(entry[1]), count]),
    );
  return meanOf(capabilities.map((names) => meanOf(names.map(meanFor))));
}

const overall = '综合得分';
const dimensions = [
  '事实正确性',
  '满足用户需求',
  '安全无害',
  '清晰度',
  '逻辑性',
  '完备性',
  '创造性',
  '可负责程度',
  '逻辑连贯性',
  '公平与可负责程度',
  '丰富度',
  overall,
];
/** The dimensions of each kind of question, told by two of them. */
const kinds = [
  { told: ['清晰度', '完备性'], all: ['事实正确性', '满足用户需求', '清晰度', '完备性'] },
  { told: ['完备性', '逻辑连贯性'], all: ['事实正确性', '满足用户需求', '逻辑连贯性', '完备性'] },
  {
    told: ['创造性', '丰富度'],
    all: ['事实正确性', '满足用户需求', '逻辑连贯性', '创造性', '丰富度'],
  },
  {
    told: ['创造性', '公平与可负责程度'],
    all: ['事实正确性', '满足用户需求', '公平与可负责程度', '创造性'],
  },
];

/** The grade for the whole, if all grades of the reply are on the scale. */
function alignmentRating(reply: string): number | undefined {
  const ratings = ratingsOf(reply);
  const score = ratings?.get(overall);
  if (!ratings || score === undefined) return undefined;
  const isValid = [...ratings].every(
    ([name, grade]) => dimensions.includes(name) && grade !== undefined && grade <= 10,
  );
  return isValid ? score : undefined;
}

/** The grades in the last braces; without braces, those in the lines of the dimensions. */
function ratingsOf(reply: string): ReadonlyMap<string, number | undefined> | undefined {
  const written = /\{([^\n]*?)\}(?![^{]*\{)/.exec(reply)?.[1];
  if (written !== undefined) {
    return new Map(
      [...written.matchAll(/'(.*?)': (\d+)/g)].map(([, name = '', grade]) => [name, Number(grade)]),
    );
  }
  const kind = kinds.find(({ told }) => told.every((name) => reply.includes(name)));
  const last = [...reply.matchAll(/\d{1,2}/g)].at(-1)?.[0];
  if (!kind || last === undefined) return undefined;
  const found = kind.all.map((name) => [name, gradeInLine(reply, name)] as const);
  return new Map([...found, [overall, Number(last)]]);
}

function gradeInLine(reply: string, name: string): number | undefined {
  const lines = [...reply.matchAll(new RegExp(`${name}[^\\n]*?\\n`, 'gu'))].map(([line]) => line);
  const line = lines.findLast((one) => /\d{1,2}/.test(one));
  const grade = line && [...line.matchAll(/\d{1,2}/g)].at(-1)?.[0];
  return grade === undefined ? undefined : Number(grade);
}
