import { open } from 'node:fs/promises';
import { DataError } from '../../../errors.ts';
import { wrongLength } from './embed-texts.ts';
import {
  type NormalizeOptions,
  normalizeVectors,
  type VectorTable,
} from './search/vector-table.ts';

const maxAtOnce = 2 ** 28;

/** How numbers stand in a file. */
interface NumberFile {
  readonly start: number;
  readonly count: number;
  readonly dims: number;
  readonly bytes: 4 | 8;
}

/** Vectors of a file, and which of its rows say with NaN that there is none. */
export interface GivenVectors {
  readonly table: VectorTable;
  readonly absent: ReadonlySet<number>;
}

/**
 * Reads vectors, one for each row of the data: a `.npy` of float32 or float64, or float32 numbers
 * without any header. A row of NaN is a sample without a vector.
 */
export async function readVectors(
  file: string,
  { dims, ...normalizing }: NormalizeOptions & { readonly dims?: number | undefined },
): Promise<GivenVectors> {
  const handle = await openFile(file);
  try {
    const { size } = await handle.stat();
    const head = Buffer.alloc(Math.min(size, 65_536));
    await handle.read(head, 0, head.length, 0);
    const numbers = head.subarray(0, 6).equals(npyMagic)
      ? readHeader(head, file)
      : { start: 0, bytes: 4 as const, ...rawShape(size, { file, dims }) };
    if (dims !== undefined && numbers.dims !== dims) throw wrongLength(numbers.dims, dims);
    const { start, count, bytes } = numbers;
    const content = new Uint8Array(count * numbers.dims * bytes);
    if (size < start + content.length) throw badFile(file, 'it is cut off');
    for (let done = 0; done < content.length; ) {
      const wanted = Math.min(content.length - done, maxAtOnce);
      done += (await handle.read(content, done, wanted, start + done)).bytesRead;
    }
    const values =
      bytes === 4
        ? new Float32Array(content.buffer)
        : Float32Array.from(new Float64Array(content.buffer));
    const absent = absentRows(values, numbers.dims);
    checkFinite(values, { file, dims: numbers.dims });
    return { table: normalizeVectors(values, numbers.dims, normalizing), absent };
  } finally {
    await handle.close();
  }
}

async function openFile(file: string) {
  try {
    return await open(file);
  } catch (cause) {
    throw new DataError('gqa.bad_vectors', `The vectors ${file} cannot be read`, {
      cause,
      hint: 'Give a .npy file, or a file of float32 numbers.',
    });
  }
}

const npyMagic = Buffer.from('\x93NUMPY', 'latin1');

/** The header of NumPy's format: a magic number, a version, a length, and a Python dict. */
function readHeader(head: Buffer, file: string): NumberFile {
  const isShort = head[6] === 1;
  const length = isShort ? head.readUInt16LE(8) : head.readUInt32LE(8);
  const start = (isShort ? 10 : 12) + length;
  const text = head.toString('latin1', isShort ? 10 : 12, start);
  const type = /'descr':\s*'([^']*)'/.exec(text)?.[1] ?? '';
  const [, count, dims] = /'shape':\s*\((\d+),\s*(\d+)\)/.exec(text) ?? [];
  if (type !== '<f4' && type !== '<f8') throw badFile(file, `its numbers are \`${type}\``);
  if (dims === undefined || text.includes("'fortran_order': True")) {
    throw badFile(file, 'it is not a table of rows');
  }
  return { start, count: Number(count), dims: Number(dims), bytes: type === '<f4' ? 4 : 8 };
}

function rawShape(
  size: number,
  { file, dims }: { readonly file: string; readonly dims: number | undefined },
): { readonly count: number; readonly dims: number } {
  if (dims === undefined)
    throw badFile(file, 'only a .npy file says how many dimensions its vectors have');
  if (size % (dims * 4) === 0) return { count: size / (dims * 4), dims };
  throw badFile(file, `${size} bytes are not a whole number of vectors with ${dims} numbers`);
}

/** Rows that are NaN throughout, which become zeros. */
function absentRows(values: Float32Array, dims: number): ReadonlySet<number> {
  const absent = new Set<number>();
  for (let start = 0; start < values.length; start += dims) {
    if (!Number.isNaN(values[start])) continue;
    const row = values.subarray(start, start + dims);
    if (!row.every(Number.isNaN)) continue;
    row.fill(0);
    absent.add(start / dims);
  }
  return absent;
}

function checkFinite(
  values: Float32Array,
  { file, dims }: { readonly file: string; readonly dims: number },
): void {
  const index = values.findIndex((value) => !Number.isFinite(value));
  if (index < 0) return;
  throw badFile(file, `row ${Math.floor(index / dims)} has a number that is not finite`);
}

function badFile(file: string, problem: string): DataError {
  return new DataError('gqa.bad_vectors', `The vectors ${file} cannot be used: ${problem}`, {
    hint: 'Write them with numpy.save as float32, one row per row of the data; use NaN for rows without a vector.',
  });
}
