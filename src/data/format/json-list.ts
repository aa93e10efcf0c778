import { DataError } from '../../errors.ts';
import { entriesOf, isMapping } from '../../prompt/mapping.ts';
import type { Row } from '../../prompt/values.ts';
import { JsonProblem, readJson } from '../json-reader.ts';
import type { DataFile } from '../source/data-file.ts';
import { cutPieces, type Stretch } from './cut-pieces.ts';
import { tooLong } from './json-lines.ts';
import { ListScanner } from './list-scanner.ts';
import { parsePieces, syntaxError } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';
import { locateByte, markLength } from './text-position.ts';

const maxFrameBytes = 64 << 20;

/** Reads a JSON file that is a list of rows, or an object with one list of rows in it. */
export async function* readJsonList(
  file: DataFile,
): AsyncGenerator<readonly Row[], void, undefined> {
  const pieces = cutPieces(readStretches(file), (offset) => tooLong(file, offset));
  yield* parsePieces(pieces, { file, areLines: false });
}

async function* readStretches(file: DataFile): AsyncGenerator<Stretch, void, undefined> {
  const scanner = new ListScanner();
  let offset = 0;
  let rowBytes = 0;
  let commaAt: number | undefined;
  for await (const chunk of chunksOf(file)) {
    const start = offset === 0 ? markLength(chunk) : 0;
    const stretch = scanner.scan(chunk.subarray(start), offset + start);
    if (stretch) yield stretch;
    if (stretch) commaAt = offsetOfLastComma(stretch);
    rowBytes += stretch?.bytes.length ?? 0;
    if (scanner.frameBytes > maxFrameBytes) throw notAList(file);
    offset += chunk.length;
  }
  await checkFrame(scanner, { file, rowBytes });
  if (commaAt === undefined) return;
  const message = 'expected a row after the comma, found `]`';
  throw syntaxError({ message }, await locateByte(file, commaAt));
}

/** Where the comma stands in the file that the stretch ends with, if it does. */
function offsetOfLastComma({ bytes, offset, separators }: Stretch): number | undefined {
  const last = bytes.length - 1;
  return separators.at(-1) === last ? offset + last : undefined;
}

/** Refuses a text that is no JSON around the rows, or that holds no list or several. */
async function checkFrame(
  scanner: ListScanner,
  { file, rowBytes }: { readonly file: DataFile; readonly rowBytes: number },
): Promise<void> {
  const text = scanner.readFrame();
  try {
    const { value } = readJson(text);
    if (Array.isArray(value)) return;
    const lists = isMapping(value)
      ? entriesOf(value).filter(([, item]) => Array.isArray(item))
      : [];
    if (lists.length > 1)
      throw severalLists(
        file,
        lists.map(([key]) => String(key)),
      );
    if (lists.length === 0) throw notAList(file);
  } catch (error) {
    if (!(error instanceof JsonProblem)) throw error;
    const before = Buffer.byteLength(text.slice(0, error.offset));
    const isAfterRows = before >= scanner.frameBeforeRows;
    const at = await locateByte(file, before + (isAfterRows ? rowBytes : 0));
    throw syntaxError(error, at);
  }
}

function notAList(file: DataFile): DataError {
  return new DataError(
    'data.not_a_list',
    `${file.name}: a JSON data file must contain a list of rows, or an object with one list in it`,
    {
      at: { file: file.name, line: 1, column: 1 },
      hint: 'If the file has one row per line, name it .jsonl.',
    },
  );
}

function severalLists(file: DataFile, names: readonly string[]): DataError {
  return new DataError(
    'data.several_lists',
    `${file.name}: the object contains several lists (${names.join(', ')}), so it is unclear which one has the rows`,
    { hint: 'Keep one list in the file, or put each list in its own file.' },
  );
}
