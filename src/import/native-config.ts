import { resolve } from 'node:path';
import { inferencerTypes, retrieverTypes, templateTypes } from '../config/type-names.ts';
import { Float } from '../prompt/values.ts';
import { PyDict, PyTuple, type PyValue } from '../python/values.ts';
import { customEntry } from './custom-entry.ts';
import { publishedFiles, publishedPath, type RowFiles } from './dataset-files.ts';
import type { JudgeContext } from './native-judges.ts';
import { type EndpointOptions, nativeModel } from './native-models.ts';
import { nativeScoring } from './native-scoring.ts';
import type { Note } from './note.ts';
import { asPlain, lastName, type Plain, pickKeys, toPlain } from './plain-value.ts';
import { keptNames } from './python/canonical.ts';
import type { LoadedPython } from './python/load-python.ts';
import { asList } from './python/operations.ts';
import { promptHash } from './python/prompt-hash.ts';
import type { TreeTexts } from './tree-texts.ts';

export interface MappingOptions extends EndpointOptions {
  /** Rows by the abbr of a dataset; `*` for all others. */
  readonly data: ReadonlyMap<string, string>;
  /** A folder in OpenCompass's `data/` layout. */
  readonly dataDir?: string | undefined;
  /** Texts of the tree that dataset classes put into prompts. */
  readonly textsOf?: TreeTexts | undefined;
  /** Whether answers are scored by what is near to an evaluator that is not here. */
  readonly approximate?: boolean | undefined;
}

/** A config in the words of this project, and what could not be taken over as it was. */
export interface NativeConfig {
  readonly value: Plain;
  readonly notes: readonly Note[];
  /** Prompt hashes by the abbr of the dataset. */
  readonly hashes: ReadonlyMap<string, string>;
  /** Where published files were looked for and are not, by the abbr of the dataset. */
  readonly missing: ReadonlyMap<string, string>;
}

/** Reads the datasets, models and summary groups of Python configs as a config of this project. */
export function nativeConfig(
  configs: readonly LoadedPython[],
  options: MappingOptions,
): NativeConfig {
  const notes: Note[] = [];
  const hashes = new Map<string, string>();
  const judges = new Map<string, Plain>();
  const missing = new Map<string, string>();
  const [judge] = configs.flatMap((config) => entriesOf(config, /^judge_models?$/));
  const judgeModel = judge && (toPlain(judge) as Plain);
  const datasets = distinct(configs.flatMap((config) => entriesOf(config, /(?:^|_)datasets$/))).map(
    (entry) => {
      const written = toPlain(entry) as Plain;
      const plain = customEntry(written, customFile(written, options));
      const hash = promptHash([entry]);
      const dataset = nativeDataset(plain, { ...options, judgeModel, judges, notes });
      if (hash !== undefined) hashes.set(dataset.abbr as string, hash);
      const path = options.dataDir && publishedPath(plain, resolve(options.dataDir));
      if (path && dataset.path === undefined) missing.set(dataset.abbr as string, path);
      return dataset;
    },
  );
  const models = distinct(
    configs.flatMap((config) => entriesOf(config, /^models$|(?<!^judge)_models?$/)),
  ).map((entry) => nativeModel(toPlain(entry) as Plain, options, notes));
  const asked = models.filter(({ abbr }) => !judges.has(abbr as string));
  const groups = configs.flatMap((config) => groupsOf(config, notes));
  const known = new Set(datasets.map(({ abbr }) => abbr));
  const used = groups.filter(({ subsets }) =>
    (subsets as string[]).every((abbr) => known.has(abbr)),
  );
  const isAisbench = configs.some((config) => mentionsAisbench(config));
  return {
    value: {
      compat: isAisbench ? 'aisbench' : 'opencompass',
      ...(asked.length + judges.size > 0 && { models: [...asked, ...judges.values()] }),
      datasets,
      ...(used.length > 0 && { summarizer: { summary_groups: used } }),
    },
    notes: mergeNotes(notes),
    hashes,
    missing,
  };
}

