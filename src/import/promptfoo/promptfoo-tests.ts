import { resolve } from 'node:path';
import { openRows } from '../../data/open-rows.ts';
import type { ConfigPath } from '../../errors.ts';
import { toPlain } from '../../prompt/mapping.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import type { Code } from './import-code.ts';
import { assertionOf, assertionsOf, type WrittenAssertion } from './promptfoo-assertions.ts';
import { readTransform } from './promptfoo-transforms.ts';
import { resolvedVariables } from './promptfoo-variables.ts';
import {
  filePath,
  filesOf,
  type Reading,
  readText,
  readValue,
  refuse,
  refuseKeys,
} from './reading.ts';

/** A test with one value for each variable. */
export interface ReadTest {
  readonly vars: Plain;
  readonly assertions: readonly WrittenAssertion[];
  readonly options: Plain;
  readonly metadata: Plain;
  readonly description?: unknown;
  /** The score from which it passes, whichever assertions fail. */
  readonly threshold?: number | undefined;
  readonly path: ConfigPath;
}

const testKeys = ['description', 'vars', 'assert', 'options', 'metadata', 'threshold'];
const optionKeys = [
  'prefix',
  'suffix',
  'provider',
  'disableVarExpansion',
  'transform',
  'postprocess',
  'transformVars',
];

/** As many tests as the lists of one test may stand for. */
const mostTests = 100_000;

/** A test as it is written, with the place of its assertions. */
interface TestEntry {
  readonly value: Plain;
  readonly assertions: readonly WrittenAssertion[];
  readonly path: ConfigPath;
}

/** Reads `tests` and `scenarios`, with what `defaultTest` adds to each. */
export async function readTests(reading: Reading, config: Plain): Promise<ReadTest[]> {
  const entries = await entriesOf(reading, config.tests, { path: ['tests'], config });
  const inScenarios = await scenarioEntries(reading, config);
  const isNone = entries.length === 0 && config.scenarios === undefined;
  const all = isNone ? [{ value: {}, assertions: [], path: [] }] : [...entries, ...inScenarios];
  const first = await defaultEntry(reading, config);
  const changes = new Map<unknown, Code | undefined>();
  const tests: ReadTest[] = [];
  for (const entry of all) {
    const changed = await withChangedVariables(reading, merged([first, entry]), changes);
    for (const test of expand(reading, changed)) tests.push(test);
  }
  return tests;
}

