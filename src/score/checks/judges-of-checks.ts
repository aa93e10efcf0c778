import { DataError, TypecaseError } from '../../errors.ts';
import type { NamedRow } from '../../prompt/trace.ts';
import type { Row } from '../../prompt/values.ts';
import type { RowMetricName, RowScore, Scorer, ScorerJudge } from '../scorer.ts';
import type { BuiltCheck } from './name-checks.ts';

/** Makes the checks that a row brings; nothing where it brings none. */
export type RowChecks = (row: Row, taken: readonly string[]) => Promise<readonly BuiltCheck[]>;

/** The checks that rows bring, and what they are called. */
export interface ChecksOfRows {
  readonly build: RowChecks;
  readonly namesIn: (row: Row, taken: readonly string[]) => readonly RowMetricName[];
  /** The judges that its checks ask. */
  readonly judgesIn: (row: Row) => readonly ScorerJudge[];
}

export function isBadCheck(error: unknown): error is TypecaseError {
  return TypecaseError.isInstance(error) && error.code === 'data.bad_checks';
}

/** Says who gave a verdict where it is not the first judge. */
export function withJudge(
  score: RowScore,
  { scorer }: BuiltCheck,
  first: string | undefined,
): RowScore {
  const judge = scorer.judge?.name;
  if (!score.verdicts || judge === undefined || judge === first) return score;
  return { ...score, verdicts: score.verdicts.map((verdict) => ({ ...verdict, judge })) };
}

/** The same with those that rows ask, of which each asks its own. */
export function judgeOfRows(
  configured: readonly ScorerJudge[],
  { judgesIn }: ChecksOfRows,
  rows: readonly NamedRow[],
): Pick<Scorer, 'judge'> {
  const ofRows = rows.flatMap(({ id, row }) => {
    try {
      return judgesIn(row);
    } catch (error) {
      throw isBadCheck(error)
        ? new DataError(error.code, `row ${id}: ${error.message}`, {
            hint: error.hint,
            cause: error,
          })
        : error;
    }
  });
  const all = judgeOf([...configured, ...ofRows]);
  if (!all.judge) return {};
  const ownOf = (row: Row) => {
    try {
      return judgeOf([...configured, ...judgesIn(row)]).judge;
    } catch (error) {
      // What is wrong with the checks of a later row is told when it is scored.
      if (isBadCheck(error)) return judgeOf(configured).judge;
      throw error;
    }
  };
  return {
    judge: {
      ...all.judge,
      mediaOf: (row) => ownOf(row)?.mediaOf(row) ?? [],
      requestsFor: (input) => ownOf(input.row)?.requestsFor(input) ?? 0,
    },
  };
}

/** The judges of all checks as one: what is asked of them together. */
export function judgeOf(judges: readonly ScorerJudge[]): Pick<Scorer, 'judge'> {
  const [first] = judges;
  if (!first) return {};
  const names = [...new Set(judges.map(({ name }) => name))];
  const judge: ScorerJudge = {
    name: first.name,
    ...(names.length > 1 && { others: names.slice(1) }),
    diagnostics: judges.flatMap(({ diagnostics = [] }) => diagnostics),
    showsMedia: judges.some(({ showsMedia }) => showsMedia),
    showsQuestion: judges.some(({ showsQuestion }) => showsQuestion),
    media: {
      parts: judges.flatMap(({ media }) => media.parts),
      texts: [...new Set(judges.flatMap(({ media }) => media.texts))],
    },
    mediaOf: (row) => judges.flatMap((one) => one.mediaOf(row)),
    requestsFor: (input) => judges.reduce((sum, one) => sum + one.requestsFor(input), 0),
  };
  return { judge };
}
