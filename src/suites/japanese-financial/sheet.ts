import { DataError } from '../../errors.ts';
import { xmlEvents } from './xml-events.ts';
import { readZip } from './zip.ts';

/** The rows of the first sheet of an Excel file, by the names in its first row. */
export function readSheet(archive: Buffer, file: string): Map<string, string>[] {
  const entries = new Map(readZip(archive, file).map((entry) => [entry.name, entry]));
  const textOf = (name: string) => entries.get(name)?.read().toString('utf8');
  const sheet = textOf(
    firstSheetOf(textOf('xl/workbook.xml'), textOf('xl/_rels/workbook.xml.rels')),
  );
  if (sheet === undefined) {
    throw new DataError('task.bad_archive', `${file} holds no sheet`, {
      hint: 'It should be an Excel file (.xlsx).',
    });
  }
  const [titles = new Map<string, string>(), ...rows] = readRows(
    sheet,
    sharedTexts(textOf('xl/sharedStrings.xml') ?? ''),
  );
  return rows.map((cells) => {
    const named = [...cells].map(([column, value]) => [titles.get(column) ?? '', value] as const);
    return new Map(named);
  });
}

function firstSheetOf(workbook = '', relations = ''): string {
  const sheets = opened(workbook, 'sheet').map((sheet) => sheet.attribute('r:id'));
  const target = opened(relations, 'Relationship')
    .find((relation) => relation.attribute('Id') === sheets[0])
    ?.attribute('Target');
  if (target === undefined) return 'xl/worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

function opened(xml: string, name: string) {
  return [...xmlEvents(xml)].flatMap((event) =>
    event.type === 'open' && event.name === name ? [event] : [],
  );
}

/** Texts that cells refer to by number, without the readings that stand beside them. */
function sharedTexts(xml: string): string[] {
  const texts: string[] = [];
  const collect = textCollector('si');
  for (const event of xmlEvents(xml)) {
    const text = collect(event);
    if (text !== undefined) texts.push(text);
  }
  return texts;
}

type Event = ReturnType<typeof xmlEvents> extends Generator<infer Item> ? Item : never;

/** Gathers the `t` texts of an element and gives them when it closes. */
function textCollector(element: string) {
  let text: string | undefined;
  let isText = false;
  let readings = 0;
  return (event: Event): string | undefined => {
    if (event.type === 'text') {
      if (isText && readings === 0 && text !== undefined) text += event.text;
      return undefined;
    }
    const step = event.type === 'open' ? 1 : -1;
    if (event.name === 'rPh') readings += step;
    if (event.name === 't') isText = step > 0;
    if (event.name !== element) return undefined;
    const whole = step < 0 ? text : undefined;
    text = step > 0 ? '' : undefined;
    return whole;
  };
}

/** The cells of each row by the letters of their columns. */
function readRows(xml: string, shared: readonly string[]): Map<string, string>[] {
  const rows: Map<string, string>[] = [];
  const collect = textCollector('is');
  let cell = { column: '', type: '' };
  let isValue = false;
  const put = (value: string) => rows.at(-1)?.set(cell.column, value);
  for (const event of xmlEvents(xml)) {
    const inline = collect(event);
    if (inline !== undefined) put(inline);
    if (event.type === 'text') {
      if (isValue) put(cell.type === 's' ? (shared[Number(event.text)] ?? '') : event.text);
      continue;
    }
    if (event.name === 'v') isValue = event.type === 'open';
    if (event.type === 'close') continue;
    if (event.name === 'row') rows.push(new Map());
    if (event.name === 'c') {
      const column = (event.attribute('r') ?? '').replace(/\d+$/, '');
      cell = { column, type: event.attribute('t') ?? '' };
    }
  }
  return rows;
}
