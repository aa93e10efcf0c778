import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { PyDict, PyTuple, type PyValue } from '../python/values.ts';
import { compareText } from '../python/text.ts';
import { Canonical, keptNames } from './python/canonical.ts';
import { type LoadedPython, PythonConfigError, type PythonLoader } from './python/load-python.ts';
import { asList } from './python/operations.ts';
import { configPromptHash } from './python/prompt-hash.ts';

/** What a config comes to, in one line. */
export interface Digest {
  readonly file: string;
  readonly loads: boolean;
  /** The class of the Python error. */
  readonly error: string | null;
  /** Of the canonical JSON. */
  readonly sha256: string | null;
  readonly bytes: number | null;
  readonly lazy: boolean | null;
  readonly unstable?: true;
  readonly entries: number;
  readonly prompt_hash: string | null;
  readonly suffix: string | null;
}

type Kind = 'datasets' | 'models' | 'summarizers' | 'other';

/** What a file is a config of, as its folder says. */
function kindOf(file: string): Kind {
  const folder = /(?:^|\/)(?:opencompass|benchmark)\/configs\/(datasets|models|summarizers)\//.exec(file)?.[1];
  return (folder as Kind | undefined) ?? 'other';
}

const suffixPattern = /_(?:gen|ppl|ll|mixed)_([0-9a-f]{6})\.py$/;

/** Python files under a folder of the tree, by path. */
export function configFilesIn(root: string, folder: string): string[] {
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) => join(entry.parentPath, entry.name).slice(join(root).length).replaceAll('\\', '/'))
    .map((path) => path.replace(/^\//, ''));
  return found.sort(compareText);
}

export function digestOf(loader: PythonLoader, file: string): Digest {
  const suffix = suffixPattern.exec(file)?.[1] ?? null;
  try {
    return { ...describe(loader, file), suffix };
  } catch (error) {
    if (!(error instanceof PythonConfigError)) throw error;
    return {
      file,
      loads: false,
      error: error.pythonType,
      sha256: null,
      bytes: null,
      lazy: null,
      entries: 0,
      prompt_hash: null,
      suffix,
    };
  }
}

function describe(loader: PythonLoader, file: string): Omit<Digest, 'suffix'> {
  const config = loader.load(file);
  const kind = kindOf(file);
  const canonical = new Canonical(loader.files.folder);
  const text = Buffer.from(canonical.ofConfig(config));
  return {
    file,
    loads: true,
    error: null,
    sha256: config.isUnstable ? null : createHash('sha256').update(text).digest('hex'),
    bytes: text.length,
    lazy: config.isLazy,
    ...(config.isUnstable && { unstable: true }),
    entries: countEntries(config, kind, canonical),
    prompt_hash: kind === 'datasets' ? (configPromptHash(config) ?? null) : null,
  };
}

function countEntries(config: LoadedPython, kind: Kind, canonical: Canonical): number {
  const texts = new Set<string>();
  for (const list of entryLists(config, kind)) {
    for (const item of list) if (item instanceof PyDict) texts.add(canonical.of(item));
  }
  return texts.size;
}

function entryLists(config: LoadedPython, kind: Kind): (readonly PyValue[])[] {
  const lists: (readonly PyValue[] | undefined)[] = keptNames(config).map(([name, value]) => {
    if (kind === 'summarizers' && name === 'summarizer' && value instanceof PyDict) {
      return asList(value.get('summary_groups') ?? null);
    }
    return isEntryName(name, kind) ? (asList(value) ?? (value instanceof PyTuple ? value.items : undefined)) : undefined;
  });
  return lists.filter((list) => list !== undefined);
}

function isEntryName(name: string, kind: Kind): boolean {
  if (kind === 'models') return name === 'models';
  if (kind === 'summarizers') return name.endsWith('summary_groups');
  return name === 'datasets' || name.endsWith('_datasets');
}