/** The rows of an entry without a class. */
function customFile(entry: Plain, { data, dataDir }: MappingOptions): string | undefined {
  const named = data.get(String(entry.abbr)) ?? data.get('*');
  if (named !== undefined) return resolve(named);
  return dataDir && publishedPath({ ...entry, type: 'CustomDataset' }, resolve(dataDir));
}

function entriesOf(config: LoadedPython, pattern: RegExp): PyDict[] {
  const named = keptNames(config).filter(([name]) => pattern.test(name));
  // `datasets` alone is what runs; lists that it was put together from are not asked again.
  const whole = named.find(([name]) => name === 'datasets' || name === 'models');
  return (whole ? [whole] : named).flatMap(([, value]) => itemsOf(value));
}

function itemsOf(value: PyValue): PyDict[] {
  const items = asList(value) ?? (value instanceof PyTuple ? value.items : []);
  return items.filter((item): item is PyDict => item instanceof PyDict);
}

function distinct(entries: readonly PyDict[]): PyDict[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(toPlain(entry)), entry])).values()];
}

function mentionsAisbench(config: LoadedPython): boolean {
  return JSON.stringify(
    keptNames(config).map(([, value]) => toPlain(value)),
    (_, value) => (typeof value === 'bigint' ? String(value) : value),
  ).includes('"ais_bench.');
}

/** The name that results have there. */
function abbrOf(entry: Plain): string {
  if (typeof entry.abbr === 'string') return entry.abbr;
  const name = entry.name === undefined ? '' : `_${entry.name}`;
  return `${entry.path}${name}`.replaceAll('/', '_');
}

const readerKeys = [
  'input_columns',
  'output_column',
  'train_split',
  'test_split',
  'train_range',
  'test_range',
];
const templateKeys = [
  'template',
  'messages',
  'ice_token',
  'sep_token',
  'column_token_map',
  'format_variables',
];
const retrieverKeys = [
  'ice_num',
  'fix_id_list',
  'ice_separator',
  'ice_eos_token',
  'ice_eos',
  'seed',
  'k',
  'index_split',
  'test_split',
  'candidate_num',
  'ce_model_name',
  'select_time',
];
const inferencerKeys = [
  'max_out_len',
  'min_out_len',
  'stopping_criteria',
  'gen_field_replace_token',
  'labels',
  'normalizing_str',
  'infer_mode',
  'generation_kwargs',
  'sc_size',
];

function nativeDataset(entry: Plain, options: MappingOptions & JudgeContext): Plain {
  const { notes } = options;
  const abbr = abbrOf(entry);
  const reader = asPlain(entry.reader_cfg) ?? {};
  const files = rowFilesOf(entry, abbr, options);
  const infer = asPlain(entry.infer_cfg) ?? {};
  const scoring =
    asPlain(entry.eval_cfg) && nativeScoring(entry.eval_cfg as Plain, { ...options, entry });
  const samples = typeof entry.n === 'number' ? { n: entry.n } : {};
  return {
    abbr,
    ...(files && { path: files.path, ...(files.published && { published: files.published }) }),
    ...samples,
    reader_cfg: {
      input_columns: [],
      ...pickKeys(reader, readerKeys),
      ...(files?.holdsImages && { input_columns: ['content'] }),
      ...(reader.output_column === undefined && { output_column: null }),
    },
    infer_cfg: {
      ...templateOf('ice_template', infer, { abbr, notes }),
      ...withAddresses(templateOf('prompt_template', infer, { abbr, notes }), files),
      ...component('retriever', infer, { known: retrieverTypes, keys: retrieverKeys, notes }),
      ...component('inferencer', infer, { known: inferencerTypes, keys: inferencerKeys, notes }),
    },
    ...(scoring && typeof reader.output_column === 'string' && { eval_cfg: scoring }),
  };
}

/** Images that rows hold are addresses themselves. */
function withAddresses(template: Plain, files: RowFiles | undefined): Plain {
  if (!files?.holdsImages) return template;
  return JSON.parse(JSON.stringify(template).replaceAll('file://{image}', '{image}')) as Plain;
}

