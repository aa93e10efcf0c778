import type { Compat } from '../compat/compat.ts';
import type { EvalConfig } from '../config/config.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import { circular, type RowExpansion } from '../score/circular/circular.ts';
import { combineSamples, elect } from '../score/repeats/combine-samples.ts';
import type { RowScore, Scorer } from '../score/scorer.ts';
import { goldOf } from './evaluation.ts';
import type {
  AskedRow,
  CombinedRow,
  CompositeInference,
  Inference,
  ScoredPart,
  SingleInference,
} from './inference.ts';
import { turnCombiner, turnsAsked } from './multi-turn/combine-turns.ts';
import { isDialogue } from './task-prompts.ts';

/** As much of a dataset's config as says how often its rows are asked; a run keeps it. */
export interface RepeatedDataset {
  readonly n?: number | undefined;
  readonly k?: readonly number[] | undefined;
  readonly evalCfg?: EvalConfig | undefined;
  readonly readerCfg?: { readonly outputColumn?: string | undefined } | undefined;
  readonly inferCfg?:
    | {
        readonly inferencer?:
          | {
              readonly type?: string | undefined;
              readonly scSize?: number | undefined;
              readonly inferMode?: string | undefined;
            }
          | undefined;
        readonly promptTemplate?:
          | { readonly config?: { readonly type?: string | undefined } | undefined }
          | undefined;
      }
    | undefined;
  readonly source?: ConfigPath | undefined;
}

/** How often, and in which forms, each row is asked. */
interface RowRepeats {
  /** How many answers SCInferencer takes a vote of. */
  readonly voters?: number | undefined;
  /** How many samples are scored, */
  readonly samples?: number | undefined;
  /** and for which numbers of them `pass@k` and the like are worked out. */
  readonly k?: readonly number[] | undefined;
  /** Asks rows in place of a row: its options in other orders. */
  readonly expansion?: RowExpansion | undefined;
  readonly outputColumn: string | undefined;
  readonly source: ConfigPath;
}

type Combine = CompositeInference['combine'];

/** What tells answers apart that vote. */
type Voting = Pick<Scorer, 'isSame'>;

export interface RepeatSetup {
  readonly scorer: Voting;
  /** The seed of the first sample; later ones count on from it. */
  readonly seed: number;
}

/** How often, and in which orders of its options, a row is asked. */
function repeatsOf(dataset: RepeatedDataset): RowRepeats {
  const { n, k, inferCfg, readerCfg, source = [] } = dataset;
  const { type, scSize } = inferCfg?.inferencer ?? {};
  return {
    voters: type === 'SCInferencer' ? (scSize ?? 1) : undefined,
    samples: n,
    k: k ?? (n === undefined ? undefined : [...new Set([1, n])]),
    expansion: expansionOf(dataset),
    outputColumn: readerCfg?.outputColumn,
    source,
  };
}

function expansionOf({
  evalCfg,
  readerCfg,
  source = [],
}: RepeatedDataset): RowExpansion | undefined {
  if (evalCfg?.circular === undefined) return undefined;
  const textColumns = textsOf(evalCfg.evaluator.text_columns, (column) => [column]);
  const labels = textsOf(evalCfg.evaluator.options, (letters) => [...letters]);
  const goldColumn = readerCfg?.outputColumn;
  if (!textColumns || goldColumn === undefined) {
    const path = [...source, 'eval_cfg', 'circular'];
    throw new ConfigError(
      'config.missing_key',
      `${formatPath(path)} needs to know which columns have the options and the gold answer`,
      {
        path,
        hint: 'Give `reader_cfg` an `output_column`, and the evaluator `text_columns: [A, B, C, D]`.',
      },
    );
  }
  return circular({
    orders: evalCfg.circular,
    textColumns,
    goldColumn,
    ...(labels && { labels }),
  });
}

/** A list of texts, which may be written as one text. */
function textsOf(
  value: unknown,
  split: (text: string) => readonly string[],
): readonly string[] | undefined {
  if (typeof value === 'string') return split(value);
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
    ? value
    : undefined;
}

/** The inference of a task whose rows are asked several times; as it is where they are not. */
export function repeatInference(
  inference: Inference,
  dataset: RepeatedDataset,
  { scorer, seed }: RepeatSetup,
): Inference {
  const repeats = repeatsOf(dataset);
  const { voters, samples = 1, expansion, outputColumn, source } = repeats;
  const combine = combineRepeats(repeats, scorer);
  if (!combine) return inference;
  if (inference.type !== 'single') throw tooManyWays(source);
  if (expansion) return expandInference(inference, { expansion, outputColumn, combine });
  return sampleInference(inference, { count: voters ?? samples, seed, outputColumn, combine });
}

/** How the scores of a row's parts become one; nothing for a dataset whose rows have one part. */
export function combineParts(
  dataset: RepeatedDataset,
  { compat, scorer }: { readonly compat: Compat | undefined; readonly scorer: Voting },
): Combine | undefined {
  const { inferCfg } = dataset;
  if (isDialogue({ compat, ...inferCfg })) return turnCombiner(inferCfg?.inferencer ?? {});
  return combineRepeats(repeatsOf(dataset), scorer);
}

/** What rows have beside their scores because they are asked several times. */
export function repeatMetrics(dataset: RepeatedDataset): readonly string[] {
  const { voters, samples = 1, k = [], expansion } = repeatsOf(dataset);
  if (expansion) return ['perf_orig', 'perf_circ'];
  const count = voters ?? samples;
  if (voters === undefined && samples < 2) return [];
  return [
    `avg@${count}`,
    ...(voters === undefined ? k : [voters]).flatMap((size) => [
      `pass@${size}`,
      `pass^${size}`,
      `cons@${size}`,
    ]),
    ...(voters === undefined ? [] : ['agreement']),
  ];
}

