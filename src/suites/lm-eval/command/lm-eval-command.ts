import { mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { displayPath } from '../../../base/display-path.ts';
import { UsageError } from '../../../base/usage-error.ts';
import { checkModel } from '../../../config/check-config.ts';
import { defaultRunFolder } from '../../../config/run-defaults.ts';
import type { Evaluations } from '../../../evaluation/open-evaluations.ts';
import { toPython } from '../../../python/convert.ts';
import { dumpJson } from '../../../python/json.ts';
import { describeAnswers } from '../../../report/describe-events.ts';
import { terminalTable } from '../../../report/terminal-table.ts';
import { rowFiles } from '../../../run/store/run-folder.ts';
import { writeWhole, writing } from '../../../run/store/write-whole.ts';
import { loadTaskSources } from '../../../tasks/sources.ts';
import { modelFlag, spellModel } from '../../../terminal/lm-eval/spell-model.ts';
import { followRun } from '../../../terminal/run/follow-run.ts';
import { addToJobSummary } from '../../../terminal/run/job-summary.ts';
import { reportGates } from '../../../terminal/run/report-gates.ts';
import {
  tellOpened,
  warnOfLeaks,
  warnOfOldLoglikelihoods,
} from '../../../terminal/run/warnings.ts';
import { describeTerminal, fitTerminal } from '../../../terminal/terminal.ts';
import {
  evaluateSpelled,
  type SpelledConfig,
  spellFoundModel,
  spellNamedTask,
} from '../../evaluate-spelled.ts';
import { type HarnessResults, harnessResults } from '../../harness-results.ts';
import { spellDataset } from '../spell-dataset.ts';
import {
  type ChosenTask,
  type ChosenTasks,
  chooseTasks,
  unknownTask,
} from '../tasks/choose-tasks.ts';
import { parseTask } from '../tasks/task-config.ts';
import { indexTasks, namesMatching } from '../tasks/task-index.ts';
import { groupResults } from './group-results.ts';
import { type LmEvalOptions, parseLmEvalOptions } from './lm-eval-options.ts';
import { resultFile, sanitizedName } from './result-file.ts';

/** `typecase lm-eval --include_path`: YAML tasks by the command line of the original. */
export async function runLmEval(args: readonly string[]): Promise<number> {
  const options = parseLmEvalOptions(args);
  if (!options) return 0;
  const { chosen, others } = await chosenTasks(options);
  const { abbr } = checkModel(spellModel(options), modelFlag);
  const out = resolve(options.out ?? defaultRunFolder({}, { name: `lm-eval-${abbr}` }));
  const config = spelledConfig({ chosen, others }, options);
  const results = new Map<string, HarnessResults>();
  const { folder, summary, oldLoglikelihoods } = await followRun((following) => {
    let opened: Evaluations | undefined;
    const { limit, maxTime, cache, fresh, retry } = options;
    return evaluateSpelled(config, {
      ...{ limit, maxTime, cache, fresh, retry, out },
      ...following,
      onOpen: (evaluations) => {
        opened = evaluations;
        tellOpened(evaluations, { strict: false });
      },
      async onSummary(ended, rows) {
        await addToJobSummary(ended, rows);
        const isDone = ended.complete && ended.results.every((one) => one.rows.failed === 0);
        if (isDone && opened) await collectResults(opened, { out, options, results });
      },
    });
  });
  warnOfOldLoglikelihoods(oldLoglikelihoods);
  const { width, hasColors } = describeTerminal(process.stdout);
  process.stdout.write(
    fitTerminal(terminalTable(summary, { width, color: hasColors }), process.stdout),
  );
  process.stdout.write(`\n${describeAnswers(summary).join('\n')}\n`);
  sayGroups(chosen, results);
  for (const [name, { cut }] of results) sayCut(name, cut);
  for (const task of chosen.tasks) sayUnmeasured(task, results.get(task.name));
  if (results.size > 0 && options.output_path !== undefined) {
    await saveResults({ chosen, options, results, modelName: abbr }, options.output_path);
  }
  process.stdout.write(`Report: ${displayPath(join(folder, 'report.html'))}\n`);
  warnOfLeaks(summary);
  return reportGates(summary, {
    toGoOn: 'the same command',
    retry: options.retry,
    folder,
    tasks: [],
  });
}

interface AllTasks {
  readonly chosen: ChosenTasks;
  /** Tasks that are in no YAML file: those of the other suites, by their names. */
  readonly others: ReadonlyMap<string, { readonly task: string; readonly version: string }>;
}

async function chosenTasks(options: LmEvalOptions): Promise<AllTasks> {
  const folders = options.include_path.map((folder) => resolve(folder));
  const index = await indexTasks(folders);
  const wanted = options.tasks.split(',').map((name) => name.trim());
  const chosen = await chooseTasks(
    wanted.filter((name) => name !== ''),
    index.entries,
  );
  const sources = await loadTaskSources();
  const known = new Map(sources.flatMap(({ versions = [] }) => [...versions]));
  const found = chosen.others.map((name) => namesMatching(name, known.keys()));
  const unknown = chosen.others.find((_, at) => found[at]?.length === 0);
  if (unknown !== undefined) throw unknownTask(unknown, [...index.entries.keys(), ...known.keys()]);
  const names = new Set(found.flat());
  const others = new Map([...known].filter(([name]) => names.has(name)));
  refuseForOthers(options, [...others.keys()]);
  if (chosen.tasks.length === 0 && others.size === 0) {
    throw new UsageError('lm_eval.no_tasks', `\`--tasks ${options.tasks}\` matches no task`, {
      hint: 'Give tasks, groups or tags of --include_path, or YAML files.',
    });
  }
  return { chosen, others };
}

/** Options that say how prompts of YAML tasks are made. */
const ofPrompts = [
  'apply_chat_template',
  'fewshot_as_multiturn',
  'system_instruction',
  'gen_kwargs',
] as const;

function refuseForOthers(options: LmEvalOptions, [name]: readonly string[]): void {
  const given = ofPrompts.find((key) => options[key] !== undefined);
  if (name === undefined || given === undefined) return;
  throw new UsageError(
    'usage.conflicting_options',
    `\`${name}\` is asked as the original asks it: --${given} would not hold for it`,
    { hint: 'Give the tasks of YAML files a command of their own.' },
  );
}

/** What the command line asks for, in the words of a config. */
function spelledConfig(
  { chosen: { tasks }, others }: AllTasks,
  options: LmEvalOptions,
): SpelledConfig {
  const { num_fewshot: numFewshot = 0, dataDir, dialect, model } = options;
  const ofOthers = Array.from(others, ([abbr, named]) =>
    spellNamedTask(abbr, { ...named, dialect, numFewshot, dataDir, model }),
  );
  const datasets = tasks.map((task) => {
    const spelled = spellDataset(task.config, {
      file: task.file,
      folder: process.cwd(),
      dataDir: options.dataDir === undefined ? undefined : resolve(options.dataDir),
    });
    return {
      ...spelled,
      abbr: task.name,
      lm_eval: { ...spelled.lm_eval, ...askedHow(task, options) },
    };
  });
  return { models: [spellFoundModel(options)], datasets: [...datasets, ...ofOthers] };
}

function askedHow(task: ChosenTask, options: LmEvalOptions) {
  const { system_instruction, gen_kwargs, seed, functions } = options;
  const { apply_chat_template, fewshot_as_multiturn } = options;
  if (fewshot_as_multiturn && !apply_chat_template) {
    throw new UsageError(
      'usage.conflicting_options',
      '--fewshot_as_multiturn needs --apply_chat_template',
      {
        hint: 'Only a chat template has turns.',
      },
    );
  }
  const given = {
    num_fewshot: shotsOf(task, options.num_fewshot),
    system_instruction,
    ...{ apply_chat_template, fewshot_as_multiturn, gen_kwargs },
    fewshot_seed: seed,
    functions: functions === undefined ? undefined : resolve(functions),
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

/** A task that says 0 itself shows no examples, whatever the command line asks for. */
function shotsOf({ name, config, file }: ChosenTask, wanted: number | undefined) {
  const { numFewshot } = parseTask(config, file);
  if (numFewshot !== 0 || wanted === undefined || wanted === 0) return wanted;
  process.stderr.write(`${name}: its YAML sets num_fewshot: 0, so it shows no examples.\n`);
  return 0;
}

interface CollectOptions {
  readonly out: string;
  readonly options: LmEvalOptions;
  readonly results: Map<string, HarnessResults>;
}

async function collectResults(
  evaluations: Evaluations,
  { out, options, results }: CollectOptions,
): Promise<void> {
  const bootstrapIterations = options.bootstrap_iters;
  for (const evaluation of evaluations) {
    const { name } = evaluation.task;
    const files = rowFiles(out, evaluation.modelName, name);
    const found = await harnessResults(evaluation, { files, bootstrapIterations });
    if (found) results.set(name, found);
  }
}

function sayGroups({ groups }: ChosenTasks, results: ReadonlyMap<string, HarnessResults>): void {
  for (const group of groups) {
    const values = Object.entries(groupResults(group, results)).filter(
      ([key, value]) => key.includes(',') && !key.includes('_stderr') && typeof value === 'number',
    );
    for (const [key, value] of values) {
      process.stdout.write(`${group.name}: ${key} ${Number(value).toFixed(4)}\n`);
    }
  }
}

function sayCut(name: string, count: number): void {
  if (count > 0) process.stderr.write(`${name}: ${count} contexts cut at their beginning to fit\n`);
}

/** The one metric that some models leave without a value while the others have theirs. */
function sayUnmeasured({ name, config, file }: ChosenTask, found?: HarnessResults): void {
  const metric = 'acc_mutual_info';
  const isWanted = parseTask(config, file).metrics.some((one) => one.metric === metric);
  if (!found || !isWanted || Object.keys(found.values).some((key) => key.startsWith(metric)))
    return;
  process.stderr.write(
    `${name}: ${metric} is left out: the model gives no probability for the first token of a text.\n`,
  );
}

interface SavedParts {
  readonly chosen: ChosenTasks;
  readonly options: LmEvalOptions;
  readonly results: ReadonlyMap<string, HarnessResults>;
  readonly modelName: string;
}

/** Writes to the file that is named, or to files of the original's names in a folder. */
async function saveResults(parts: SavedParts, path: string): Promise<void> {
  const { chosen, options, results, modelName } = parts;
  const date = new Date();
  const stamp = date.toISOString().replaceAll(':', '-').replace('Z', '');
  const isFile = path.endsWith('.json');
  const folder = isFile ? dirname(resolve(path)) : join(resolve(path), sanitizedName(modelName));
  await writing(folder, () => mkdir(folder, { recursive: true }));
  const file = isFile ? resolve(path) : join(folder, `results_${stamp}.json`);
  const content = resultFile({ ...chosen, options, modelName, results, date });
  await writeWhole(file, `${JSON.stringify(content, null, 2)}\n`);
  process.stdout.write(`Results: ${displayPath(file)}\n`);
  if (!options.log_samples) return;
  for (const [name, { samples }] of results) {
    const lines = samples.map(
      (sample) => `${dumpJson(toPython(sample), { ensureAscii: false })}\n`,
    );
    const own = join(folder, `samples_${sanitizedName(name)}_${stamp}.jsonl`);
    await writeWhole(own, lines.join(''));
    process.stdout.write(`Samples: ${displayPath(own)}\n`);
  }
}
