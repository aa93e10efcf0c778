import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { parseConfig } from '../../src/config/load-config.ts';
import type { TracedRequestText } from '../../src/evaluation/inference.ts';
import { openEvaluations } from '../../src/evaluation/open-evaluations.ts';
import { digester } from '../../src/import/digests.ts';
import { nativeConfig } from '../../src/import/native-config.ts';
import {
  asPlain,
  fromEntries,
  type Plain,
  pickKeys,
  toPlain,
} from '../../src/import/plain-value.ts';
import { PythonLoader } from '../../src/import/python/load-python.ts';
import { chatStandIn } from '../../src/import/stand-in.ts';
import { joinSpans } from '../../src/prompt/origin.ts';
import type { PositionedRow } from '../../src/prompt/trace.ts';
import { decode } from './codec.ts';
import { compare, type Difference, difference } from './compare.ts';
import type { Handlers } from './handler.ts';
import { isArray, isObject, type Json, type JsonObject, listAt, objectAt, textAt } from './json.ts';

/** Vectors that name configs of OpenCompass's own tree, which `OPENCOMPASS_TREE` says the folder of. */
export const importedConfigHandlers: Handlers = {
  'digest of a config': async (vector) => {
    const loader = await treeLoader();
    if (!loader) return 'skipped';
    const { names: _, prompt_hash_error: __, ...expected } = vector;
    const digest = digester(loader)(textAt(vector, 'file'));
    const given = digest as unknown as JsonObject;
    return compare(
      expected,
      Object.fromEntries(Object.keys(expected).map((key) => [key, given[key] ?? null])),
    );
  },
  'imported gen': checkImported,
  'imported ppl': checkImported,
};

let opened: Promise<PythonLoader> | undefined;

function treeLoader(): Promise<PythonLoader> | undefined {
  const tree = process.env.OPENCOMPASS_TREE;
  if (tree === undefined) return undefined;
  if (!existsSync(join(tree, 'opencompass'))) {
    throw new Error(`OPENCOMPASS_TREE=${tree}: there is no folder opencompass in it`);
  }
  opened ??= PythonLoader.open(tree, {});
  return opened;
}

const datasetsOf = new Map<string, readonly Plain[]>();

async function importedDatasets(loader: PythonLoader, config: string): Promise<readonly Plain[]> {
  const file = `opencompass/configs/datasets/${config}`;
  const known = datasetsOf.get(file);
  if (known) return known;
  const { value } = nativeConfig([loader.load(file)], { data: new Map() });
  const datasets = value.datasets as readonly Plain[];
  datasetsOf.set(file, datasets);
  return datasets;
}

/**
 * The words of the vectors are made up, and everything else of the configs stayed: the templates of the imported config
 * get these words, text for text, and its prompts on the rows of the vector are those of the vector.
 */
async function checkImported(vector: JsonObject): Promise<readonly Difference[] | 'skipped'> {
  const loader = await treeLoader();
  if (!loader) return 'skipped';
  const named = (await importedDatasets(loader, textAt(vector, 'config'))).filter(
    ({ abbr }) => vector.abbr === null || abbr === vector.abbr,
  );
  const found = named.map((dataset) => reworded(dataset, vector));
  const dataset = found.find((one): one is Plain => !('at' in one));
  if (!dataset) {
    const [first] = found as unknown as readonly Difference[];
    return [first ?? difference({ at: 'abbr', expected: vector.abbr, actual: undefined })];
  }
  const given = await promptsOf({ ...dataset, rows: rowsOf(vector) });
  const expected = expectedPrompts(vector);
  return compare(expected, given.slice(0, expected.length));
}

function rowsOf(vector: JsonObject): Plain {
  const plain = (entry: Json) => toPlain(decode(entry));
  const { extra_prompt: extra } = objectAt(vector, 'inferencer');
  return {
    test: [
      { ...objectAt(vector, 'entry'), ...(isObject(extra) && extra) },
      ...listAt(vector, 'other_entries'),
    ].map(plain),
    train: listAt(vector, 'ice_entries').map(plain),
  };
}

/** An imported dataset in the words of a vector, or where it is built otherwise. */
function reworded(dataset: Plain, vector: JsonObject): Plain | Difference {
  const { eval_cfg: _, ...rest } = dataset;
  const infer = dataset.infer_cfg as Plain;
  const columns = Object.keys(objectAt(vector, 'entry'));
  try {
    const templates = ['prompt_template', 'ice_template'].flatMap((key) => {
      const theirs = toPlain(decode(vector[key] ?? null)) as Plain | null;
      if (theirs === null) return [];
      const { type, ...own } = asPlain(infer[key]) ?? {};
      const { type: wanted, ...words } = theirs;
      if (type !== wanted) throw new Mismatch(`${key}.type`, wanted, type);
      return [[key, { type, ...(withWords(own, words, { at: key, columns }) as Plain) }] as const];
    });
    checkSame('reader_cfg', dataset.reader_cfg as Plain, objectAt(vector, 'reader_cfg'));
    return {
      ...rest,
      reader_cfg: pickKeys(dataset.reader_cfg as Plain, ['input_columns', 'output_column']),
      infer_cfg: {
        ...infer,
        ...Object.fromEntries(templates),
        retriever: withIndices(infer.retriever as Plain, objectAt(vector, 'retriever')),
      },
    };
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    return difference(error);
  }
}

