import { JudgeError, TypecaseError } from '../../src/errors.ts';
import { chatApiFormat } from '../../src/prompt/format.ts';
import type { Row } from '../../src/prompt/values.ts';
import type { CompileOptions, ScorerConfig } from '../../src/score/build-scorer.ts';
import { circular } from '../../src/score/circular/circular.ts';
import { compileScorer } from '../../src/score/compile-scorer.ts';
import { isNoLabel } from '../../src/score/create-scorer.ts';
import { looserEvaluator, withLooser } from '../../src/score/looser-reading.ts';
import { prepareScorer } from '../../src/score/open-scorer.ts';
import { measureText } from '../../src/score/perplexity-scorer.ts';
import { combineSamples, elect } from '../../src/score/repeats/combine-samples.ts';
import { joinTurns, pooledOverTurns } from '../../src/score/repeats/pool-turns.ts';
import {
  type CountedRow,
  cellOfRow,
  joinRounds,
  meanOfRounds,
} from '../../src/score/repeats/rounds.ts';
import { isMeasured, isScoredWithLast, rowTraits } from '../../src/score/row-score.ts';
import type {
  DatasetMetric,
  JudgeReply,
  RowScore,
  Scored,
  ScoreInput,
  Scorer,
} from '../../src/score/scorer.ts';
import { splitAnswer } from '../../src/score/split-thought.ts';

/** An answer with its gold answer, and what else is known of it. */
type Case = readonly [
  answer: string,
  gold: unknown,
  more?: Partial<Omit<ScoreInput, 'answer' | 'gold'>> & {
    readonly labels?: readonly unknown[];
    /** What the judge says, one after the other. */
    readonly says?: readonly Said[];
    readonly isVerbatim?: true;
  },
];

/** What a judge says, or how it fails. */
type Said =
  | string
  | Partial<JudgeReply>
  | { readonly fails: string; readonly endsRun?: boolean; readonly isOther?: boolean };

type Settings = Parameters<typeof circular>[0];

/** Something that is scored or measured, with its settings. */
export type Scoring =
  | readonly ['rows', config: ScorerConfig, cases: readonly Case[], options?: Options]
  | readonly ['samples', scores: readonly RowScore[], settings: { readonly k: readonly number[] }]
  | readonly ['rounds', rows: readonly (CountedRow & { readonly score: number })[], rounds?: number]
  | readonly ['circular', row: Row, settings: Settings, scores?: readonly RowScore[]]
  | readonly ['measured', texts: readonly Parameters<typeof measureText>[0][]];

interface Options extends Pick<CompileOptions, 'openings' | 'asOriginal' | 'onlyJudge'> {
  /** A judge that is sent chats. */
  readonly chats?: boolean;
}

/** Functions that configs name as `fn:…`, for JSON has none. */
const functions: Readonly<Record<string, (answer: string, input: never) => unknown>> = {
  half: () => 0.5,
  length: (answer) => answer.length / 10,
  late: async (answer) => answer === 'yes',
  throws: () => {
    // Where it is thrown is said with the line, which changes here.
    throw Object.assign(new Error('not today'), { stack: '' });
  },
  nothing: () => null,
  text: () => 'good',
  list: () => [1],
  date: () => new Date(0),
  upper: (answer) => answer.toUpperCase(),
  object: (answer) => ({ said: answer }),
  told: () => ({ score: 0.25, reason: 'so so', metrics: { brevity: 0.75 } }),
  failed: () => ({ score: 0.9, pass: false }),
  passed: () => ({ pass: true }),
  nopass: () => ({ pass: 'yes', score: 1 }),
  slip: () => ({ score: 1, reasn: 'typo' }),
  slips: (answer) => ({ pass: true, score: 1, [answer]: 1, reason: '' }),
  slipOfScore: () => ({ pass: true, scor: 1 }),
  slipOfPass: () => ({ score: 1, pas: false, metrcs: {} }),
  slipOfMetrics: () => ({ score: 0, pass: false, reason: '', metrcs: {} }),
  bounds: () => ({ score: 0, pass: false, metrics: { least: 0, most: 1 } }),
  wide: () => ({ score: 1, metrics: { size: 2 } }),
  input: (_, input) => {
    const { gold: __, ...given } = input as Record<string, unknown>;
    const reason = JSON.stringify(given);
    return { score: 0, pass: false, reason };
  },
};

