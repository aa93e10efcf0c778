import { promptText, shownPrompt } from '../../evaluation/asked.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { PositionedRow } from '../../prompt/trace.ts';
import type { StoredRun } from '../../run/store/open-run.ts';
import type { RowRecord } from '../../run/store/row-record.ts';
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
  readonly prompt: Prompt;
  readonly text: string;
  /** Of a dialogue: what each turn was asked. */
  readonly turns?: readonly string[];
}

/** The rows whose prompts are wanted; of dialogues with the lines of their turns. */
export interface WantedRows {
  readonly ids: ReadonlySet<number>;
  readonly turns?: ReadonlyMap<number, readonly RowRecord[]> | undefined;
}

/** Makes the prompts of some rows by the config that the run names. Nothing is sent. */
export async function remakePrompts(
  { run, task }: { readonly run: StoredRun; readonly task: SideEvaluation },
  wanted: WantedRows,
): Promise<RemadePrompts> {
  const remade = await openRemade(run, task, { ids: wanted.ids });
  if (remade.type === 'not-made') return remade;
  return withRemade(remade, async ({ evaluation, changed }): Promise<MadePrompts> => {
    const prompts = new Map<number, RemadePrompt>();
    for await (const { plan } of askedRows(evaluation)) {
      const id = Number(plan.id);
      const [first] = plan.requests;
      if (!first) continue;
      const prompt = shownPrompt(first.asked);
      const turns = await remakeTurns(evaluation, plan, wanted.turns?.get(id));
      prompts.set(id, {
        ...{ hash: plan.promptHash, prompt, text: promptText(prompt) },
        ...(turns && { turns }),
      });
    }
    return { type: 'made', prompts, changed };
  });
}

/** What the turns of a dialogue were asked, after the answers that it had. */
async function remakeTurns(
  { plan }: Evaluation,
  row: PositionedRow,
  lines: readonly RowRecord[] | undefined,
): Promise<string[] | undefined> {
  if (!lines) return undefined;
  const answers = lines.map(({ answer = '' }) => answer);
  const turns: string[] = [];
  for (const index of answers.keys()) {
    const [request] = (await plan(row, answers.slice(0, index))).requests;
    if (request) turns.push(promptText(shownPrompt(request.asked)));
  }
  return turns;
}
