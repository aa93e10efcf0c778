import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../python/text.ts';
import { PyDict, PyTuple, type PyValue } from '../python/values.ts';
import { Canonical, keptNames } from './python/canonical.ts';
import { PythonConfigError, type PythonLoader } from './python/load-python.ts';
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
  const folder = /(?:^|\/)(?:opencompass|benchmark)\/configs\/(datasets|models|summarizers)\//.exec(
    file,
  )?.[1];
  return (folder as Kind | undefined) ?? 'other';
}

const suffixPattern = /_(?:gen|ppl|ll|mixed)_([0-9a-f]{6})\.py$/;

/** Python files under a folder of the tree, by path. */
export function configFilesIn(root: string, folder: string): string[] {
  const found = readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.py'))
    .map((entry) =>
      join(entry.parentPath, entry.name).slice(join(root).length).replaceAll('\\', '/'),
    )
    .map((path) => path.replace(/^\//, ''));
  return found.sort(compareText);
}

/** Describes the configs of a tree, one after the other. */
export function digester(loader: PythonLoader): (file: string) => Digest {
  const canonical = new Canonical(loader.files.folder);
  return (file) => digestOf({ loader, canonical }, file);
}

function digestOf(
  tools: { readonly loader: PythonLoader; readonly canonical: Canonical },
  file: string,
): Digest {
  const suffix = suffixPattern.exec(file)?.[1] ?? null;
  try {
    return { ...describe(tools, file), suffix };
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

function describe(
  { loader, canonical }: { loader: PythonLoader; canonical: Canonical },
  file: string,
): Omit<Digest, 'suffix'> {
  const config = loader.load(file);
  const kind = kindOf(file);
  const entries = new Set<string>();
  const names = keptNames(config).map(([name, value]) => {
    const text = isEntryName(name, kind) ? listText(value, { canonical, entries }) : undefined;
    if (kind === 'summarizers' && name === 'summarizer' && value instanceof PyDict) {
      listText(value.get('summary_groups') ?? null, { canonical, entries });
    }
    return `${canonical.of(name)}:${text ?? canonical.of(value)}`;
  });
  const text = `{${names.join(',')}}`;
  return {
    file,
    loads: true,
    error: null,
    sha256: config.isUnstable ? null : createHash('sha256').update(text).digest('hex'),
    bytes: Buffer.byteLength(text),
    lazy: config.isLazy,
    ...(config.isUnstable && { unstable: true }),
    entries: entries.size,
    prompt_hash: kind === 'datasets' ? (configPromptHash(config) ?? null) : null,
  };
}

/** The text of a list or tuple; the different dicts in it are counted. */
function listText(
  value: PyValue,
  { canonical, entries }: { canonical: Canonical; entries: Set<string> },
): string | undefined {
  const items = asList(value) ?? (value instanceof PyTuple ? value.items : undefined);
  const texts = items?.map((item) => {
    const text = canonical.of(item);
    if (item instanceof PyDict) entries.add(text);
    return text;
  });
  return texts && `[${texts.join(',')}]`;
}

function isEntryName(name: string, kind: Kind): boolean {
  if (kind === 'models') return name === 'models';
  if (kind === 'summarizers') return name.endsWith('summary_groups');
  return name === 'datasets' || name.endsWith('_datasets');
}
