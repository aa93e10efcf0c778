import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import { combineSamples, type RowExpansion, type RowScore, voteAnswers } from '../score/index.ts';
import type {
  AnsweredPart,
  CombinedRow,
  CompositeInference,
  Inference,
  PartRequest,
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

/** The inference of a task whose rows are asked several times; as it is where they are not. */
export function composeInference(inference: Inference, repeats: RowRepeats): Inference {
  const { voters, samples = 1, k = [], expansion, outputColumn, source } = repeats;
  const ways = [voters !== undefined, samples > 1, expansion !== undefined].filter(Boolean).length;
  if (ways === 0) return inference;
  if (ways > 1 || inference.type !== 'single') throw tooManyWays(source);
  if (expansion) return expandInference(inference, { expansion, outputColumn });
  const count = voters ?? samples;
  const combine: CompositeInference['combine'] = voters
    ? (parts) => voteOf(parts)
    : (parts, { id }) => {
        const score = combineSamples(scoresOf(parts), { k, key: id });
        return { score, text: textOf(parts, score) };
      };
  return repeatInference(inference, { count, outputColumn, combine });
}

const scoresOf = (parts: readonly AnsweredPart[]): RowScore[] => parts.map(({ score }) => score);

/** The answer that most samples agree on, and its score. */
function voteOf(parts: readonly AnsweredPart[]): CombinedRow {
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

function textOf(parts: readonly AnsweredPart[], score: RowScore): string {
  const shown = parts.find(
    (part) =>
      score.type === 'scored' &&
      part.score.type === 'scored' &&
      part.score.compared.got === score.compared.got,
  );
  return (shown ?? parts[0])?.text ?? '';
}

function expandInference(
  { ask }: SingleInference,
  { expansion, outputColumn }: Pick<RowRepeats, 'outputColumn'> & { expansion: RowExpansion },
): CompositeInference {
  return {
    type: 'composite',
    identityOf: (query) =>
      JSON.stringify(
        expansion.expandRow(query.row).map((row) => {
          const { request } = ask({ ...query, row });
          return request.type === 'generate' ? request.prompt : request.texts;
        }),
      ),
    next: (query, answered) =>
      answered.length > 0
        ? []
        : expansion.expandRow(query.row).map(
            (row, index): PartRequest => ({
              name: index + 1,
              ...ask({ ...query, row }),
              row,
              gold: outputColumn === undefined ? undefined : row[outputColumn],
            }),
          ),
    combine: (parts) => ({
      score: expansion.combine(scoresOf(parts)),
      text: parts[0]?.text ?? '',
    }),
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
