import { DataError } from '../../errors.ts';
import { entriesOf, isMapping } from '../../prompt/mapping.ts';
import type { Row } from '../../prompt/values.ts';
import { JsonProblem, readJson } from '../json-reader.ts';
import type { DataFile } from '../source/data-file.ts';
import { cutPieces, type Stretch } from './cut-pieces.ts';
import { tooLong } from './json-lines.ts';
import { ListScanner } from './list-scanner.ts';
import { parsePiece, syntaxError } from './parse-piece.ts';
import { chunksOf } from './read-chunks.ts';
import { locateByte, markLength } from './text-position.ts';

const maxFrameBytes = 64 << 20;

/** Reads a JSON file that is a list of rows, or an object with one list of rows in it. */
export async function* readJsonList(
  file: DataFile,
): AsyncGenerator<readonly Row[], void, undefined> {
  const layout = { file, areLines: false };
  for await (const piece of cutPieces(readStretches(file), (offset) => tooLong(file, offset))) {
    yield await parsePiece(piece, layout);
  }
}

async function* readStretches(file: DataFile): AsyncGenerator<Stretch, void, undefined> {
  const scanner = new ListScanner();
  let offset = 0;
  let rowBytes = 0;
  for await (const chunk of chunksOf(file)) {
    const start = offset === 0 ? markLength(chunk) : 0;
    const stretch = scanner.scan(chunk.subarray(start), offset + start);
    if (stretch) yield stretch;
    rowBytes += stretch?.bytes.length ?? 0;
    if (scanner.frameBytes > maxFrameBytes) throw notAList(file);
    offset += chunk.length;
  }
  await checkFrame(scanner, { file, rowBytes });
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
    throw syntaxError(error.message, at);
  }
}

function notAList(file: DataFile): DataError {
  return new DataError(
    'data.not_a_list',
    `${file.name}: a JSON data file must hold a list of rows, or an object with one list in it`,
    {
      at: { file: file.name, line: 1, column: 1 },
      hint: 'For one row a line, name the file .jsonl.',
    },
  );
}

function severalLists(file: DataFile, names: readonly string[]): DataError {
  return new DataError(
    'data.several_lists',
    `${file.name}: the object holds several lists (${names.join(', ')}), so the rows are unclear`,
    { hint: 'Leave one list in the file, or give each list a file of its own.' },
  );
}
