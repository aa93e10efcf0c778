import { countOf, formatCount } from '../../src/base/format.ts';
import { describeCountedAsWrong } from '../../src/report/compare/describe-task.ts';
import type { LeftOut, TaskComparison } from '../../src/study/compare/comparison.ts';
import { addressOf } from '../client.ts';
import { Link } from '../router.tsx';

interface LeftOutProps {
  readonly task: TaskComparison;
  readonly runs: { readonly a: string; readonly b: string };
}

/** Rows that are not compared because a side has no score for them, or has no such row. */
export function LeftOutRows({ task, runs }: LeftOutProps) {
  const { leftOut } = task;
  if (leftOut.length === 0) return null;
  const rows = leftOut.reduce((sum, group) => sum + group.rows, 0);
  return (
    <div class="left-out">
      <h3>{countOf(rows, 'row')} not compared: pairs need a score on both sides</h3>
      <ul>
        {leftOut.map((group) => (
          <li key={group.reason}>
            <b class="value">{formatCount(group.rows)}</b> <span>{group.reason}</span>
            <RowLinks {...{ group, task, runs }} />
          </li>
        ))}
      </ul>
      {describeCountedAsWrong(task).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  );
}

/** The first rows of a group, in the runs that have them under these numbers. */
function RowLinks({
  group: { reason, rows, ids },
  task: { pairing, ...task },
  runs,
}: LeftOutProps & { readonly group: LeftOut }) {
  const { moved, otherColumns = 0, byText = 0 } = pairing;
  const haveOwnNumbers = moved + otherColumns + byText === 0;
  const inA = reason !== 'only in B';
  const inB = reason === 'only in B' || (reason !== 'only in A' && haveOwnNumbers);
  const link = (side: 'a' | 'b', id: number) => (
    <Link to={addressOf('/row', { run: runs[side], ...task[side], id })}>{side.toUpperCase()}</Link>
  );
  return (
    <span class="small">
      {ids.map((id) => (
        <span class="left-out-row" key={id}>
          #{id} {inA && link('a', id)} {inB && link('b', id)}
        </span>
      ))}
      {rows > ids.length && ' …'}
    </span>
  );
}

/** How many rows of each side have no score. */
export function unscoredText({ unscored: { a, b } }: TaskComparison): string | undefined {
  return a + b === 0 ? undefined : `A ${formatCount(a)} · B ${formatCount(b)}`;
}