/** Which turns of a dialogue are asked and scored; nothing for other rows. */
export function scoredTurns(
  { inferCfg, evalCfg }: RepeatedDataset,
  compat: Compat | undefined,
): 'every' | 'last' | 'whole' | undefined {
  if (!isDialogue({ compat, ...inferCfg })) return undefined;
  const { turns, pack_all_predictions: isPacked }: Readonly<Record<string, unknown>> =
    evalCfg?.evaluator ?? {};
  return turns === 'last' || isPacked === true ? 'whole' : turnsAsked(inferCfg?.inferencer ?? {});
}

/** How the answers to a row that is asked several times become one; nothing if it is asked once. */
function combineRepeats(repeats: RowRepeats, { isSame }: Voting): Combine | undefined {
  const { voters, samples = 1, k = [], expansion, source } = repeats;
  const ways = [voters !== undefined, samples > 1, expansion !== undefined].filter(Boolean).length;
  if (ways === 0) return undefined;
  if (ways > 1) throw tooManyWays(source);
  if (expansion) {
    return (parts) => ({ score: expansion.combine(scoresOf(parts)), text: parts[0]?.text ?? '' });
  }
  if (voters !== undefined) return (parts) => voteOf(parts, isSame);
  return (parts, { id }) => {
    const score = combineSamples(scoresOf(parts), { k, key: id, isSame });
    return { score, text: textOf(parts, score) };
  };
}

const scoresOf = (parts: readonly ScoredPart[]): RowScore[] => parts.map(({ score }) => score);

/** The answer that most samples agree on, and its score. */
function voteOf(parts: readonly ScoredPart[], isSame: Voting['isSame']): CombinedRow {
  const combined = combineSamples(scoresOf(parts), { k: [parts.length], isSame });
  const { winner, votes } = elect(scoresOf(parts), isSame);
  const won = parts.find(({ score }) => score === winner);
  if (!winner || !won || combined.type !== 'scored') {
    return { score: combined, text: parts[0]?.text ?? '' };
  }
  const share = votes / parts.length;
  return {
    score: {
      ...winner,
      metrics: { ...combined.metrics, ...winner.metrics, agreement: share },
      samples: combined.samples,
    },
    text: won.text,
  };
}

function textOf(parts: readonly ScoredPart[], score: RowScore): string {
  const shown = parts.find(
    (part) =>
      score.type === 'scored' &&
      part.score.type === 'scored' &&
      part.score.compared.got === score.compared.got,
  );
  return (shown ?? parts[0])?.text ?? '';
}

interface SampleSettings extends Pick<RepeatSetup, 'seed'> {
  readonly count: number;
  readonly outputColumn: string | undefined;
  readonly combine: CompositeInference['combine'];
}

/** Asks each row several times, with seeds of their own, at once. */
function sampleInference(
  { ask, trace }: SingleInference,
  { count, seed, outputColumn, combine }: SampleSettings,
): CompositeInference {
  const partsOf = <Asked extends AskedRow>(asked: Asked, { row }: PositionedRow) => {
    const { request } = asked;
    const gold = goldOf({ outputColumn }, row);
    return Array.from({ length: count }, (_, index) => ({
      ...asked,
      kind: 'sample' as const,
      name: index + 1,
      followsAnswers: false,
      request: request.type === 'generate' ? { ...request, seed: seed + index } : request,
      row,
      gold,
    }));
  };
  return {
    type: 'composite',
    identityOf: (row) => {
      const { request } = ask(row);
      const asked = request.type === 'generate' ? request.prompt : request.texts;
      return JSON.stringify({ samples: count, asked });
    },
    next: (row, answers) => (answers.length === 0 ? partsOf(ask(row), row) : []),
    traceNext: (row, answers) => (answers.length === 0 ? partsOf(trace(row), row) : []),
    combine,
  };
}

interface ExpandSettings extends Pick<RowRepeats, 'outputColumn'> {
  readonly expansion: RowExpansion;
  readonly combine: Combine;
}

function expandInference(
  { ask, trace }: SingleInference,
  { expansion, outputColumn, combine }: ExpandSettings,
): CompositeInference {
  const partsOf = <Asked extends AskedRow>(
    whole: PositionedRow,
    make: (row: PositionedRow) => Asked,
  ) =>
    expansion.expandRow(whole.row).map((row, index) => ({
      ...make({ ...whole, row, own: whole.row }),
      kind: 'order' as const,
      name: index + 1,
      followsAnswers: false,
      row,
      gold: goldOf({ outputColumn }, row),
    }));
  return {
    type: 'composite',
    identityOf: (query) =>
      JSON.stringify(
        expansion.expandRow(query.row).map((row) => {
          const { request } = ask({ ...query, row, own: query.row });
          return request.type === 'generate' ? request.prompt : request.texts;
        }),
      ),
    next: (row, answers) => (answers.length > 0 ? [] : partsOf(row, ask)),
    traceNext: (row, answers) => (answers.length > 0 ? [] : partsOf(row, trace)),
    combine,
  };
}

function tooManyWays(source: ConfigPath): ConfigError {
  return new ConfigError(
    'config.conflicting_keys',
    `${formatPath(source)} combines several ways of asking each row more than once`,
    {
      path: source,
      hint: 'Keep one of `n`, `eval_cfg.circular`, an SCInferencer and a multi-turn template.',
    },
  );
}
