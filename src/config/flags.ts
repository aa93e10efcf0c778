import { existsSync } from 'node:fs';
import { basename, extname, isAbsolute, resolve } from 'node:path';
import { UsageError } from '../base/usage-error.ts';
import { customText, customTextTask } from '../compat/data/custom-text/custom-text-task.ts';
import type { Row } from '../prompt/values.ts';
import { checkConfig } from './check-config.ts';
import type { Config } from './config.ts';
import { loadConfig, type ParseOptions, spelledConfig } from './load-config.ts';
import { embeddedModel } from './local-folder.ts';
import { nameOfSource } from './run-defaults.ts';

/** What a command line says of what is asked, and of whom. */
export interface ConfigFlags {
  /** A config file, `task:NAME`, or a data file. */
  readonly source: string;
  /** An endpoint, a local model or, with a config file, the `abbr` of a model. */
  readonly model?: string | undefined;
  readonly modelName?: string | undefined;
  readonly completions?: boolean | undefined;
  readonly template?: string | undefined;
  /** How many examples a task gets. */
  readonly shots?: number | undefined;
  /** Folder of the data of a task that does not bring its own. */
  readonly dataDir?: string | undefined;
  /** Which release of the original a task follows. */
  readonly dialect?: string | undefined;
  readonly outputColumn?: string | undefined;
  /** The column that tells which rows belong together. */
  readonly clusterBy?: string | undefined;
  readonly evaluator?: string | undefined;
  readonly metaTemplate?: string | undefined;
  readonly apiKeyEnv?: string | undefined;
}

type Kind = 'a config' | 'a task' | 'a data file';

const configExtensions = ['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml'];
const taskPrefix = 'task:';

/** The config that a command line names or spells. */
export async function configOfFlags(
  flags: ConfigFlags,
  { folder = process.cwd() }: ParseOptions = {},
): Promise<Config> {
  const kind = kindOf(flags);
  refuseUnused(flags, kind);
  if (kind === 'a config') {
    return isAbsolute(flags.source) || folder === process.cwd()
      ? loadConfig(flags.source)
      : loadConfig(resolve(folder, flags.source));
  }
  const dataset = kind === 'a task' ? spellTask(flags) : await spellRows(flags, folder);
  const models = [spellModel(flags, { kind, folder })];
  const config = checkConfig(await spelledConfig({ models, datasets: [dataset] }, { folder }));
  // Messages name the flag in place of an entry that nobody wrote.
  return {
    ...config,
    models: config.models.map((model) => ({ ...model, source: ['--model'] })),
  };
}

/** Whether a command line names a config file, whose models and datasets have names. */
export function namesConfig(flags: ConfigFlags): boolean {
  return kindOf(flags) === 'a config';
}

/** A JSON file is a config unless it comes with a template. */
function kindOf({ source, template }: ConfigFlags): Kind {
  if (source.startsWith(taskPrefix)) return 'a task';
  const extension = extname(source).toLowerCase();
  const isConfig =
    configExtensions.includes(extension) ||
    extension === '.py' ||
    (extension === '.json' && template === undefined);
  return isConfig ? 'a config' : 'a data file';
}

const modelFlags = {
  modelName: '--model-name',
  completions: '--completions',
  metaTemplate: '--meta-template',
  apiKeyEnv: '--api-key-env',
} as const;
const rowFlags = {
  template: '--template',
  outputColumn: '--output-column',
  evaluator: '--evaluator',
} as const;

const unused: Readonly<Record<Kind, Readonly<Partial<Record<keyof ConfigFlags, string>>>>> = {
  'a config': {
    ...modelFlags,
    ...rowFlags,
    shots: '--shots',
    dataDir: '--data-dir',
    dialect: '--dialect',
    clusterBy: '--cluster-by',
  },
  'a task': rowFlags,
  'a data file': { shots: '--shots', dataDir: '--data-dir', dialect: '--dialect' },
};

/** Refuses flags that would have no effect, so that nobody takes them for done. */
function refuseUnused(flags: ConfigFlags, kind: Kind): void {
  const found = Object.entries(unused[kind]).find(
    ([name]) => flags[name as keyof ConfigFlags] !== undefined,
  );
  if (found) throw conflictingFlag(flags, { kind, flag: found[1] });
}

function conflictingFlag(
  { source }: ConfigFlags,
  { kind, flag }: { readonly kind: Kind; readonly flag: string },
): UsageError {
  const isJson = /\.json$/i.test(source);
  const json = isJson ? ' To use a JSON data file, add `--template`.' : '';
  return new UsageError('usage.conflicting_options', `${kind} does not take \`${flag}\``, {
    hint: kind === 'a config' ? `Set it in the config.${json}` : 'Leave it out, or write a config.',
  });
}

/** Refuses flags that only a config file has a use for. */
export function requireConfig(flags: ConfigFlags, flag: string): void {
  const kind = kindOf(flags);
  if (kind !== 'a config') throw conflictingFlag(flags, { kind, flag });
}

/** The flags that say how a model is asked, in the spelling of configs. */
export type ModelFlags = Omit<ConfigFlags, 'source'>;

function spellModel(
  flags: ConfigFlags,
  { kind, folder }: { readonly kind: Kind; readonly folder: string },
) {
  if (flags.model !== undefined) return spellNamedModel(flags, flags.model, folder);
  const needing = kind === 'a task' ? 'A task' : 'A data file';
  throw new UsageError('usage.model_missing', `${needing} needs a model`, {
    hint: `Add \`--model ${embeddedModel}\`(built in), \`--model http://127.0.0.1:8000/v1\`, or the folder of a local model.`,
  });
}

