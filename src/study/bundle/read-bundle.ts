import { hash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { displayPath } from '../../base/display-path.ts';
import { isFileMissing } from '../../base/files.ts';
import { readZip, type ZipEntry } from '../../base/zip.ts';
import { DataError, TypecaseError } from '../../errors.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { type BundleManifest, type LineKind, lineFile, manifestName } from './bundle-format.ts';

/** A bundle that can be read. */
export interface OpenedBundle {
  readonly manifest: BundleManifest;
  /** Names of the files that are not what the manifest says, and how. */
  readonly wrong: readonly string[];
  /** The text of a file; nothing if it is not there. */
  readonly text: (name: string) => string | undefined;
  /** The lines of an evaluation. */
  readonly lines: (name: EvaluationName, kind: LineKind) => Generator<string>;
}

const manifestSchema = z.looseObject({
  format: z.number(),
  typecase: z.string(),
  run: z.string(),
  evaluations: z.array(
    z.looseObject({
      model: z.string(),
      dataset: z.string(),
      rows: z.number(),
      total: z.number().optional(),
      requests: z.number(),
      hasChatTemplate: z.boolean(),
    }),
  ),
  files: z.array(z.looseObject({ name: z.string(), bytes: z.number(), sha256: z.string() })),
});

/** Opens a bundle and holds its files against their hashes. */
export async function openBundle(file: string): Promise<OpenedBundle> {
  const archive = await readArchive(file);
  const entries = new Map(openEntries(archive, file).map((entry) => [entry.name, entry]));
  const manifest = readManifest(entries.get(manifestName), file);
  const wrong: string[] = [];
  for (const { name, bytes, sha256 } of manifest.files) {
    const content = readEntry(entries.get(name));
    if (!content) wrong.push(`${name} is ${entries.has(name) ? 'damaged' : 'missing'}`);
    else if (content.length !== bytes || hash('sha256', content, 'hex') !== sha256)
      wrong.push(`${name} was changed`);
  }
  const known = new Set([manifestName, ...manifest.files.map(({ name }) => name)]);
  for (const name of entries.keys()) if (!known.has(name)) wrong.push(`${name} was added`);
  const text = (name: string) => readEntry(entries.get(name))?.toString();
  return {
    manifest,
    wrong,
    text,
    *lines(name, kind) {
      for (let number = 0; ; number++) {
        const part = text(lineFile(name, kind, number));
        if (part === undefined) return;
        for (const line of part.split('\n')) if (line !== '') yield line;
      }
    },
  };
}

async function readArchive(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (cause) {
    if (!isFileMissing(cause)) throw cause;
    throw new DataError('bundle.not_found', `File not found: ${displayPath(file)}`, {
      cause,
      hint: 'Give a file written by `typecase bundle RUN`.',
    });
  }
}

function openEntries(archive: Buffer, file: string): readonly ZipEntry[] {
  try {
    return readZip(archive, displayPath(file));
  } catch (error) {
    throw noBundle(file, error);
  }
}

function readEntry(entry: ZipEntry | undefined): Buffer | undefined {
  try {
    return entry?.read();
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

const currentFormat = 1;

function readManifest(entry: ZipEntry | undefined, file: string): BundleManifest {
  const content = readEntry(entry);
  if (!content) throw noBundle(file, undefined);
  let value: unknown;
  try {
    value = JSON.parse(content.toString());
  } catch (error) {
    throw noBundle(file, error);
  }
  const read = manifestSchema.safeParse(value);
  if (!read.success) throw noBundle(file, read.error);
  if (read.data.format === currentFormat) return read.data as BundleManifest;
  throw new DataError(
    'bundle.newer',
    `${displayPath(file)} was written by Typecase ${read.data.typecase}, in format ${read.data.format}; this version reads ${currentFormat}`,
    { hint: 'Use that version of Typecase or a newer one.' },
  );
}

function noBundle(file: string, cause: unknown): DataError {
  return new DataError('bundle.damaged', `${displayPath(file)} is not a bundle, or is damaged`, {
    cause,
    hint: 'Copy it again, or give a file written by `typecase bundle RUN`.',
  });
}
