import { expect, test } from 'vitest';
import { makeZip } from './zip.fixture.ts';
import { readZip } from './zip.ts';

const files = { 'a/b.txt': 'こんにちは', 'a/': '', 'c.txt': 'x'.repeat(1000) };

test.each([[true], [false]])('files of an archive, packed: %s', (isPacked) => {
  const entries = readZip(makeZip(files, isPacked), 'a.zip');
  expect(entries.map(({ name, read }) => [name, read().toString()])).toEqual([
    ['a/b.txt', files['a/b.txt']],
    ['c.txt', files['c.txt']],
  ]);
});

test('a comment after the directory does not hide it', () => {
  const archive = Buffer.concat([makeZip(files), Buffer.from('made by hand')]);
  expect(readZip(archive, 'a.zip')).toHaveLength(2);
});

test.each([
  ['no archive', Buffer.from('no archive at all, whatever its name'), 'it has no directory'],
  ['cut off', makeZip(files).subarray(40), 'its directory cannot be read'],
])('%s', (_, archive, problem) => {
  expect(() => readZip(archive, 'a.zip')).toThrow(`a.zip cannot be read: ${problem}`);
});

test('a file whose content was changed', () => {
  const archive = makeZip(files, false);
  archive[archive.indexOf('xxx')] = 1;
  const [, changed] = readZip(archive, 'a.zip');
  expect(() => changed?.read()).toThrow('a.zip: c.txt cannot be read: its checksum is wrong');
});

test('a file that unpacks to more than it says', () => {
  const archive = makeZip(files);
  archive.writeUInt32LE(10, archive.lastIndexOf('PK\x01\x02') + 24);
  const [, lying] = readZip(archive, 'a.zip');
  expect(() => lying?.read()).toThrow('cannot be read');
});

test('an archive that unpacks to more than a machine holds is read no further', () => {
  const [big] = readZip(makeZip({ 'big.txt': 'x'.repeat(2 ** 27) }), 'a.zip');
  for (let times = 0; times < 4; times += 1) expect(big?.read()).toHaveLength(2 ** 27);
  expect(() => big?.read()).toThrow('a.zip cannot be read: it holds too much');
});
