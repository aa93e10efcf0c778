import { crc32, deflateRawSync } from 'node:zlib';

/** A zip archive with these files, packed or as they are. */
export function makeZip(files: Readonly<Record<string, string>>, isPacked = true): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, text] of Object.entries(files)) {
    const content = Buffer.from(text);
    const packed = isPacked ? deflateRawSync(content) : content;
    const shared = Buffer.alloc(26);
    shared.writeUInt16LE(isPacked ? 8 : 0, 4);
    shared.writeUInt32LE(crc32(content), 10);
    shared.writeUInt32LE(packed.length, 14);
    shared.writeUInt32LE(content.length, 18);
    shared.writeUInt16LE(Buffer.byteLength(name), 22);
    const header = Buffer.concat([Buffer.from('PK\x03\x04'), shared, Buffer.from(name), packed]);
    const entry = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), shared, Buffer.alloc(14)]);
    entry.writeUInt32LE(offset, 42);
    directory.push(entry, Buffer.from(name));
    parts.push(header);
    offset += header.length;
  }
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, ...directory, end]);
}

/** An Excel file with one sheet; texts are shared, numbers stand in their cells. */
export function makeSheet(rows: readonly (readonly (string | number | null)[])[]): Buffer {
  const texts: string[] = [];
  const share = (text: string) => texts.push(text) - 1;
  const cellXml = (value: string | number, reference: string) =>
    typeof value === 'string'
      ? `<c r="${reference}" t="s"><v>${share(value)}</v></c>`
      : `<c r="${reference}"><v>${value}</v></c>`;
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
