import { promptText, shownPrompt } from '../../evaluation/asked.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import { type NotRemade, openRemade, withRemade } from '../remake/open-remade.ts';
import { askedRows } from '../rescore/scored-evaluations.ts';
import type { SideEvaluation } from './run-side.ts';

/** What rows were asked, made anew: the logs hold hashes of prompts only. */
export type RemadePrompts = MadePrompts | NotRemade;

interface MadePrompts {
  readonly type: 'made';
  readonly prompts: ReadonlyMap<number, RemadePrompt>;
  /** What has changed since the run, if that is known. */
  readonly changed: string | undefined;
}

export interface RemadePrompt {
  readonly hash: string;
  readonly text: string;
}

/** Makes the prompts of some rows by the config that the run names. Nothing is sent. */
export async function remakePrompts(
  { run, task }: { readonly run: StoredRun; readonly task: SideEvaluation },
  wanted: ReadonlySet<number>,
): Promise<RemadePrompts> {
  const remade = await openRemade(run, task, { ids: wanted });
  if (remade.type === 'not-made') return remade;
  return withRemade(remade, async ({ evaluation, changed }): Promise<MadePrompts> => {
    const prompts = new Map<number, RemadePrompt>();
    for await (const { plan } of askedRows(evaluation)) {
      const [first] = plan.requests;
      if (!first) continue;
      const text = promptText(shownPrompt(first.asked));
      prompts.set(Number(plan.id), { hash: plan.promptHash, text });
    }
    return { type: 'made', prompts, changed };
  });
}
