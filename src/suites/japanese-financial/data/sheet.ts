import { readZip } from '../../../base/zip.ts';
import { DataError } from '../../../errors.ts';
import { type XmlEvent, xmlEvents } from './xml-events.ts';

type Events = readonly XmlEvent[];

/** The rows of the first sheet of an Excel file, by the names in its first row. */
export function readSheet(archive: Buffer, file: string): Map<string, string>[] {
  const entries = new Map(readZip(archive, file).map((entry) => [entry.name, entry]));
  const eventsOf = (name: string) => {
    const xml = entries.get(name)?.read().toString('utf8');
    return xml === undefined ? undefined : xmlEvents({ name: `${file}: ${name}`, xml });
  };
  const sheet = eventsOf(
    firstSheetOf(eventsOf('xl/workbook.xml'), eventsOf('xl/_rels/workbook.xml.rels')),
  );
  if (sheet === undefined) {
    throw new DataError('task.bad_archive', `${file} holds no sheet`, {
      hint: 'It should be an Excel file (.xlsx).',
    });
  }
  const shared = sharedTexts(eventsOf('xl/sharedStrings.xml') ?? []);
  const [titles = new Map<string, string>(), ...rows] = readRows(sheet, shared);
  return rows.map((cells) => {
    const named = [...cells].map(([column, value]) => [titles.get(column) ?? '', value] as const);
    return new Map(named);
  });
}

function firstSheetOf(workbook: Events = [], relations: Events = []): string {
  const [sheet] = opened(workbook, 'sheet');
  const target = opened(relations, 'Relationship').find(
    (relation) => relation.attributes.Id === sheet?.attributes['r:id'],
  )?.attributes.Target;
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
    if (text !== undefined) texts.push(text);
  }
  return texts;
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

/** The cells of each row by the letters of their columns. */
function readRows(events: Events, shared: readonly string[]): Map<string, string>[] {
  const rows: Map<string, string>[] = [];
  const collect = textCollector('is');
  let cell = { column: '', type: '' };
  let isValue = false;
  const put = (value: string) => rows.at(-1)?.set(cell.column, value);
  for (const event of events) {
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
      const column = (event.attributes.r ?? '').replace(/\d+$/, '');
      cell = { column, type: event.attributes.t ?? '' };
    }
  }
  return rows;
}
