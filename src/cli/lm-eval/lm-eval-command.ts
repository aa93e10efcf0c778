import { mkdir } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { writeWhole, writing } from '../../run/write-whole.ts';
import { type Dialect, dialectNamed } from '../../tasks/japanese-financial/dialects.ts';
import { loadTemplate } from '../../tasks/japanese-financial/template.ts';
import { displayPath } from '../display-path.ts';
import { describeTerminal } from '../terminal.ts';
import { evaluateTask, type TaskOutcome } from './evaluate-task.ts';
import { type LmEvalOptions, parseLmEvalOptions } from './lm-eval-options.ts';
import { type OpenedModel, openLmEvalModel } from './open-model.ts';
import { renderResults } from './render-results.ts';
import { resultFile, writeResult } from './result-file.ts';
import { shotsOfTasks, type TaskShots } from './shots-of-tasks.ts';

/** `typecase lm-eval`: the command line of the original harness. */
export async function runLmEval(args: readonly string[]): Promise<number> {
  const options = parseLmEvalOptions(args);
  if (!options) return 0;
  const dialect = dialectNamed(options.dialect);
  const tasks = shotsOfTasks({ ...options, dialect });
  const opened = await openLmEvalModel(options);
  try {
    const outcomes = await evaluate(opened, tasks, { options, dialect });
    process.stdout.write(renderResults(outcomes, describeTerminal(process.stdout)));
    if (options.output_path !== undefined) {
      const modelName = opened.model.name;
      const result = resultFile({ outcomes, options, dialect, modelName, date: new Date() });
      await save(options.output_path, writeResult(result));
    }
  } finally {
    await opened.model.close();
  }
  return 0;
}

interface Evaluation {
  readonly options: LmEvalOptions;
  readonly dialect: Dialect;
}

async function evaluate(
  opened: OpenedModel,
  tasks: readonly TaskShots[],
  { options, dialect }: Evaluation,
): Promise<TaskOutcome[]> {
  const { dataDir, limit } = options;
  if (dataDir === undefined) {
    process.stderr.write('These are synthetic documents; --data-dir takes the real ones.\n');
  }
  const outcomes: TaskOutcome[] = [];
  for (const { named, numFewshot } of tasks) {
    const template = await loadTemplate(named, {
      dialect,
      systemPrompt: process.env.SYSTEM_PROMPT,
    });
    const outcome = await evaluateTask(opened, template, { numFewshot, dataDir, limit });
    outcomes.push(outcome);
    const cut = outcome.cut > 0 ? `, ${outcome.cut} contexts cut to fit` : '';
    process.stderr.write(`${named.name}: done (${outcomes.length} of ${tasks.length}${cut})\n`);
  }
  return outcomes;
}

async function save(file: string, text: string): Promise<void> {
  const path = resolve(file);
  await writing(path, () => mkdir(dirname(path), { recursive: true }));
  await writeWhole(path, text);
  process.stdout.write(`\nResults: ${displayPath(path)}\n`);
}
