import { countOf, oneLine } from '../base/format.ts';
import { isNotRight } from '../run/row-sample.ts';
import type { RunSummary } from '../run/summary.ts';
import { formatScore, scoreStyleOf } from './format-scores.ts';
import { endsOf, type NamedEnd } from './name-rows.ts';
import type { TaskRows } from './report-rows.ts';

interface State {
  readonly summary: RunSummary;
  readonly tasks: readonly TaskRows[];
}

const namedRows = 10;

/** What is different from the run before: scores, and rows that are right now or not any more. */
export function describeChanges(before: State, after: State): string[] {
  const style = scoreStyleOf(after.summary);
  const lines = after.summary.results.flatMap((result) => {
    const { model, dataset, score } = result;
    const name = oneLine(`${model} on ${dataset}`);
    const old = before.summary.results.find(
      (one) => one.model === model && one.dataset === dataset,
    );
    if (!old) return [`${name}: new`];
    const rows = changedRows(endsOf(old, before.tasks), endsOf(result, after.tasks));
    const values = [old.score?.value, score?.value];
    const isSame = values[0] === values[1];
    const parts = [
      ...(isSame
        ? []
        : [
            values
              .map((value) =>
                value === undefined ? 'no score' : formatScore(value, style, result),
              )
              .join(' → '),
          ]),
      ...nameChanged('now right', rows.better),
      ...nameChanged('no longer right', rows.worse),
    ];
    return parts.length > 0 ? [`${name}: ${parts.join('; ')}`] : [];
  });
  return lines.length > 0 ? ['Since the last run:', ...lines] : ['No change since the last run.'];
}

function nameChanged(what: string, ids: readonly (string | number)[]): string[] {
  if (ids.length === 0) return [];
  const more = ids.length > namedRows ? ' …' : '';
  return [`${countOf(ids.length, 'row')} ${what} (${ids.slice(0, namedRows).join(', ')}${more})`];
}

function changedRows(before: readonly NamedEnd[], after: readonly NamedEnd[]) {
  const old = new Map(before.map((end) => [end.id, isNotRight(end)]));
  const changed = (isNow: boolean) =>
    after
      .filter((end) => isNotRight(end) === isNow && old.get(end.id) === !isNow)
      .map(({ id }) => id);
  return { better: changed(false), worse: changed(true) };
}