/** Variables with those that `transformVars` makes of them: code that prompts need, as functions that make them. */
async function withChangedVariables(
  reading: Reading,
  entry: TestEntry,
  known: Map<unknown, Code | undefined>,
): Promise<TestEntry> {
  const written = asPlain(entry.value.options)?.transformVars;
  if (written === undefined || written === null) return entry;
  const path = [...entry.path, 'options', 'transformVars'];
  if (!known.has(written)) {
    const place = { value: written, path, input: 'vars' };
    known.set(written, await readTransform({ ...reading, isAsked: true }, place));
  }
  const code = known.get(written);
  if (!code) return entry;
  try {
    const vars = asPlain(entry.value.vars) ?? {};
    const made = asPlain(await code({ ...vars }, { prompt: {} }, process));
    if (!made) throw new Error('it did not return a mapping of variables');
    return { ...entry, value: { ...entry.value, vars: { ...vars, ...made } } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    refuse(reading, path, { what: `cannot be used: ${reason}` });
    return entry;
  }
}

async function defaultEntry(reading: Reading, config: Plain): Promise<TestEntry> {
  const path = ['defaultTest'];
  const file = filePath(config.defaultTest);
  const given = file === undefined ? config.defaultTest : readValue(reading, file, path);
  return given === undefined
    ? { value: {}, assertions: [], path }
    : entryOf(reading, given, { path, config });
}

interface Place {
  readonly path: ConfigPath;
  /** The whole config, for what assertions refer to. */
  readonly config: Plain;
}

/** Tests in a list, in a file, or in files of a list. */
async function entriesOf(reading: Reading, given: unknown, place: Place): Promise<TestEntry[]> {
  if (given === undefined || given === null) return [];
  if (typeof given === 'string') return fileEntries(reading, given, place);
  if (!Array.isArray(given)) {
    refuse(reading, place.path, { what: 'is neither a list of tests nor the path of a file' });
    return [];
  }
  const found: TestEntry[][] = [];
  for (const [index, entry] of given.entries()) {
    const at = { ...place, path: [...place.path, index] };
    if (typeof entry === 'string') found.push(await fileEntries(reading, entry, at));
    else found.push([entryOf(reading, entry, at)]);
  }
  return found.flat();
}

async function fileEntries(reading: Reading, given: string, place: Place): Promise<TestEntry[]> {
  const found: TestEntry[][] = [];
  for (const name of filesOf(reading, filePath(given) ?? given, place.path))
    found.push(await entriesIn(reading, name, place));
  return found.flat();
}

async function entriesIn(reading: Reading, name: string, place: Place): Promise<TestEntry[]> {
  const { path } = place;
  if (!/\.(?:csv|json|jsonl|ya?ml)$/i.test(name) || /^\w+:\/\//.test(name)) {
    refuse(reading, path, {
      what: `names a test file of an unsupported kind: ${name}`,
      hint: 'Test files are CSV, JSON, JSONL or YAML.',
    });
    return [];
  }
  if (readText(reading, name, path) === undefined) return [];
  if (/\.(?:csv|jsonl)$/i.test(name)) {
    const rows: Plain[] = [];
    for await (const batch of (await openRows(resolve(reading.folder, name))).batches())
      rows.push(...batch.map(({ row }) => toPlain(row) as Plain));
    const isTable = /\.csv$/i.test(name);
    return rows.map((row) =>
      isTable ? csvEntry(reading, row, path) : entryOf(reading, row, place),
    );
  }
  const value = readValue(reading, name, path);
  return [value].flat().map((entry) => entryOf(reading, entry, place));
}

/** A line of a CSV file: variables, and columns of two underscores that are about the test. */
function csvEntry(reading: Reading, row: Plain, path: ConfigPath): TestEntry {
  const vars: Record<string, unknown> = {};
  const assertions: Plain[] = [];
  const options: Record<string, unknown> = {};
  const metadata: Record<string, unknown> = {};
  let description: string | undefined;
  let metric: string | undefined;
  let threshold: number | undefined;
  for (const [column, value] of Object.entries(row)) {
    const name = column.trim();
    const text = String(value ?? '');
    if (/^__expected\d*$/.test(name)) {
      if (text.trim() !== '') assertions.push(assertionOf(text.trim()));
    } else if (name === '__prefix' || name === '__suffix') options[name.slice(2)] = text;
    else if (name === '__metric') metric = text === '' ? undefined : text;
    else if (name === '__threshold') threshold = text.trim() === '' ? undefined : Number(text);
    else if (name === '__description') description = text;
    else if (name.startsWith('__metadata')) Object.assign(metadata, metadataOf(name, text));
    else if (name.startsWith('__')) {
      refuse(reading, path, { what: `has the column \`${name}\`, which is not supported` });
    } else vars[name] = value;
  }
  const named = assertions.map((one) => (metric === undefined ? one : { ...one, metric }));
  return {
    value: { vars, options, metadata, description, threshold },
    assertions: named.map((value) => ({ value, path })),
    path,
  };
}

/** `__metadata:key`, and `__metadata:key[]` with commas between its values. */
function metadataOf(column: string, text: string): Plain {
  const [, key, list] = /^__metadata:(.+?)(\[\])?$/.exec(column) ?? [];
  if (key === undefined || text.trim() === '') return {};
  return { [key]: list === undefined ? text : text.split(/(?<!\\),/).map((one) => one.trim()) };
}

function entryOf(reading: Reading, given: unknown, { path, config }: Place): TestEntry {
  const value = asPlain(given);
  if (!value) {
    refuse(reading, path, { what: 'is not a test' });
    return { value: {}, assertions: [], path };
  }
  refuseKeys(reading, value, { path, known: testKeys });
  const options = asPlain(value.options) ?? {};
  refuseKeys(reading, options, { path: [...path, 'options'], known: optionKeys });
  if (value.vars !== undefined && !asPlain(value.vars)) {
    refuse(reading, [...path, 'vars'], { what: 'is not a mapping of variables' });
  }
  return {
    value,
    assertions: assertionsOf(reading, value.assert, { path: [...path, 'assert'], config }),
    path,
  };
}

/** Each entry of `config` with each of `tests`. */
async function scenarioEntries(reading: Reading, config: Plain): Promise<TestEntry[]> {
  const found: TestEntry[][] = [];
  const list = Array.isArray(config.scenarios) ? config.scenarios : [];
  if (config.scenarios !== undefined && !Array.isArray(config.scenarios)) {
    refuse(reading, ['scenarios'], { what: 'is not a list' });
  }
  for (const [index, scenario] of list.entries()) {
    const path = ['scenarios', index];
    const mapping = asPlain(scenario);
    if (!mapping) {
      refuse(reading, path, { what: 'is not a mapping with `config` and `tests`' });
      continue;
    }
    refuseKeys(reading, mapping, { path, known: ['description', 'config', 'tests'] });
    const data = await entriesOf(reading, mapping.config, { path: [...path, 'config'], config });
    const tests = await entriesOf(reading, mapping.tests, { path: [...path, 'tests'], config });
    const each = tests.length === 0 ? [{ value: {}, assertions: [], path }] : tests;
    found.push(data.flatMap((one) => each.map((test) => merged([one, test]))));
  }
  return found.flat();
}

/** What stands later holds, of variables and options each by itself; assertions add up. */
function merged(entries: readonly TestEntry[]): TestEntry {
  const last = entries.at(-1) as TestEntry;
  const all = (key: string) =>
    Object.assign({}, ...entries.map(({ value }) => asPlain(value[key]) ?? {})) as Plain;
  const threshold = entries.map(({ value }) => value.threshold).findLast(isNumber);
  return {
    value: {
      vars: all('vars'),
      options: all('options'),
      metadata: all('metadata'),
      description: last.value.description,
      threshold,
    },
    assertions: entries.flatMap(({ assertions }) => assertions),
    path: last.path,
  };
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && !Number.isNaN(value);
}

/** Lists of texts stand for a test each, all with all. */
function expand(reading: Reading, { value, assertions, path }: TestEntry): ReadTest[] {
  const options = asPlain(value.options) ?? {};
  let found: Plain[] = [{}];
  for (const [name, given] of Object.entries(asPlain(value.vars) ?? {})) {
    const at = [...path, 'vars', name];
    if (name === 'checks' || name.startsWith('__')) {
      refuse(reading, at, {
        what: 'has a name that is already used',
        hint: 'Give it another name.',
      });
    }
    const isMany =
      Array.isArray(given) && typeof given[0] === 'string' && !options.disableVarExpansion;
    const values = (isMany ? given : [given]).map((one: unknown) => variable(reading, one, at));
    if (found.length * values.length > mostTests) {
      refuse(reading, at, {
        what: `makes more than ${mostTests.toLocaleString('en')} tests of one`,
        hint: 'Every value of a list is tested with every value of the others: shorten the lists.',
      });
      return [];
    }
    found = found.flatMap((vars) => values.map((one) => ({ ...vars, [name]: one })));
  }
  const threshold = isNumber(value.threshold) ? value.threshold : undefined;
  if (threshold !== undefined && !(threshold >= 0 && threshold <= 1)) {
    refuse(reading, [...path, 'threshold'], {
      what: `is ${threshold}, but scores are from 0 to 1`,
      hint: threshold > 1 && threshold <= 100 ? `Write ${threshold / 100}.` : undefined,
    });
  }
  return found.map((vars) => ({
    vars: resolvedVariables(vars),
    assertions,
    options,
    metadata: asPlain(value.metadata) ?? {},
    description: value.description,
    threshold,
    path,
  }));
}

function variable(reading: Reading, given: unknown, path: ConfigPath): unknown {
  const file = filePath(given);
  if (file === undefined) return given;
  if (!/\.(?:txt|md|json|ya?ml|html?|xml|csv)$/i.test(file)) {
    refuse(reading, path, {
      what: `names a file of an unsupported kind: ${file}`,
      hint: 'Variables can be read from text, JSON and YAML files.',
    });
    return '';
  }
  const isYaml = /\.ya?ml$/i.test(file);
  return isYaml
    ? JSON.stringify(readValue(reading, file, path))
    : (readText(reading, file, path) ?? '').trim();
}