function withFunctions(value: unknown): unknown {
  if (typeof value === 'string' && value.startsWith('fn:')) return functions[value.slice(3)];
  if (Array.isArray(value)) return value.map(withFunctions);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withFunctions(one)]));
}

const { signal } = new AbortController();

async function scoreRows(
  written: ScorerConfig,
  cases: readonly Case[],
  { chats, ...options }: Options = {},
): Promise<unknown> {
  const config = withFunctions(written) as ScorerConfig;
  const asked: unknown[] = [];
  let replies: Said[] = [];
  const notes = await prepareScorer(config);
  const scorer = compileScorer(config, {
    source: ['datasets', 0],
    judgeNamed: (name) => ({
      name,
      ...(chats && { format: chatApiFormat }),
      async ask(prompt) {
        asked.push(prompt.type === 'text' ? prompt.text : prompt.messages);
        const reply = replies.shift();
        if (reply === undefined) throw new Error('nobody asked for this');
        if (typeof reply !== 'string' && 'fails' in reply) throw failure(reply);
        const said = typeof reply === 'string' ? { text: reply } : reply;
        return { text: '', asked: { key: `${name} ${asked.length}` }, ...said };
      },
    }),
    embedWith: (embedder) =>
      embedder && (async (texts) => texts.map((text) => Float32Array.from(lettersOf(text)))),
    ...options,
  });
  const scores: RowScore[] = [];
  const rows: unknown[] = [];
  for (const [text, gold, { says = [], labels, isVerbatim, ...more } = {}] of cases) {
    replies = [...says];
    asked.length = 0;
    const split = splitAnswer(text);
    const answer = isVerbatim ? { raw: text, answer: text, isVerbatim } : split;
    const row = more.row ?? {};
    const input: ScoreInput = { answer, gold, ...more, row };
    const found = await tried(() => scorer.scoreLater?.(input, signal) ?? scorer.score(input));
    const score = found as RowScore;
    const isScore = 'type' in score;
    if (isScore) scores.push(score);
    const looser = isScore ? withLooser(scorer, input, score) : score;
    const extracted = 'extracted' in score ? score.extracted : undefined;
    rows.push({
      score: looser,
      reads: looserEvaluator(gold, extracted),
      ...(looser === score && { isStrict: true }),
      isLast: isScore && isScoredWithLast(score),
      asked: [...asked],
      judge: scorer.judge?.requestsFor(input),
      media: scorer.judge?.mediaOf(row),
      judges: scorer.judgesOf?.(row),
      withRows: scorer.withRows && (await tried(() => asksOf(scorer, input))),
      names: scorer.namesIn && (await tried(() => scorer.namesIn?.(row))),
      fault: await tried(() => scorer.goldFault?.(gold, row)),
      noLabel: labels && isNoLabel(scorer, { gold, row, labels }),
      ofNothing: [scorer, pooledOverTurns(scorer)].map(({ ofNothing }) => ofNothing?.(gold)),
    });
  }
  return { notes, scorer: traitsOf(scorer), rows, measures: measuresOf(scorer, scores) };
}

/** Whom a scorer asks that knows its rows. */
function asksOf(scorer: Scorer, input: ScoreInput): unknown {
  const { judge } = scorer.withRows?.([{ id: 0, row: input.row }]) ?? {};
  return judge && [judge.name, judge.others, judge.requestsFor(input), judge.mediaOf(input.row)];
}

function failure({ fails, endsRun = false, isOther }: Extract<Said, { fails: string }>): Error {
  return isOther ? new Error(fails) : new JudgeError('model.refused', fails, { endsRun });
}

/** What a step gives, or the code of what it throws. */
async function tried(step: () => unknown): Promise<unknown> {
  try {
    return await step();
  } catch (error) {
    if (TypecaseError.isInstance(error)) return { code: error.code, message: error.message };
    return { error: String(error) };
  }
}

function lettersOf(text: string): number[] {
  return [...'abcdefgh'].map((letter) => text.toLowerCase().split(letter).length - 1);
}

