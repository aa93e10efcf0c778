import { basename, dirname, resolve } from 'node:path';
import { problemsError } from '../../config/problems.ts';
import { readConfigFile } from '../../config/read-config-file.ts';
import { toPlain } from '../../prompt/mapping.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { messagesColumn, ownColumns, testColumn, thresholdColumn } from './own-columns.ts';
import { CheckMaker } from './promptfoo-checks.ts';
import { messagesOf, type PromptSource, readPrompts } from './promptfoo-prompts.ts';
import { commonTransform, type ReadProvider, readProviders } from './promptfoo-providers.ts';
import { type ReadTest, readTests } from './promptfoo-tests.ts';
import { type Reading, refuseKeys, variableSlot, variableValue } from './reading.ts';

/** A config of promptfoo in the words of this project. */
export interface PromptfooConfig {
  readonly value: Plain;
  readonly folder: string;
  readonly name: string;
  /** What has no form in a YAML file, with its places. */
  readonly unwritten: readonly string[];
}

const known = [
  ...['description', 'prompts', 'providers', 'targets', 'tests', 'defaultTest', 'scenarios'],
  ...[
    'assertionTemplates',
    'evaluateOptions',
    '$schema',
    'outputPath',
    'sharing',
    'tags',
    'metadata',
  ],
];

/** Reads a promptfooconfig; all that has no counterpart is named at once. */
export async function readPromptfoo(
  file: string,
  { isAsked }: { readonly isAsked: boolean },
): Promise<PromptfooConfig> {
  const loaded = await readConfigFile(file);
  const reading: Reading = {
    file: loaded.file,
    folder: loaded.folder,
    isAsked,
    problems: [],
    unwritten: [],
  };
  const config = withVariables(reading, toPlain(loaded.value), []) as Plain;
  refuseKeys(reading, config, { path: [], known });
  const prompts = await readPrompts(reading, config.prompts);
  const providers = await readProviders(reading, config.providers ?? config.targets);
  const tests = await readTests(reading, config);
  const made = await nativeValue(reading, { prompts, providers, tests });
  const options = evaluateOptions(reading, config);
  if (reading.problems.length > 0) throw problemsError(loaded, reading.problems);
  return {
    value: withOptions(made, options),
    folder: loaded.folder,
    name: nameOf(file),
    unwritten: [...new Set(reading.unwritten)],
  };
}

/** `french` of `promptfooconfig.french.yaml`; else the folder says what it is about. */
function nameOf(file: string): string {
  const own = /^promptfooconfig[._-](.+)\.\w+$/i.exec(basename(file))?.[1];
  return own ?? (basename(dirname(resolve(file))) || 'promptfoo');
}

/** `{{ env.NAME }}` is put in wherever it stands, but for keys, which stay in their variables. */
function withVariables(reading: Reading, value: unknown, path: (string | number)[]): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => withVariables(reading, item, [...path, index]));
  if (asPlain(value)) {
    return Object.fromEntries(
      Object.entries(value as Plain).map(([key, item]) => [
        key,
        key === 'apiKey' ? item : withVariables(reading, item, [...path, key]),
      ]),
    );
  }
  if (typeof value !== 'string') return value;
  return value.replace(variableSlot, (_, plain, quoted) =>
    variableValue(reading, plain ?? quoted, path),
  );
}

interface Parts {
  readonly prompts: readonly PromptSource[];
  readonly providers: readonly ReadProvider[];
  readonly tests: readonly ReadTest[];
}

/** Each prompt is a dataset, whose rows are the tests. */
async function nativeValue(reading: Reading, { prompts, providers, tests }: Parts): Promise<Plain> {
  const models = providers.map(({ model }) => model);
  const maker = new CheckMaker(reading, {
    transform: commonTransform(reading, providers),
    tools: providers.flatMap(({ tools }) => tools),
  });
  const checks: (readonly Plain[])[] = [];
  for (const [index, test] of tests.entries()) checks.push(await maker.ofTest(test, index));
  const names = namesOf(prompts);
  const hasThresholds = tests.some(({ threshold }) => threshold !== undefined);
  const provider =
    models.length === 1 ? { id: models[0]?.abbr, label: models[0]?.abbr } : undefined;
  const datasets = prompts.map((prompt, number) => ({
    abbr: names[number],
    rows: tests.map((test, index) => ({
      ...test.vars,
      ...(prompt.raw !== undefined && {
        [messagesColumn]: messagesOf(reading, withAffixes(prompt, prompt.raw, test), test.vars),
      }),
      [testColumn]: index,
      ...(hasThresholds && { [thresholdColumn]: test.threshold ?? null }),
      ...((checks[index]?.length ?? 0) > 0 && { checks: checks[index] }),
    })),
    reader_cfg: {
      input_columns: prompt.code ? [testColumn] : [messagesColumn],
      output_column: null,
    },
    infer_cfg: { prompt_template: templateOf(reading, prompt, provider) },
    eval_cfg: { evaluator: maker.evaluator(tests) },
  }));
  return { models: [...models, ...maker.judges], datasets, gate: { fail_under: { pass_rate: 1 } } };
}

function withAffixes({ path }: PromptSource, raw: string, { options }: ReadTest) {
  return { raw: `${options.prefix ?? ''}${raw}${options.suffix ?? ''}`, path };
}

function templateOf(reading: Reading, { code, path }: PromptSource, provider: unknown): Plain {
  if (!code) return { messages: [{ expand_column: messagesColumn }] };
  return {
    template: async ({ row }: { readonly row: Plain }) => {
      const vars = ownColumns(row);
      const made = await code({ vars, provider });
      const inner = asPlain(made)?.prompt ?? made;
      const text = typeof inner === 'string' ? inner : JSON.stringify(inner);
      const one = { ...reading, problems: [] as Reading['problems'] };
      // `prefix` and `suffix` do not change there what a function makes.
      const messages = messagesOf(one, { raw: text, path }, vars);
      const [problem] = one.problems;
      if (problem) throw new Error(`the prompt ${problem.message}`);
      return messages;
    },
  };
}

/** Labels, or numbers where there are none. */
function namesOf(prompts: readonly PromptSource[]): string[] {
  const names: string[] = [];
  for (const [index, { label }] of prompts.entries()) {
    const plain = label ?? `prompt-${index + 1}`;
    let name = plain;
    for (let number = 2; names.includes(name); number++) name = `${plain}-${number}`;
    names.push(name);
  }
  return names;
}

interface AskOptions {
  readonly repeat?: number | undefined;
  readonly atOnce?: number | undefined;
}

function evaluateOptions(reading: Reading, config: Plain): AskOptions {
  const options = asPlain(config.evaluateOptions) ?? {};
  const keys = ['maxConcurrency', 'repeat', 'cache', 'showProgressBar'];
  refuseKeys(reading, options, { path: ['evaluateOptions'], known: keys });
  const count = (value: unknown) => (typeof value === 'number' ? value : undefined);
  return { repeat: count(options.repeat), atOnce: count(options.maxConcurrency) };
}

function withOptions({ models, datasets, ...rest }: Plain, { repeat, atOnce }: AskOptions): Plain {
  const all = (list: unknown, more: Plain) =>
    (list as readonly Plain[]).map((one) => ({ ...one, ...more }));
  return {
    ...rest,
    models: all(models, atOnce === undefined ? {} : { batch_size: atOnce }),
    datasets: all(datasets, repeat === undefined ? {} : { n: repeat }),
  };
}
