import { displayPath } from '../../base/display-path.ts';
import type { PlanTotal, RunPlan } from '../../study/plan/estimate.ts';

/** The plan for machines. */
export function jsonPlan({ folder, tasks, total, ...estimates }: RunPlan) {
  const withShare = <One extends Counts>(counts: One) => ({
    ...counts,
    sharedPrefix: sharedPrefix(counts),
  });
  return {
    folder: displayPath(folder),
    tasks: tasks.map(withShare),
    total: { ...total, sharedPrefix: sharedPrefix(withMedia(total, tasks)) },
    ...estimates,
  };
}

/** Counts, and whether media are among what is sent. */
export type Counts = PlanTotal & Pick<RunPlan['tasks'][number], 'media'>;

export function withMedia(total: PlanTotal, tasks: RunPlan['tasks']): Counts {
  const media = tasks.reduce((sum, task) => sum + (task.media ?? 0), 0);
  return media === 0 ? total : { ...total, media };
}

/** The share of the tokens sent that a prefix cache would have; not known of media, whose tokens are not counted. */
export function sharedPrefix({ inputTokens, sharedTokens, media = 0 }: Counts): number | null {
  return inputTokens === 0 || media > 0 ? null : sharedTokens / inputTokens;
}
