import type { ConfigPath } from '../../errors.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import type { MetricTraits } from '../metrics/metric.ts';
import { passRate, unscored } from '../row-score.ts';
import type { ReadColumn, ScoreInput, Scorer } from '../scorer.ts';
import { brokenCheck, type CheckOutcome, isMeasuredBy, resultOf } from './check-results.ts';
import { type ChecksSettings, combine, setNames } from './combine-checks.ts';
import {
  type ChecksOfRows,
  isBadCheck,
  judgeOf,
  judgeOfRows,
  withJudge,
} from './judges-of-checks.ts';
import { type BuiltCheck, checksMetric } from './name-checks.ts';
import { scoreChanged, seen } from './transform-answer.ts';

const share = { direction: 'higher', range: [0, 1] } as const;

/** A scorer of several checks: their weighted mean, with each beside it. */
export function createChecksScorer(
  checks: readonly BuiltCheck[],
  settings: ChecksSettings = {},
): Scorer {
  const { ofRows } = settings;
  const isLater = ofRows !== undefined || checks.some(({ scorer }) => scorer.scoreLater);
  const names = [...checks.map(({ name }) => name), ...setNames(settings)];
  const judges = checks.flatMap(({ scorer }) => scorer.judge ?? []);
  const judged = judgeOf(judges);
  const scorer: Scorer = {
    metric: checksMetric,
    ...share,
    traits: [passRate, ...names].map((name): MetricTraits => ({ ...share, name })),
    measuresMore: (name) => checks.some((check) => isMeasuredBy(check, name)),
    ...(ofRows && { namesIn: (row) => ofRows.namesIn(row, names) }),
    columns: withThreshold(columnsOf(checks), settings),
    readsFacts: ofRows !== undefined || checks.some(({ scorer }) => scorer.readsFacts),
    ...judged,
    score: (input) => {
      if (isLater) return unscored('not scored yet');
      const given = seen(input, settings);
      return combine(
        checks.map((check) => resultOf(check, check.scorer.score(inputFor(check, given)))),
        { input, settings },
      );
    },
    ...(isLater && {
      async scoreLater(input, signal, stop = signal) {
        const results: CheckOutcome[] = [];
        const { own, fault } = await ownChecks(ofRows, input.row, names);
        let asked = 0;
        // One after the other: what judges said before is known in the order of the checks.
        for (const check of [...checks, ...own]) {
          if (input.onlyJudges && !check.scorer.judge) continue;
          const replies = input.replies?.slice(asked);
          const given = { ...inputFor(check, seen(input, settings)), replies };
          const score = await scoreChanged(check, given, { signal, stop, settings });
          asked += score.verdicts?.length ?? 0;
          results.push(resultOf(check, withJudge(score, check, judged.judge?.name)));
        }
        return combine(results, { input, settings, ofRow: fault });
      },
    }),
  };
  if (!ofRows) return scorer;
  const withRows = (rows: readonly NamedRow[]) => ({
    ...scorer,
    ...judgeOfRows(judges, ofRows, rows),
  });
  const judgesOf = (row: Row) => {
    try {
      return ofRows
        .judgesIn(row)
        .map(({ name }) => name)
        .join('\n');
    } catch (error) {
      if (isBadCheck(error)) return '';
      throw error;
    }
  };
  return { ...scorer, withRows, judgesOf };
}

/** The checks that a row brings, or what is wrong with them. */
async function ownChecks(
  ofRows: ChecksOfRows | undefined,
  row: Row,
  names: readonly string[],
): Promise<{ readonly own: readonly BuiltCheck[]; readonly fault?: string }> {
  try {
    return { own: (await ofRows?.build(row, names)) ?? [] };
  } catch (error) {
    if (!isBadCheck(error)) throw error;
    return { own: [], fault: `${brokenCheck}${error.message}` };
  }
}

/** A check may say itself what is wanted, or which column does. */
function inputFor({ value, column }: BuiltCheck, input: ScoreInput): ScoreInput {
  if (value === undefined && column === undefined) return input;
  const isBlank = typeof value === 'string' && value.trim() === '';
  const wantsNothing = isBlank && !(input.answer.isVerbatim && value !== '');
  return {
    ...input,
    gold: value ?? input.row[column ?? ''],
    ...(wantsNothing && { wantsNothing }),
  };
}

function withThreshold(
  columns: Scorer['columns'] = [],
  { thresholdColumn }: ChecksSettings,
): Scorer['columns'] {
  if (columns === 'any' || thresholdColumn === undefined) return columns;
  return columns.some(({ name }) => name === thresholdColumn)
    ? columns
    : [...columns, { name: thresholdColumn, path: [] }];
}

function columnsOf(checks: readonly BuiltCheck[]): Scorer['columns'] {
  const own = checks.map(({ scorer }) => scorer.columns ?? []);
  if (own.includes('any')) return 'any';
  const named = checks.flatMap(({ column, path }): ReadColumn[] =>
    column === undefined ? [] : [{ name: column, path: [...path, 'column'] }],
  );
  const all = [...own.flatMap((columns) => (columns === 'any' ? [] : columns)), ...named];
  return all.filter(({ name }, index) => all.findIndex((one) => one.name === name) === index);
}

/** Where a row's own checks stand, for messages. */
export function rowPath(index: number): ConfigPath {
  return ['checks', index];
}
