import { readZip } from '../../../base/zip.ts';
import { DataError } from '../../../errors.ts';
import { isDateFormat, valueOfCell } from './cell-values.ts';
import { type SheetColumn, type SheetValue, titleColumns } from './sheet-columns.ts';
import { type XmlEvent, xmlEvents } from './xml-events.ts';

type Events = readonly XmlEvent[];

/** The columns of the first sheet of an Excel file, by the names in its first row. */
export function readXlsx(archive: Buffer, file: string): Map<string, SheetColumn> {
  const entries = new Map(readZip(archive, file).map((entry) => [entry.name, entry]));
  const eventsOf = (name: string) => {
    const xml = entries.get(name)?.read().toString('utf8');
    return xml === undefined ? undefined : xmlEvents({ name: `${file}: ${name}`, xml });
  };
  const workbook = eventsOf('xl/workbook.xml') ?? [];
  const sheet = eventsOf(firstSheetOf(workbook, eventsOf('xl/_rels/workbook.xml.rels') ?? []));
  if (sheet === undefined) {
    throw new DataError('task.bad_archive', `${file} contains no sheet`, {
      hint: 'It should be an Excel file (.xlsx).',
    });
  }
  const rows = readRows(sheet, {
    shared: sharedTexts(eventsOf('xl/sharedStrings.xml') ?? []),
    dateStyles: dateStylesOf(eventsOf('xl/styles.xml') ?? []),
    from1904: opened(workbook, 'workbookPr').some(({ attributes }) =>
      ['1', 'true'].includes(attributes.date1904 ?? ''),
    ),
  });
  return titleColumns(rows);
}

function firstSheetOf(workbook: Events, relations: Events): string {
  const [sheet] = opened(workbook, 'sheet');
  const id = Object.entries(sheet?.attributes ?? {}).find(([name]) => name.endsWith(':id'))?.[1];
  const target = opened(relations, 'Relationship').find((relation) => relation.attributes.Id === id)
    ?.attributes.Target;
  if (target === undefined) return 'xl/worksheets/sheet1.xml';
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

function opened(events: Events, name: string) {
  return events.flatMap((event) => (event.type === 'open' && event.name === name ? [event] : []));
}

/** Texts that cells refer to by number, without the readings that stand beside them. */
function sharedTexts(events: Events): string[] {
  const texts: string[] = [];
  const collect = textCollector('si');
  for (const event of events) {
    const text = collect(event);
    // an underscore that Excel wrote as an escape, which the reader of the original undoes so
    if (text !== undefined) texts.push(text.replaceAll('x005F_', ''));
  }
  return texts;
}

/** The numbers of the styles that show a number as a date. */
function dateStylesOf(events: Events): ReadonlySet<number> {
  const codes = new Map(
    opened(events, 'numFmt').map(({ attributes }) => [
      attributes.numFmtId ?? '',
      attributes.formatCode ?? '',
    ]),
  );
  const formats: string[] = [];
  let isCellFormat = false;
  for (const event of events) {
    if (event.type === 'text') continue;
    if (event.name === 'cellXfs') isCellFormat = event.type === 'open';
    if (isCellFormat && event.type === 'open' && event.name === 'xf') {
      formats.push(event.attributes.numFmtId ?? '');
    }
  }
  const dates = formats.flatMap((id, style) =>
    isDateFormat(Number(id), codes.get(id)) ? [style] : [],
  );
  return new Set(dates);
}

/** Gathers the `t` texts of an element and gives them when it closes. */
function textCollector(element: string) {
  let text: string | undefined;
  let isText = false;
  let readings = 0;
  return (event: XmlEvent): string | undefined => {
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

interface BookParts {
  readonly shared: readonly string[];
  readonly dateStyles: ReadonlySet<number>;
  readonly from1904: boolean;
}

/** The cells of each row by the numbers of their columns; empty ones are left out. */
function readRows(events: Events, book: BookParts): Map<number, SheetValue>[] {
  const rows: Map<number, SheetValue>[] = [];
  const collectInline = textCollector('is');
  let cell = { column: -1, type: '', style: 0 };
  let text: string | undefined;
  let isValue = false;
  for (const event of events) {
    text = collectInline(event) ?? text;
    if (event.type === 'text') {
      if (isValue) text = (text ?? '') + event.text;
      continue;
    }
    if (event.name === 'v') isValue = event.type === 'open';
    if (event.type === 'open' && event.name === 'row') {
      rows.push(new Map());
      cell = { ...cell, column: -1 };
    }
    if (event.name !== 'c') continue;
    if (event.type === 'open') {
      const { r, t = 'n', s } = event.attributes;
      const column = r === undefined ? cell.column + 1 : columnNumber(r);
      cell = { column, type: t, style: Number(s ?? 0) };
      text = undefined;
      continue;
    }
    const value =
      text === undefined
        ? undefined
        : valueOfCell({
            type: cell.type,
            text: cell.type === 's' ? (book.shared[Number(text)] ?? '') : text,
            isDate: book.dateStyles.has(cell.style),
            from1904: book.from1904,
          });
    if (value !== undefined) rows.at(-1)?.set(cell.column, value);
  }
  return rows;
}

/** The number of a column from its letters: `A1` is 0, `AA7` is 26. */
function columnNumber(reference: string): number {
  const letters = reference.replace(/[^A-Z]/g, '');
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
