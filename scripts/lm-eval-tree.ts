import { resolve } from 'node:path';
import { openEvaluations } from '../src/evaluation/open-evaluations.ts';
import { registerSuites } from '../src/suites/index.ts';
import type { TaskYaml } from '../src/suites/lm-eval/tasks/read-task-yaml.ts';
import { functionsIn } from '../src/suites/lm-eval/tasks/task-config.ts';
import { indexTasks } from '../src/suites/lm-eval/tasks/task-index.ts';
import { madeUpRows } from './made-up-rows.ts';

// Says how many YAML tasks of a tree load and render with made-up rows: `tsx scripts/lm-eval-tree.ts FOLDER`.

const [folder = 'lm_eval/tasks'] = process.argv.slice(2);
registerSuites();
const { entries, left } = await indexTasks([resolve(folder)]);
const tasks = [...entries.values()].flatMap((entry) => (entry.kind === 'task' ? [entry] : []));
const plain = tasks.filter(({ value }) => functionsIn(value).length === 0);
const reasons = new Map<string, string[]>();
let done = 0;
for (const { name, value } of plain) {
  const reason = await tryTask(name, value);
  if (reason === undefined) done += 1;
  else reasons.set(reason, [...(reasons.get(reason) ?? []), name]);
}
const sorted = [...reasons].sort(([, one], [, other]) => other.length - one.length);
for (const [reason, names] of sorted) {
  console.log(`${String(names.length).padStart(6)}  ${reason}  (${names.slice(0, 2).join(', ')})`);
}
console.log(
  `${tasks.length} tasks, ${tasks.length - plain.length} of them with functions in Python.`,
);
for (const { file, reason } of left) console.log(`not read: ${file}: ${reason}`);
const share = ((100 * done) / plain.length).toFixed(1);
console.log(`${done} of ${plain.length} tasks without functions load and render: ${share}%.`);

/** The column that a text is: by its name, or as a template of nothing else. */
function columnIn(text: unknown): string {
  return /^(?:\{\{\s*)?(\w+)(?:\s*\}\})?$/.exec(String(text ?? ''))?.[1] ?? '';
}

/** Why a task neither loads nor renders; nothing if it does. */
async function tryTask(name: string, config: TaskYaml): Promise<string | undefined> {
  const fewshot = Object(config.fewshot_config) as TaskYaml;
  const texts = [config, fewshot].flatMap((one) =>
    ['doc_to_text', 'doc_to_target', 'doc_to_choice', 'description', 'gen_prefix'].flatMap(
      (key) => {
        const value = one[key];
        return typeof value === 'string' ? [value] : [];
      },
    ),
  );
  const columns = texts.filter((text) => /^[A-Za-z_]\w*$/.test(text));
  const choices = columnIn(config.doc_to_choice);
  const target = columnIn(config.doc_to_target);
  const rows = madeUpRows(texts, columns, 4).map((row, index) => ({
    ...row,
    ...(choices in row && { [choices]: ['one', 'two', 'three', 'four'] }),
    ...(config.output_type === 'multiple_choice' && target in row && { [target]: index % 2 }),
  }));
  const splits = ['test_split', 'validation_split', 'training_split', 'fewshot_split'];
  const names = splits.flatMap((key) => (typeof config[key] === 'string' ? [config[key]] : []));
  try {
    const evaluations = await openEvaluations(
      {
        datasets: [
          {
            abbr: name,
            type: 'LmEval',
            rows: Object.fromEntries(
              [...names, fewshot.split ?? names[0]].map((split) => [String(split), rows]),
            ),
            reader_cfg: { input_columns: [], output_column: null },
            infer_cfg: { prompt_template: { template: '' } },
            lm_eval: { config, num_fewshot: 1 },
          },
        ],
      },
      { purpose: 'view' },
    );
    for await (const batch of evaluations[0]?.rows.batches() ?? []) {
      for (const row of batch) await evaluations[0]?.trace(row);
    }
    await evaluations.close();
    return undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return reason.replaceAll(name, '…').split('\n')[0]?.slice(0, 150);
  }
}
