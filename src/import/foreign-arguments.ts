import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { UsageError } from '../base/usage-error.ts';
import type { Config } from '../config/config.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { spellNamedModel } from '../config/flags.ts';
import { checkForeign, parseConfig, promptfooFile } from '../config/load-config.ts';
import { foreignOptions } from '../terminal/run/run-options.ts';
import { findConfigs } from './find-configs.ts';
import { findRoot, guessRoot, requireRoot } from './find-root.ts';
import { type MappingOptions, type NativeConfig, nativeConfig } from './native-config.ts';
import type { Plain } from './plain-value.ts';
import { PythonLoader } from './python/load-python.ts';
import { readEndpoints } from './read-endpoints.ts';
import { requireRows } from './require-rows.ts';
import { chatStandIn } from './stand-in.ts';
import { treeTexts } from './tree-texts.ts';

/** Options that say which configs of another system are read, and what they lack. */
export interface ForeignOptions extends MappingOptions {
  readonly root?: string | undefined;
  readonly models: readonly string[];
  readonly datasets: readonly string[];
  readonly summarizers: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** A model of the command line, in place of those of the config. */
  readonly model?: string | undefined;
}

export interface Foreign {
  /** The other arguments, with the config first. */
  readonly args: readonly string[];
  readonly config: Config;
}

const flagsWith = (value: RegExp) =>
  foreignOptions.flatMap(([written]) => (value.test(written) ? (written.split(' ')[0] ?? []) : []));
const single = new Set([...flagsWith(/<[^.]+>$/), '--model']);
const several = new Set(flagsWith(/\.\.\.>$/));

/** Reads the configs of another system that a command line names, and takes out the options that are about them. */
export async function readForeign(
  args: readonly string[],
  given: { readonly isAsked: boolean },
): Promise<Foreign> {
  const promptfoo = args.find((argument) => promptfooFile.test(argument));
  if (promptfoo === undefined) return readPython(args, given);
  const { readPromptfoo } = await import('./promptfoo/read-promptfoo.ts');
  return { args, config: await checkForeign(await readPromptfoo(promptfoo, given)) };
}

async function readPython(
  args: readonly string[],
  { isAsked }: { readonly isAsked: boolean },
): Promise<Foreign> {
  const { given, rest } = takeOptions(args);
  const options = optionsOf(given);
  const source = rest.find((argument) => /\.py$/i.test(argument));
  const read = await readNative(source, options);
  for (const { name, text } of read.notes) process.stderr.write(`${name}: ${text}\n`);
  const { native, leftOut } = requireRows(read, valuesOf('--dataset', rest));
  if (leftOut !== undefined) process.stderr.write(`${leftOut}\n`);
  const named = withModel(native.value, options.model);
  const isScored = isAsked || rest.some((argument) => /^--(?:judge|run)(?:=|$)/.test(argument));
  const value = isAsked ? named : chatStandIn(isScored ? named : unscored(named));
  if (isAsked && !options.approximate) requireSamePrompts(native);
  if (isAsked) requireAddresses(value);
  else for (const line of hashLines(native)) process.stderr.write(`${line}\n`);
  const config = await parseConfig(value as ConfigInput);
  const stand = source ?? options.root ?? '.';
  const known = (value.models as readonly Plain[] | undefined)?.some(
    ({ abbr }) => abbr === options.model,
  );
  return {
    args: [
      stand,
      ...rest.filter((argument) => argument !== source),
      ...(known ? ['--model', options.model as string] : []),
    ],
    config,
  };
}

/** The values of an option that may be repeated. */
function valuesOf(flag: string, args: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    if (argument.startsWith(`${flag}=`)) return argument.slice(flag.length + 1);
    return argument === flag ? (args[index + 1] ?? []) : [];
  });
}

/** Without what is about scores: rows need only what prompts show. */
function unscored(value: Plain): Plain {
  const datasets = (value.datasets as readonly Plain[]).map(({ eval_cfg: _, ...rest }) => rest);
  return { ...value, datasets };
}

const shownHashes = 5;

