import { basename, dirname, extname, join, resolve } from 'node:path';
import { defaultWorkDir } from '../../config/run-defaults.ts';
import type { Encode } from '../../model/request.ts';
import type { KeyOffsets } from '../../run/key-offsets.ts';
import { loadEncoder } from '../load-encoder.ts';
import { type BuiltModel, buildTasks } from '../run/build-tasks.ts';
import { type OpenedRun, openRun } from '../run/open-run.ts';
import { describeTerminal } from '../terminal.ts';
import {
  estimatePrice,
  estimateTime,
  type PlannedModel,
  type RunPlan,
  totalOf,
} from './estimate.ts';
import { type PlanOptions, parsePlanOptions } from './plan-options.ts';
import { planTask, readCachedKeys, type TaskPlan } from './plan-task.ts';
import { jsonPlan, renderPlan } from './render-plan.ts';
import { withoutCalls } from './without-calls.ts';

/** `typecase plan`: what a run would send, without sending it. */
export async function runPlan(args: readonly string[]): Promise<number> {
  const options = parsePlanOptions(args);
  if (!options) return 0;
  const opened = await openRun(options);
  const { workDir = defaultWorkDir } = opened.config;
  const folder = resolve(
    options.out ?? join(workDir, basename(options.source, extname(options.source))),
  );
  const plan = await opened.placing(async () =>
    makePlan(await withoutCalls(opened, folder), { folder, options }),
  );
  const text = options.json
    ? JSON.stringify(jsonPlan(plan), null, 2)
    : renderPlan(plan, describeTerminal(process.stdout)).join('\n');
  process.stdout.write(`${text}\n`);
  return 0;
}

async function makePlan(
  opened: OpenedRun,
  { folder, options }: { folder: string; options: PlanOptions },
): Promise<RunPlan> {
  const cached = await cachedKeys(folder, options);
  const encoders = await Promise.all(opened.models.map((model) => encoderOf(opened, model)));
  const built = await buildTasks(opened, folder, options);
  const models: PlannedModel[] = [];
  for (const [index, model] of built.entries()) {
    models.push({ ...model, tasks: await planModel(model, { encode: encoders[index], cached }) });
  }
  const tasks = models.flatMap((model) => model.tasks);
  const total = totalOf(tasks);
  const price = estimatePrice(total, options);
  return {
    folder,
    tasks,
    total,
    exactTokens: encoders.every((encode) => encode !== undefined),
    time: estimateTime(models, options),
    ...(price && { price }),
  };
}

async function planModel(
  { model, tasks }: BuiltModel,
  known: { readonly encode: Encode | undefined; readonly cached: KeyOffsets | undefined },
): Promise<TaskPlan[]> {
  const plans: TaskPlan[] = [];
  for (const { settings } of tasks) plans.push(await planTask({ settings, model, ...known }));
  await model.close();
  return plans;
}

async function cachedKeys(folder: string, { cache }: PlanOptions): Promise<KeyOffsets | undefined> {
  if (cache === undefined || cache === false) return undefined;
  const cacheFolder = typeof cache === 'string' ? cache : join(dirname(folder), '.cache');
  return readCachedKeys(join(cacheFolder, 'answers.jsonl'));
}

async function encoderOf(
  { config }: OpenedRun,
  { tokenizer, source }: OpenedRun['models'][number],
): Promise<Encode | undefined> {
  if (tokenizer === undefined) return undefined;
  return loadEncoder(resolve(dirname(config.file), tokenizer), [...source, 'tokenizer']);
}