function rowFilesOf(
  entry: Plain,
  abbr: string,
  { data, dataDir, textsOf }: MappingOptions,
): RowFiles | undefined {
  const named = data.get(abbr) ?? data.get('*');
  if (named !== undefined) return { path: resolve(named) };
  return dataDir === undefined ? undefined : publishedFiles(entry, resolve(dataDir), textsOf);
}

function templateOf(
  key: string,
  infer: Plain,
  { abbr, notes }: { readonly abbr: string; readonly notes: Note[] },
): Plain {
  const template = asPlain(infer[key]);
  if (!template) return {};
  const type = lastName(template.type);
  if (!(templateTypes as readonly string[]).includes(type)) {
    notes.push({
      name: type,
      text: `is an unknown template class; \`${abbr}\` uses only its text`,
      changesPrompts: true,
    });
    return { [key]: pickKeys(template, templateKeys) };
  }
  return { [key]: { type, ...pickKeys(template, templateKeys) } };
}

function component(
  key: string,
  infer: Plain,
  {
    known,
    keys,
    notes,
  }: {
    readonly known: readonly string[];
    readonly keys: readonly string[];
    readonly notes: Note[];
  },
): Plain {
  const given = asPlain(infer[key]);
  if (!given) return {};
  const type = lastName(given.type);
  if (!known.includes(type)) {
    const stand = key === 'retriever' ? 'ZeroRetriever' : 'GenInferencer';
    const text = `has no counterpart here; \`${stand}\` is used instead`;
    notes.push({ name: type, text, changesPrompts: true });
    return { [key]: { type: stand } };
  }
  const kept = pickKeys(given, keys);
  const dropped = Object.keys(given).filter(
    (name) =>
      name !== 'type' && !keys.includes(name) && !['max_seq_len', 'batch_size'].includes(name),
  );
  if (dropped.length > 0) notes.push({ name: type, text: `without \`${dropped.join('`, `')}\`` });
  return { [key]: { type, ...kept } };
}

function groupsOf(config: LoadedPython, notes: Note[]): Plain[] {
  return keptNames(config).flatMap(([name, value]) => {
    const groups =
      name === 'summarizer' && value instanceof PyDict ? value.get('summary_groups') : undefined;
    const list = groups ?? (name.endsWith('summary_groups') ? value : undefined);
    return list === undefined
      ? []
      : itemsOf(list).map((group) => nativeGroup(toPlain(group) as Plain, notes));
  });
}

function nativeGroup(group: Plain, notes: Note[]): Plain {
  const subsets = ([group.subsets].flat(1) as unknown[]).map((one) => String([one].flat()[0]));
  const weights = weightsOf(group, subsets);
  const dropped = Object.keys(group).filter(
    (key) => key !== 'name' && key !== 'subsets' && !(weights && key === 'weights'),
  );
  if (dropped.length > 0)
    notes.push({
      name: `group ${group.name}`,
      text: `without \`${dropped.join('`, `')}\`: a plain average is used`,
    });
  return { name: String(group.name), subsets, ...(weights && { weights }) };
}

/** What each dataset counts for; keys may be `abbr@metric`. */
function weightsOf(group: Plain, subsets: readonly string[]): Plain | undefined {
  const given = Object.entries(asPlain(group.weights) ?? {}).map(
    ([key, weight]) => [key.split('@')[0] ?? '', numberOf(weight)] as const,
  );
  const isWhole =
    given.length === subsets.length &&
    given.every(([key, weight]) => subsets.includes(key) && weight !== undefined);
  return isWhole ? Object.fromEntries(given) : undefined;
}

function numberOf(weight: unknown): number | undefined {
  if (weight instanceof Float) return weight.value;
  return typeof weight === 'number' ? weight : undefined;
}

/** Each thing once, with how often it was met. */
function mergeNotes(notes: readonly Note[]): Note[] {
  const counts = new Map<string, { note: Note; count: number }>();
  for (const note of notes) {
    const key = `${note.name} ${note.text}`;
    const known = counts.get(key);
    counts.set(key, { note, count: (known?.count ?? 0) + 1 });
  }
  return [...counts.values()].map(({ note, count }) =>
    count === 1 ? note : { ...note, text: `${note.text} (${count} datasets)` },
  );
}