class Mismatch extends Error {
  constructor(
    readonly at: string,
    readonly expected: unknown,
    readonly actual: unknown,
  ) {
    super(at);
  }
}

/** Texts that are no words. */
const settings = new Set<unknown>([
  'role',
  'fallback_role',
  'ice_token',
  'sep_token',
  'expand_column',
]);

interface Place {
  readonly at: string;
  readonly columns: readonly string[];
}

function withWords(own: unknown, theirs: unknown, { at, columns }: Place): unknown {
  if (typeof own === 'string' && typeof theirs === 'string') {
    const isShortened = own.length > 1000 && theirs.length < own.length * 0.7;
    const [shape, wanted] = [own, theirs].map((text) =>
      isShortened ? columnsOf(text, columns) : shapeOf(text),
    );
    if (shape !== wanted) throw new Mismatch(at, wanted, shape);
    return theirs;
  }
  if (Array.isArray(own) && Array.isArray(theirs) && own.length === theirs.length) {
    return own.map((item, index) =>
      withWords(item, theirs[index], { at: `${at}[${index}]`, columns }),
    );
  }
  const [members, words] = [entriesOf(own), entriesOf(theirs)];
  const keysOf = (entries: typeof members) => JSON.stringify(entries?.map(([key]) => key));
  if (members && words && keysOf(members) === keysOf(words)) {
    return fromEntries(
      members.map(([key, value], index) => {
        const other = words[index]?.[1];
        const isFixed = settings.has(key);
        if (isFixed && value !== other) throw new Mismatch(`${at}.${key}`, other, value);
        return [
          key,
          isFixed ? value : withWords(value, other, { at: `${at}.${key}`, columns }),
        ] as const;
      }),
    );
  }
  if (own !== theirs) throw new Mismatch(at, theirs, own);
  return own;
}

function entriesOf(value: unknown): (readonly [unknown, unknown])[] | undefined {
  if (value instanceof Map) return [...value];
  const plain = asPlain(value);
  return plain && Object.entries(plain);
}

/** What is left of a text without its words: columns, signs, numbers and white space. */
function shapeOf(text: string): string {
  return text.replace(/\{\w+\}|<\/E>|[\p{L}\p{M}]+/gu, (part) => (/^[{<]/.test(part) ? part : 'w'));
}

/** Vectors leave out parts of a few long texts, and no column. */
function columnsOf(text: string, columns: readonly string[]): string {
  const marks = ['</E>', ...columns.map((column) => `{${column}}`)];
  return (text.match(/\{\w+\}|<\/E>/g) ?? []).filter((mark) => marks.includes(mark)).join('');
}

function checkSame(at: string, own: Plain, wanted: JsonObject): void {
  for (const [key, value] of Object.entries(wanted)) {
    const [left, right] = [own[key] ?? null, value].map((one) => JSON.stringify([one].flat()));
    if (left !== right) throw new Mismatch(`${at}.${key}`, value, own[key]);
  }
}

/** Which examples are shown is the vector's; how they are joined is the config's. */
function withIndices(own: Plain, { type, indices }: JsonObject): Plain {
  if (type === 'ZeroRetriever') return own;
  const { ice_separator, ice_eos_token } = own;
  const fixed = { type: 'FixKRetriever', fix_id_list: indices ?? [] };
  return Object.fromEntries(
    Object.entries({ ...fixed, ice_separator, ice_eos_token }).filter(
      ([, one]) => one !== undefined,
    ),
  );
}

async function promptsOf(dataset: Plain): Promise<Json[]> {
  const value = chatStandIn({ compat: 'opencompass', datasets: [dataset] });
  const evaluations = await openEvaluations(await parseConfig(value as ConfigInput), {
    purpose: 'view',
  });
  const [evaluation] = evaluations;
  if (!evaluation) throw new Error('no evaluation of the dataset');
  try {
    const rows: PositionedRow[] = [];
    for await (const batch of evaluation.rows.batches()) rows.push(...batch);
    const { requests } = await evaluation.trace(rows[0] as PositionedRow);
    return (requests[0]?.texts ?? []).map(({ list }) => listOf(list));
  } finally {
    await evaluations.close();
  }
}

function listOf(list: TracedRequestText['list']): Json {
  if (list.type === 'text') return joinSpans(list.spans);
  return list.items.map((item) => {
    const text = joinSpans(item.spans);
    if (item.type === 'text') return text;
    const { role, fallbackRole } = item;
    return [role, fallbackRole ?? null, text];
  });
}

/** The prompts that a vector expects, without the marks of sections. */
function expectedPrompts(vector: JsonObject): Json[] {
  const { prompt, prompts } = objectAt(vector, 'expect');
  const all = prompts === undefined ? [prompt ?? null] : prompts;
  return (isArray(all) ? all : []).map((one) => {
    if (!isArray(one)) return one;
    return one.flatMap((item): Json[] => {
      if (!isObject(item)) return [item];
      if ('section' in item) return [];
      return [[item.role ?? null, item.fallback_role ?? null, item.prompt ?? item.content ?? '']];
    });
  });
}
