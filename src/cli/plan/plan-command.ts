import { planRun } from '../../api/plan-run.ts';
import { configOfFlags } from '../../config/flags.ts';
import { selectionOf } from '../../terminal/run/run-options.ts';
import { describeTerminal } from '../../terminal/terminal.ts';
import { parsePlanOptions } from './plan-options.ts';
import { jsonPlan, renderPlan } from './render-plan.ts';

/** `typecase plan`: what a run would send, without sending it. */
export async function runPlan(args: readonly string[]): Promise<number> {
  const options = parsePlanOptions(args);
  if (!options) return 0;
  const config = await configOfFlags(options);
  const plan = await planRun(config, selectionOf(options));
  const text = options.json
    ? JSON.stringify(jsonPlan(plan), null, 2)
    : renderPlan(plan, describeTerminal(process.stdout)).join('\n');
  process.stdout.write(`${text}\n`);
  return 0;
}