/** The prompt hashes of the datasets, by which OpenCompass tells prompts apart. */
function hashLines({ hashes }: NativeConfig): string[] {
  const lines = [...hashes].map(([abbr, hash]) => `${abbr}: prompt hash ${hash.slice(0, 6)}`);
  const more = lines.length - shownHashes;
  return more > 0
    ? [
        ...lines.slice(0, shownHashes),
        `and ${more} more; \`typecase list prompts CONFIG\` lists all`,
      ]
    : lines;
}

/** Refuses to ask with prompts that the config does not mean. */
function requireSamePrompts({ notes }: NativeConfig): void {
  const names = new Set(notes.filter((note) => note.changesPrompts).map(({ name }) => name));
  if (names.size === 0) return;
  throw new UsageError(
    'import.other_prompts',
    `${[...names].join(', ')} ${names.size === 1 ? 'has' : 'have'} no counterpart here, so different prompts would be sent`,
    { hint: '`typecase view` shows them; `--approximate` runs with them anyway.' },
  );
}

/** Says of all models that cannot be asked at once what to give for them. */
function requireAddresses(value: Plain): void {
  const models = (value.models ?? []) as readonly Plain[];
  const without = models.filter(({ type }) => type === undefined).map(({ abbr }) => abbr);
  const isAsked = models.some(({ judge }) => !judge);
  if (isAsked && without.length === 0) return;
  if (!isAsked) {
    throw new UsageError('import.no_address', 'the config names no model', {
      hint: 'Add `--models NAME`, a model of the tree, or `--model ADDRESS`, such as `--model http://127.0.0.1:8000/v1`; `--model typecase-tiny` needs no server.',
    });
  }
  throw new UsageError('import.no_address', `no address is known for ${without.join(', ')}`, {
    hint: 'Serve the model, and give its address: `--base-url http://127.0.0.1:8000/v1`, or the variable TYPECASE_BASE_URL. `--model ADDRESS` or `--model typecase-tiny` uses another model; the address of a judge is `--judge-url` or OC_JUDGE_API_BASE.',
  });
}

/** A model by its abbr in the config, or one that the command line spells. */
function withModel(value: Plain, model: string | undefined): Plain {
  const models = (value.models ?? []) as readonly Plain[];
  if (model === undefined) return value;
  const named = models.filter(({ abbr, judge }) => abbr === model || judge);
  if (named.some(({ abbr }) => abbr === model)) return { ...value, models: named };
  return { ...value, models: [spellNamedModel({}, model), ...models.filter(({ judge }) => judge)] };
}

function takeOptions(args: readonly string[]): { given: [string, string][]; rest: string[] } {
  const given: [string, string][] = [];
  const rest: string[] = [];
  for (let index = 0; index < args.length; index++) {
    const argument = args[index] as string;
    const [flag = '', inline] = argument.split(/=(.*)/s);
    if (single.has(flag)) {
      const value = inline ?? args[++index];
      if (value === undefined) throw missingValue(flag);
      given.push([flag, value]);
    } else if (argument === '--approximate') given.push([argument, '']);
    else if (several.has(argument)) {
      while (args[index + 1] !== undefined && !args[index + 1]?.startsWith('-'))
        given.push([argument, args[++index] as string]);
    } else if (Object.hasOwn(otherWays, flag)) throw otherWay(flag);
    else rest.push(argument);
  }
  return { given, rest };
}

/** Options of the other systems' command lines that are spelled otherwise here. */
const otherWays: Readonly<Record<string, string>> = {
  '--work-dir': '`--out FOLDER`',
  '-w': '`--out FOLDER`',
  '--mode':
    '`typecase run` asks, scores and reports; `typecase score` and `typecase report` do the last two again',
  '-m': '`typecase run` asks, scores and reports',
  '--dry-run': '`typecase plan`, which sends nothing',
  '--reuse': 'run the same command to resume',
  '-r': 'run the same command to resume',
  '--max-num-workers': '`--concurrency N`',
  '--max-num-worker': '`--concurrency N`',
  '--num-prompts': '`--limit N`',
  '--num-warmups': 'nothing is asked before the run',
  '--hf-path':
    '`--model ADDRESS`, where the model is served, or `--model FOLDER` with an ONNX model',
  '--hf-type': '`--model ADDRESS`, and `--completions` for base models',
  '--custom-dataset-path': '`typecase run FILE`, with the rows themselves',
  '--dump-eval-details':
    'the run folder has all rows with their scores; `typecase show` prints them',
  '--merge-ds': 'results are for each dataset; `summary_groups` average them',
};

