import { readZip } from '../../../base/zip.ts';
import { DataError } from '../../../errors.ts';
import { pyEquals } from '../../../python/operators.ts';
import { pyStr } from '../../../python/repr.ts';
import { numberOf, type PyValue } from '../../../python/values.ts';
import { readXlsx } from './read-xlsx.ts';

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
  throw new DataError('task.bad_data', `${name} contains no list of rows`, {
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
const auditColumns = ['question', ...statements, ...choiceNumbers, 'a_no', 'abnormal_flg'];

/** The questions of the sheet of the accountants' exam, as the original reads them. */
export function rowsOfAuditSheet(archive: Buffer, file: string): readonly unknown[] {
  const columns = readXlsx(archive, file);
  const absent = auditColumns.filter((name) => !columns.has(name));
  if (absent.length > 0) {
    throw new DataError('task.bad_data', `${file} has no column ${absent.join(', ')}`, {
      hint: `Its first row names ${[...columns.keys()].join(', ') || 'nothing'}.`,
    });
  }
  const rows = (columns.get('question') ?? []).map(
    (_, row) => (name: string) => columns.get(name)?.[row],
  );
  return rows
    .filter((at) => at('question') !== undefined && !isOne(at('abnormal_flg')))
    .map((at, id) => ({
      id,
      question: pyStr(at('question') ?? ''),
      context: statements
        .flatMap((name) => {
          const value = at(name);
          return value === undefined ? [] : [`${name}: ${pyStr(value)}`];
        })
        .join('\n'),
      // Always six: a choice that is missing reads `nan`, and is offered to the model as well.
      choices: choiceNumbers.map((number, index) => ({
        id: index,
        text: pyStr(at(number) ?? 'nan'),
      })),
      answer: Number(numberOf(at('a_no') ?? null) ?? Number.NaN) - 1,
    }));
}

function isOne(value: PyValue | undefined): boolean {
  return value !== undefined && pyEquals(value, 1);
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
