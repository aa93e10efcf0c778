import type { PlanDocument, RunDocument } from './documents.ts';
import type { Levels } from './factors.ts';
import type { Joint } from './joint.ts';

/** Where the numbers of a plan are not those of the run. */
export function checkPlans(joint: Joint, levels: Levels): string[] {
  const { run, plan, planAfter } = joint;
  const left = planAfter?.total.send ?? 0;
  return [
    ...(plan ? checkTotal(plan, joint, levels) : []),
    ...(plan && run ? [...checkTasks(plan, run), ...checkJudge(plan, run, joint)] : []),
    ...(left === 0 ? [] : [`plan after the run: ${left} would be sent`]),
  ];
}

function checkTotal({ tasks, total }: PlanDocument, { sent }: Joint, levels: Levels): string[] {
  const sum = tasks.reduce((all, { send }) => all + send, 0);
  const local = tasks.filter(({ model }) => model === 'm' && levels.model === 'local');
  const planned = local.reduce((rest, { send }) => rest - send, sum);
  const got = new Set(sent.map(({ path, body }) => path + body)).size;
  return [
    ...(planned === got ? [] : [`plan: ${planned} would be sent, and the server got ${got}`]),
    ...(total.send === sum ? [] : [`plan: the total is ${total.send}, and the tasks send ${sum}`]),
  ];
}

function checkTasks({ tasks }: PlanDocument, { results }: RunDocument): string[] {
  return results.flatMap(({ model, dataset, requests: { sent } }) => {
    const task = tasks.find((each) => each.model === model && each.dataset === dataset);
    if (task?.send === sent) return [];
    return [`plan: ${model} on ${dataset} would send ${task?.send}, and the run sent ${sent}`];
  });
}

/** Whether some row has a label to judge: in compat modes one template shows every label the same text. */
function hasLabels(results: RunDocument['results']): boolean {
  return results.some(({ rows, reasons }) => {
    const unmeasured = reasons.filter(({ reason }) => reason.endsWith('has no token to measure'));
    return unmeasured.reduce((left, { rows: count }) => left - count, rows.total) > 0;
  });
}

/** Which answers are alike, so that one verdict serves them, and which leave nothing to judge, is not known before. */
function checkJudge(
  { tasks }: PlanDocument,
  { results }: RunDocument,
  { judged, viewOfRun }: Joint,
): string[] {
  const known = tasks.flatMap(({ judge, otherJudges = [] }) => [judge ?? [], otherJudges].flat());
  const isJudged = ({ model, dataset }: RunDocument['results'][number]) =>
    tasks.some((task) => task.judge && task.model === model && task.dataset === dataset);
  if (judged.length === 0 && known.length > 0)
    return hasLabels(results.filter(isJudged)) ? ['plan: a judge would be asked, and was not'] : [];
  const planned = known.reduce((sum, { requests }) => sum + requests, 0);
  const needed = (viewOfRun?.views ?? []).flatMap(({ judge = [] }) => judge).length;
  const unscored = results.map(({ rows, samples }) => rows.unscored + (samples?.unscored ?? 0));
  const isPlain = unscored.every((count) => count === 0);
  if (planned >= judged.length && (isPlain ? planned === needed : planned >= needed)) return [];
  return [
    `plan: the judge would be asked ${planned} times, ${needed} answers were judged, by ${judged.length} requests`,
  ];
}
