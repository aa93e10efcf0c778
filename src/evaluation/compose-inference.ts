import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { PositionedRow } from '../prompt/trace.ts';
import type { RowExpansion } from '../score/circular/circular.ts';
import { combineSamples } from '../score/repeats/combine-samples.ts';
import { voteAnswers } from '../score/repeats/vote.ts';
import type { RowScore } from '../score/scorer.ts';
import type {
  AskedRow,
  CombinedRow,
  CompositeInference,
  Inference,
  ScoredPart,
  SingleInference,
} from './inference.ts';
import { repeatInference } from './samples.ts';

/** How often, and in which forms, each row is asked. */
export interface RowRepeats {
  /** How many answers an SCInferencer votes among. */
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

/** The inference of a task whose rows are asked several times; as it is where they are not. */
export function composeInference(inference: Inference, repeats: RowRepeats): Inference {
  const { voters, samples = 1, expansion, outputColumn, source } = repeats;
  const combine = combineRepeats(repeats);
  if (!combine) return inference;
  if (inference.type !== 'single') throw tooManyWays(source);
  if (expansion) return expandInference(inference, { expansion, outputColumn, combine });
  return repeatInference(inference, { count: voters ?? samples, outputColumn, combine });
}

/** How the answers to a row that is asked several times become one; nothing if it is asked once. */
export function combineRepeats(repeats: RowRepeats): Combine | undefined {
  const { voters, samples = 1, k = [], expansion, source } = repeats;
  const ways = [voters !== undefined, samples > 1, expansion !== undefined].filter(Boolean).length;
  if (ways === 0) return undefined;
  if (ways > 1) throw tooManyWays(source);
  if (expansion) {
    return (parts) => ({ score: expansion.combine(scoresOf(parts)), text: parts[0]?.text ?? '' });
  }
  if (voters !== undefined) return voteOf;
  return (parts, { id }) => {
    const score = combineSamples(scoresOf(parts), { k, key: id });
    return { score, text: textOf(parts, score) };
  };
}

const scoresOf = (parts: readonly ScoredPart[]): RowScore[] => parts.map(({ score }) => score);

/** The answer that most samples agree on, and its score. */
function voteOf(parts: readonly ScoredPart[]): CombinedRow {
  const combined = combineSamples(scoresOf(parts), { k: [parts.length] });
  const answers = parts.flatMap(({ score }) =>
    score.type === 'scored' ? [score.compared.got] : [],
  );
  const { winner, votes } = voteAnswers(answers);
  const won = parts.find(({ score }) => score.type === 'scored' && score.compared.got === winner);
  if (won?.score.type !== 'scored' || combined.type !== 'scored') {
    return { score: combined, text: parts[0]?.text ?? '' };
  }
  const share = (votes[0]?.votes ?? 0) / parts.length;
  return {
    score: {
      ...won.score,
      metrics: { ...combined.metrics, ...won.score.metrics, agreement: share },
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
      ...make({ ...whole, row }),
      kind: 'order' as const,
      name: index + 1,
      followsAnswers: false,
      row,
      gold: outputColumn === undefined ? undefined : row[outputColumn],
    }));
  return {
    type: 'composite',
    identityOf: (query) =>
      JSON.stringify(
        expansion.expandRow(query.row).map((row) => {
          const { request } = ask({ ...query, row });
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
    `${formatPath(source)} asks its rows several times in more than one way`,
    {
      path: source,
      hint: 'Keep one of `n`, `eval_cfg.circular`, an SCInferencer and a multi-turn template.',
    },
  );
}
