import { readZip } from '../../../base/zip.ts';
import { DataError } from '../../../errors.ts';
import { readSheet } from './sheet.ts';

/** A JSON file with its name, for messages. */
export interface JsonFile {
  readonly name: string;
  readonly text: string;
}

/** The rows of a data file: a list, or the list under `data`. */
export function rowsOfJson({ name, text }: JsonFile): readonly unknown[] {
  const value = parseJson({ name, text });
  const rows = isRecord(value) ? value.data : value;
  if (Array.isArray(rows)) return rows;
  throw new DataError('task.bad_data', `${name} holds no list of rows`, {
    hint: 'It should be a list, or a mapping with the list under `data`.',
  });
}

/** One row for each opinion in the files of chABSA, which come in the order of their names. */
export function rowsOfChabsa(files: readonly JsonFile[]): readonly unknown[] {
  const sorted = [...files].sort((left, right) => (left.name < right.name ? -1 : 1));
  const opinions = sorted.flatMap((file) => {
    const value = parseJson(file);
    return listAt(value, 'sentences').flatMap((entry) =>
      listAt(entry, 'opinions').map((opinion) => ({
        sentence: isRecord(entry) ? entry.sentence : undefined,
        target: isRecord(opinion) ? opinion.target : undefined,
        polarity: isRecord(opinion) ? opinion.polarity : undefined,
      })),
    );
  });
  return opinions.map((opinion, id) => ({ id, ...opinion }));
}

/** The JSON files of chABSA's archive. */
export function chabsaFiles(archive: Buffer, file: string): JsonFile[] {
  return readZip(archive, file)
    .filter(({ name }) => /^chABSA-dataset\/[^./][^/]*\.json$/.test(name))
    .map((entry) => ({ name: entry.name, text: entry.read().toString('utf8') }));
}

const statements = ['ア', 'イ', 'ウ', 'エ', 'オ', 'カ'];
const choiceNumbers = ['1', '2', '3', '4', '5', '6'];

/** The questions of the sheet of the accountants' exam, as the original reads them. */
export function rowsOfAuditSheet(archive: Buffer, file: string): readonly unknown[] {
  const rows = readSheet(archive, file).map((row) => (name: string) => presentValue(row.get(name)));
  return rows
    .filter((at) => at('question') !== undefined && Number(at('abnormal_flg')) !== 1)
    .map((at, id) => ({
      id,
      question: at('question'),
      context: statements
        .flatMap((name) => (at(name) === undefined ? [] : [`${name}: ${at(name)}`]))
        .join('\n'),
      // Always six: a choice that is missing reads `nan`, and is offered to the model as well.
      choices: choiceNumbers.map((number, index) => ({ id: index, text: at(number) ?? 'nan' })),
      answer: Number(at('a_no')) - 1,
    }));
}

// What pandas takes for a missing value.
const missing = new Set(
  [
    '',
    '#N/A',
    '#N/A N/A',
    '#NA',
    '-1.#IND',
    '-1.#QNAN',
    '-NaN',
    '-nan',
    '1.#IND',
    '1.#QNAN',
  ].concat(['<NA>', 'N/A', 'NA', 'NULL', 'NaN', 'None', 'n/a', 'nan', 'null']),
);

function presentValue(value: string | undefined): string | undefined {
  return value === undefined || missing.has(value) ? undefined : value;
}

function parseJson({ name, text }: JsonFile): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new DataError('task.bad_data', `${name} is not JSON: ${(error as Error).message}`, {
      hint: 'Download the file again.',
    });
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = isRecord(value) ? value[key] : undefined;
  return Array.isArray(list) ? list : [];
}