/** A model of the command line as a config has it: an endpoint, or a local folder. */
export function spellNamedModel(flags: ModelFlags, model: string, folder = process.cwd()) {
  const { modelName, completions, metaTemplate, apiKeyEnv } = flags;
  const format = metaTemplate !== undefined && { meta_template: metaTemplate };
  if (/^https?:/i.test(model)) {
    return {
      ...format,
      abbr: modelName ?? (URL.canParse(model) ? new URL(model).host : model),
      type: completions ? 'OpenAICompletions' : 'OpenAI',
      base_url: model,
      ...(modelName !== undefined && { model: modelName }),
      ...(apiKeyEnv !== undefined && { api_key_env: apiKeyEnv }),
    };
  }
  if (!/^hf:/.test(model) && model !== embeddedModel && !existsSync(resolve(folder, model))) {
    throw new UsageError('usage.unknown_model', `unknown model \`${model}\``, {
      hint: `Give an endpoint address, such as \`http://127.0.0.1:8000/v1\`, the folder of a local model, or \`${embeddedModel}\`.`,
    });
  }
  return { ...format, abbr: modelName ?? basename(model), type: 'Local', path: model };
}

/** A task, one of its templates, and examples: `task:arithmetic/equation`. */
function spellTask({ source, shots = 0, clusterBy, ...flags }: ConfigFlags) {
  const retriever =
    shots > 0 ? { type: 'RandomRetriever', ice_num: shots } : { type: 'ZeroRetriever' };
  return {
    ...spellTaskName(source, flags),
    ...(clusterBy !== undefined && { reader_cfg: spellClusters(clusterBy) }),
    infer_cfg: { retriever },
  };
}

function spellClusters(clusterBy: string | undefined) {
  return clusterBy !== undefined && { cluster_by: clusterBy };
}

/** The task and the template that `task:NAME/TEMPLATE` names. */
export function spellTaskName(
  source: string,
  { dataDir, dialect }: Pick<ConfigFlags, 'dataDir' | 'dialect'> = {},
) {
  const [task = '', version] = source.slice(taskPrefix.length).split('/', 2);
  return {
    task,
    ...(version !== undefined && { version }),
    ...(dialect !== undefined && { dialect }),
    ...(dataDir !== undefined && { path: dataDir }),
  };
}

/** Whether a source is the name of a task. */
export function namesTask(source: string): boolean {
  return source.startsWith(taskPrefix);
}

async function spellRows(flags: ConfigFlags, folder: string) {
  const { source, template, outputColumn, clusterBy, evaluator } = flags;
  if (template === undefined) return spellCustomRows(flags, folder);
  if (outputColumn === undefined && evaluator !== undefined) {
    throw noAnswers('Name the column that holds them: `--output-column answer`.');
  }
  return {
    abbr: nameOfSource(source),
    path: source,
    reader_cfg: {
      input_columns: [],
      output_column: outputColumn ?? null,
      ...spellClusters(clusterBy),
    },
    infer_cfg: inferConfig(template),
    ...(outputColumn !== undefined && { eval_cfg: { evaluator: { type: evaluator ?? 'exact' } } }),
  };
}

function noAnswers(hint: string): UsageError {
  const message = '`--evaluator` needs gold answers';
  return new UsageError('usage.missing_argument', message, { hint });
}

/** Rows in AISBench's custom format say by their columns how they are asked. */
async function spellCustomRows(
  { source, evaluator, outputColumn: named, clusterBy }: ConfigFlags,
  folder: string,
) {
  if (named !== undefined) {
    throw new UsageError(
      'usage.conflicting_options',
      '`--output-column` has no effect without `--template`',
      { hint: 'Add `--template`, or name the column `answer` and omit the option.' },
    );
  }
  const task = customTextTask(await firstRowOf(source, folder));
  const { template, inputColumns, outputColumn, options } = task;
  if (outputColumn === undefined && evaluator !== undefined) {
    throw noAnswers('Give the rows a column `answer`, or add `--template` to name another one.');
  }
  const type = evaluator ?? (options.length > 0 ? 'choice' : 'exact');
  const judge = type === 'choice' ? { type, options, text_columns: options } : { type };
  return {
    type: customText,
    abbr: nameOfSource(source),
    path: source,
    reader_cfg: {
      input_columns: [...inputColumns, 'max_out_len'],
      output_column: outputColumn ?? null,
      ...spellClusters(clusterBy),
    },
    infer_cfg: inferConfig(template),
    ...(outputColumn !== undefined && { eval_cfg: { evaluator: judge } }),
  };
}

function inferConfig(template: string) {
  return {
    prompt_template: { type: 'PromptTemplate', template },
    retriever: { type: 'ZeroRetriever' },
    inferencer: { type: 'GenInferencer' },
  };
}

async function firstRowOf(source: string, folder: string): Promise<Row> {
  const { openRows } = await import('../data/open-rows.ts');
  for await (const [first] of (await openRows(source, { folder })).batches())
    if (first) return first.row;
  throw new UsageError(
    'usage.template_missing',
    `${source} has no rows, so the task cannot be guessed`,
    {
      hint: 'Add `--template "Q: {question}\\nA: {answer}" --output-column answer`.',
    },
  );
}