function traitsOf(scorer: Scorer): unknown {
  const { metric, direction, range, by, columns, readsFacts, isGraded, ofWhole } = scorer;
  const traits = scorer.traits?.map(({ name, direction, range, isGraded }) => ({
    ...{ name, direction, range, isGraded },
  }));
  const { datasetMetrics = [], judge, meanName, signature } = scorer;
  const { isInTurns } = pooledOverTurns(scorer);
  const measures = datasetMetrics.map(({ measure: _, ...more }) => more);
  const { mediaOf: _, requestsFor: __, ...asks } = judge ?? {};
  const more = scorer.measuresMore && ['a', 'function/b', 'half/c'].map(scorer.measuresMore);
  return {
    ...{ metric, direction, range, traits, by, columns, readsFacts, isGraded, ofWhole },
    ...{
      isInTurns,
      meanName,
      signature,
      measures,
      more,
      judge: judge && asks,
      row: Object.entries(rowTraits(scorer)).filter(([, one]) => typeof one !== 'function'),
    },
    isMeasured: ['pass@2', 'all_turns', 'turn_1', 'x'].filter((one) => isMeasured(one, scorer)),
    isSame:
      scorer.isSame &&
      [
        ['1', '1.0'],
        ['a', 'b'],
        ['7', '7.5'],
      ].map(([a = '', b = '']) => scorer.isSame?.(a, b)),
  };
}

/** The measures of all rows, of samples and of turns. */
function measuresOf(scorer: Scorer, scores: readonly RowScore[]): unknown {
  const scored = scores.filter((score) => score.type === 'scored');
  const inTurns = pooledOverTurns(scorer).datasetMetrics ?? [];
  const half = Math.ceil(scored.length / 2);
  const turns = [scored.slice(0, half), scored.slice(half)].map(joinTurns);
  return (scorer.datasetMetrics ?? []).map((metric, place) => {
    const ofTurns = inTurns[place];
    return {
      plain: measured(metric, scored),
      rounds: measured(meanOfRounds(metric, scores.length), [joinRounds(scores)]),
      turns: ofTurns && measured(ofTurns, turns),
    };
  });
}

function measured(metric: DatasetMetric, rows: readonly Pick<Scored, 'cell' | 'counts'>[]) {
  if (metric.type === 'sums') {
    const counts = rows.flatMap((row) => (row.counts ? [row.counts] : []));
    const [first = []] = counts;
    return metric.measure(
      first.map((_, at) => counts.reduce((sum, one) => sum + (one[at] ?? 0), 0)),
    );
  }
  const cells = rows.flatMap(({ cell }) => cell ?? []);
  const kinds = [...new Set(cells)].sort();
  return metric.measure(kinds)(kinds.map((kind) => cells.filter((one) => one === kind).length));
}

function combine(
  scores: readonly RowScore[],
  settings: { readonly k: readonly number[] },
): unknown {
  const close = (one: string, other: string) => Number(one) === Number(other);
  const ties = ['first', 'share', 'wrong'] as const;
  return [
    ...ties.map((rule) => combineSamples(scores, { ...settings, ties: rule, seed: 1, key: 'row' })),
    combineSamples(scores, { ...settings, isSame: close }),
    [elect(scores), elect(scores, close)],
  ];
}

function rounds(
  rows: readonly (CountedRow & { readonly score: number })[],
  count?: number,
): unknown {
  const ofNothing = (gold: unknown) =>
    gold === 'none' ? undefined : { cell: JSON.stringify([gold, '']), counts: [0, 1, 4] };
  return (['mean', 'cells', 'sums'] as const).map((type) => {
    const filled = rows.map((row) => cellOfRow(row, { type, ofNothing, rounds: count }));
    const plain = rows.map((row) => cellOfRow(row, { type, rounds: count }));
    return [filled, plain];
  });
}

function reordered(row: Row, settings: Settings, scores: readonly RowScore[] = []): unknown {
  const { expandRow, combine } = circular(settings);
  return [expandRow(row), combine(scores)];
}

function sumsOf(texts: readonly Parameters<typeof measureText>[0][]): unknown {
  const { score, datasetMetrics = [] } = compileScorer({
    evaluator: { type: 'AveragePPLEvaluator' },
  });
  const rows = texts.map((text) => {
    const answer = { raw: '', answer: '' };
    return score({ answer, gold: undefined, row: {}, measures: measureText(text) });
  });
  const scored = rows.filter((one) => one.type === 'scored');
  return [rows, datasetMetrics.map((metric) => measured(metric, scored))];
}

/** All that comes of it, or with what it is refused. */
export async function find([kind, ...given]: Scoring): Promise<unknown> {
  const steps = {
    rows: scoreRows,
    samples: combine,
    rounds,
    circular: reordered,
    measured: sumsOf,
  };
  try {
    return await (steps[kind] as (...given: unknown[]) => unknown)(...given);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) return { error: String(error) };
    const { code, message, path, hint } = error;
    return { code, message, path, hint };
  }
}
