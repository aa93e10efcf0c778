import { formatCount } from '../../src/base/format.ts';
import {
  formatP,
  formatSigned,
  formatSignedInterval,
  formatValue,
} from '../../src/study/compare/compare-format.ts';
import type { TaskComparison } from '../../src/study/compare/comparison.ts';

/** The differences of all tasks of two runs, drawn on one scale. */
export function TaskTable({ tasks }: { readonly tasks: readonly TaskComparison[] }) {
  return (
    <section class="panel">
      <h2>All tasks</h2>
      <div class="wide-table" tabIndex={0} role="region" aria-label="Differences of all tasks">
        <table class="study-table compare-table">
          <thead>
            <tr>
              <th scope="col">task</th>
              <th scope="col">A</th>
              <th scope="col">B</th>
              <th scope="col">B − A</th>
              <th scope="col">interval</th>
              <th scope="col" class="plot">
                A better · B better
              </th>
              <th scope="col">adjusted p</th>
              <th scope="col">rows</th>
            </tr>
          </thead>
          <tbody>
            {tasks.map((task) => (
              <TaskLine key={task.name} task={task} reach={reachOf(tasks, task)} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** Half the width of the plots: one for all tasks whose scores can be compared. */
function reachOf(tasks: readonly TaskComparison[], { scale }: TaskComparison): number {
  const ends = tasks
    .filter((task) => task.scale.isShare === scale.isShare)
    .flatMap(({ result }) => [
      result?.difference ?? 0,
      result?.interval?.low ?? 0,
      result?.interval?.high ?? 0,
    ]);
  return Math.max(1e-9, ...ends.map(Math.abs));
}

function TaskLine({ task, reach }: { readonly task: TaskComparison; readonly reach: number }) {
  const { name, result, scale, adjustedP, verdict } = task;
  const leftOut = task.leftOut.reduce((sum, { rows }) => sum + rows, 0);
  const title = (
    <th scope="row">
      {name} <small class="soft">{scale.metric}</small>
    </th>
  );
  if (!result) {
    return (
      <tr>
        {title}
        <td colSpan={7}>{verdict.text}</td>
      </tr>
    );
  }
  return (
    <tr>
      {title}
      <td>{formatValue(result.a, scale)}</td>
      <td>{formatValue(result.b, scale)}</td>
      <td class="value">{formatSigned(result.difference, scale)}</td>
      <td class="interval">{formatSignedInterval(result, scale)}</td>
      <td class="plot">
        <SignedBar task={task} reach={reach} />
      </td>
      <td>{formatP(adjustedP ?? result.p)}</td>
      <td>
        {formatCount(result.pairs)}
        {leftOut > 0 && (
          <small class="tone-unscored trouble">{formatCount(leftOut)} left out</small>
        )}
      </td>
    </tr>
  );
}

/** To the right what is in favour of B. */
function SignedBar({
  task: { result, scale },
  reach,
}: {
  readonly task: TaskComparison;
  readonly reach: number;
}) {
  if (!result) return null;
  const sign = scale.direction === 'higher' ? 1 : -1;
  const at = (value: number) => 50 + (50 * sign * value) / reach;
  const { low, high } = result.interval ?? { low: result.difference, high: result.difference };
  const [from = 0, to = 0] = [at(low), at(high)].sort((left, right) => left - right);
  return (
    <div class="bar signed" aria-hidden="true">
      <i style={{ left: `${from}%`, width: `${to - from}%` }} />
      <b style={{ left: `${at(result.difference)}%` }} />
    </div>
  );
}
