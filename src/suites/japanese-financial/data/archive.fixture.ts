import { makeZip } from '../../../base/zip.fixture.ts';

/** What stands in a cell; a number may be `written` in another way, as `1.0`. */
type Cell = string | number | { readonly written: string } | null;

/** An Excel file with one sheet; texts are shared, numbers stand in their cells. */
export function makeSheet(rows: readonly (readonly Cell[])[]): Buffer {
  const texts: string[] = [];
  const share = (text: string) => texts.push(text) - 1;
  const cellXml = (value: NonNullable<Cell>, reference: string) =>
    typeof value === 'string'
      ? `<c r="${reference}" t="s"><v>${share(value)}</v></c>`
      : `<c r="${reference}"><v>${typeof value === 'number' ? value : value.written}</v></c>`;
  const sheet = rows.map((cells, row) => {
    const written = cells.map((cell, column) =>
      cell === null ? '' : cellXml(cell, `${String.fromCharCode(65 + column)}${row + 1}`),
    );
    return `<row r="${row + 1}">${written.join('')}</row>`;
  });
  const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  // Readings and runs of different looks, as Excel writes them.
  const shared = texts.map((text) => {
    const [first = '', ...rest] = escaped(text).split('|');
    const runs = [first, ...rest].map((run) => `<r><t xml:space="preserve">${run}</t></r>`);
    return `<si>${runs.join('')}<rPh sb="0" eb="1"><t>ヨミ</t></rPh></si>`;
  });
  return makeZip({
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="a" sheetId="1" r:id="rId3"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId3" Target="worksheets/first.xml"/></Relationships>',
    'xl/sharedStrings.xml': `<?xml version="1.0"?><sst>${shared.join('')}</sst>`,
    'xl/worksheets/first.xml': `<worksheet><sheetData>${sheet.join('')}</sheetData></worksheet>`,
  });
}
