import { expect, test } from 'vitest';
import { xmlEvents } from './xml-events.ts';

test('tags, attributes and texts', () => {
  const xml = `<?xml version="1.0"?><!-- <no> --><x:a r:id="1 > 2" b='&lt;&#x41;'>1 &amp; 2<![CDATA[<3>]]><c/></x:a>`;
  expect(xmlEvents({ name: 'a.xml', xml })).toEqual([
    { type: 'open', name: 'a', attributes: { 'r:id': '1 > 2', b: '<A' } },
    { type: 'text', text: '1 & 2' },
    { type: 'text', text: '<3>' },
    { type: 'open', name: 'c', attributes: {} },
    { type: 'close', name: 'c' },
    { type: 'close', name: 'a' },
  ]);
});

test('XML that is cut off', () => {
  expect(() => xmlEvents({ name: 'a.xlsx: b.xml', xml: '<a><b>' })).toThrow(
    'a.xlsx: b.xml cannot be read: 1:6: unclosed tag: b',
  );
});