function otherWay(flag: string): UsageError {
  return new UsageError('usage.unknown_option', `unknown option '${flag}'`, {
    hint: `Here: ${otherWays[flag]}.`,
  });
}

/** The tree that configs are looked for in by name where none is named. */
function treeAbove(): string {
  const root = guessRoot(join(process.cwd(), 'a'));
  const isTree = ['opencompass', 'ais_bench', 'configs'].some((name) =>
    existsSync(join(root, name)),
  );
  if (isTree) return root;
  throw new UsageError(
    'usage.missing_argument',
    'configs are given by name, but not the tree that contains them',
    {
      hint: 'Add `--root TREE`, the folder that holds `opencompass/` or `ais_bench/`.',
    },
  );
}

function missingValue(flag: string): UsageError {
  return new UsageError('usage.missing_argument', `\`${flag}\` needs a value`, {
    hint: 'Write it after the option.',
  });
}

function optionsOf(given: readonly (readonly [string, string])[]): ForeignOptions {
  const all = (flag: string) => given.filter(([name]) => name === flag).map(([, value]) => value);
  const last = (flag: string) => all(flag).at(-1);
  return {
    ...readForeignOptions({
      root: last('--root'),
      data: all('--data'),
      dataDir: last('--data-dir'),
      baseUrl: last('--base-url'),
      judgeUrl: last('--judge-url'),
      env: all('--env'),
      approximate: last('--approximate') !== undefined,
    }),
    models: all('--models'),
    datasets: all('--datasets'),
    summarizers: all('--summarizer'),
    model: last('--model'),
  };
}

interface WrittenOptions {
  readonly root?: string | undefined;
  readonly data?: readonly string[] | undefined;
  readonly dataDir?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly judgeUrl?: string | undefined;
  readonly env?: readonly string[] | undefined;
  readonly approximate?: boolean | undefined;
}

/** What options of a command line say of a config of another system. */
export function readForeignOptions({
  root,
  data = [],
  dataDir,
  baseUrl,
  judgeUrl,
  env = [],
  approximate,
}: WrittenOptions): ForeignOptions {
  const rows = data.map((value): [string, string] => {
    const [abbr = '', path] = existsSync(value) ? [value] : value.split(/=(.*)/s);
    return path === undefined ? ['*', abbr] : [abbr, path];
  });
  return {
    root,
    models: [],
    datasets: [],
    summarizers: [],
    data: new Map(rows),
    dataDir,
    approximate,
    baseUrl: baseUrl ?? process.env.TYPECASE_BASE_URL,
    judgeUrl,
    variables: Object.fromEntries(env.map((name) => [name, process.env[name]])),
  };
}

/** Reads configs as one of this project. */
export async function readNative(
  source: string | undefined,
  options: ForeignOptions,
): Promise<NativeConfig> {
  const place = source === undefined ? undefined : findRoot(source, options.root);
  const root = place?.root ?? requireRoot(options.root ?? treeAbove());
  const loader = await PythonLoader.open(root, options.variables, place?.beside);
  const files = [...(place ? [place.file] : []), ...findConfigs(root, options)];
  const native = nativeConfig(
    files.map((file) => loader.load(file)),
    {
      ...options,
      textsOf: treeTexts(root, loader),
      endpoints: readEndpoints([resolve(root, dirname(place?.file ?? '')), root]),
    },
  );
  const asked = [...loader.files.missing];
  if (asked.length > 0) {
    process.stderr.write(
      `The config asks for the environment variables ${asked.join(', ')}, which are hidden from it; allow one with --env NAME.\n`,
    );
  }
  return native;
}
