import { readFileSync, statSync } from 'node:fs';
import { displayPath } from '../../base/display-path.ts';
import { otherThanFile } from '../../base/files.ts';
import { parseRow } from '../../data/format/exact-json.ts';
import { isDeeperThan, maxNesting, tooDeep } from '../../data/json-reader.ts';
import { DataError } from '../../errors.ts';
import { entriesOf, isMapping } from '../../prompt/mapping.ts';

/** More than any result file has; one that is bigger is not read at once. */
const largestFile = 2 ** 29;

/** The value of a JSON file. */
export function readJson(file: string): unknown {
  return parseJson(readText(file), file);
}

/** The values of the lines of a JSONL file. */
export function readLines(file: string): readonly unknown[] {
  return linesIn(file).map(({ text, place }) => parseJson(text, place));
}

/** The lines that are not blank, and what messages call them. */
function linesIn(file: string): readonly { readonly text: string; readonly place: string }[] {
  return readText(file)
    .split('\n')
    .map((text, index) => ({ text, place: `${file}:${index + 1}` }))
    .filter(({ text }) => text.trim() !== '');
}

/** The same, with numbers under one key as they are written: `1.0` is no `1` there. */
export function readLinesExact(file: string, key: string): readonly unknown[] {
  return linesIn(file).map(({ text: line, place }) => {
    const value = parseJson(line, place);
    if (!isMapping(value) || !(key in value)) return value;
    const exact = parseRow(withoutNoNumbers(line));
    const inner = exact && Object.fromEntries(entriesOf(exact))[key];
    return { ...value, [key]: isMapping(inner) ? Object.fromEntries(entriesOf(inner)) : inner };
  });
}

/** The bytes of a file. Pipes, which may never end, and files of any size are refused. */
export function readBytes(file: string): Buffer {
  const stats = statSync(file);
  const other = otherThanFile(stats);
  if (other !== undefined) throw bad(file, `it is ${other}`);
  if (stats.size > largestFile) throw bad(file, `it has ${stats.size.toLocaleString('en')} bytes`);
  return readFileSync(file);
}

function readText(file: string): string {
  return readBytes(file).toString('utf8');
}

export function parseJson(text: string, file: string): unknown {
  const value = parseOrRefuse(text, file);
  if (isDeeperThan(maxNesting, value)) throw bad(file, tooDeep);
  return value;
}

function parseOrRefuse(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Said below, unless it is what Python writes where JSON has no number.
  }
  try {
    return JSON.parse(withoutNoNumbers(text));
  } catch (cause) {
    throw bad(file, (cause as Error).message);
  }
}

function withoutNoNumbers(text: string): string {
  return text.replaceAll(textOrNoNumber, (found) => (found[0] === '"' ? found : 'null'));
}

const textOrNoNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?Infinity|NaN/gs;

function bad(file: string, why: string): DataError {
  return new DataError('results.bad_file', `${displayPath(file)} cannot be read: ${why}`, {
    hint: 'Give the folder or file that the other harness wrote.',
  });
}
