import { formatValue } from '../../../prompt/values.ts';
import { verdictOf } from '../../../run/row-sample.ts';
import { lockOwner } from '../../../run/store/lock.ts';
import { type EvaluationName, resultOf } from '../../../run/store/open-run.ts';
import { datasetOf } from '../../../run/store/run-file-parts.ts';
import { openRunFolder } from '../../../run/store/run-folder.ts';
import type { TaskResult } from '../../../run/summary.ts';
import { keepVerdicts } from '../../../run/verdict-memory.ts';
import { openScorableRun } from '../../../study/open-scorable-run.ts';
import { rescoreTask } from '../../../study/rescore/rescore-evaluation.ts';
import { planScoring } from '../../../study/rescore/scored-evaluations.ts';
import type { OpenedRun } from '../opened-run.ts';
import { Refusal } from '../refusal.ts';
import type { Rescored } from './api.ts';

const maxShown = 60;
const shownLength = 400;

/**
 * What the saved answers of an evaluation would score by another evaluator; by its own, with the
 * options that it has there. The run stays as it is.
 */
export async function rescorePreview(
  opened: OpenedRun,
  name: EvaluationName,
  evaluator: string,
): Promise<Rescored> {
  const run = await openScorableRun(opened.run.path, { hasConfig: false });
  if (await lockOwner(run.path)) {
    throw new Refusal(409, 'serve.running', 'a process is writing to this run');
  }
  const folder = await openRunFolder(run.path);
  const verdicts = keepVerdicts(run.path);
  try {
    const own = datasetOf(run.file, name.dataset)?.evalCfg?.evaluator?.type;
    // What cannot be scored in other evaluations does not matter here.
    const alone = { ...run, evaluations: run.select(name) };
    const plan = await planScoring(alone, { ...(evaluator !== own && { evaluator }), verdicts });
    try {
      const task = plan.tasks.find(
        ({ model, dataset }) => model === name.model && dataset === name.dataset,
      );
      if (!task) throw new Refusal(404, 'serve.no_such_evaluation', 'the run has no such answers');
      const previous = resultOf(run, task);
      const { result, sample, draft } = await rescoreTask(task, { previous, counted: new Set() });
      await draft.discard();
      const after = new Map(sample.ends.map((end) => [end.id, end]));
      const changed: Rescored['changed'] = [];
      let changedRows = 0;
      for await (const record of run.rows(name)) {
        const end = after.get(record.id);
        const before = verdictOf(record, opened.kindOf(name));
        if (!end || end.verdict === before) continue;
        changedRows += 1;
        changed.push({
          id: record.id,
          answer: short(record.answer ?? ''),
          ...(record.gold !== undefined && { gold: short(formatValue(record.gold)) }),
          before,
          after: end.verdict,
        });
        if (changed.length > 2 * maxShown) keepFirst(changed);
      }
      keepFirst(changed);
      return {
        ...(previous && { before: scoreOf(previous) }),
        after: scoreOf(result),
        rows: after.size,
        changed,
        changedRows,
      };
    } finally {
      await plan.close();
    }
  } finally {
    await verdicts.close();
    await folder.unlock();
  }
}

/** The rows with the lowest numbers: a log has them as they were answered. */
function keepFirst(changed: Rescored['changed']): void {
  changed.sort((left, right) => left.id - right.id);
  changed.length = Math.min(changed.length, maxShown);
}

function scoreOf({ metric, score, plain }: TaskResult): Rescored['after'] {
  return { metric, ...(score && { score: { ...score } }), ...(plain && { plain }) };
}

function short(text: string): string {
  return text.length > shownLength ? `${text.slice(0, shownLength)}…` : text;
}
