import { expect, test } from 'vitest';
import { standIn } from './stand-in.ts';
import { checkSameVersion, templateHash } from './version-stamp.ts';

const stamp = { task: 'sums', version: '1', hash: 'aaaa' };

test.each([
  ['the same text', stamp],
  ['another version', { ...stamp, version: '2', hash: 'bbbb' }],
  ['another task', { ...stamp, task: 'words', hash: 'bbbb' }],
])('%s may be compared', (_, other) => {
  expect(() => checkSameVersion(stamp, other)).not.toThrow();
});

test.each([
  [
    { hash: 'bbbb', place: 'b.json' },
    'template `1` of `sums` has more than one text: aaaa, bbbb (b.json)',
    'give the new text a different name',
  ],
  [
    { hash: 'bbbb', dialect: 'main' },
    'template `1` of `sums` has more than one text: aaaa, bbbb (main)',
    'The dialects differ',
  ],
])('a changed text under an old name is refused: %j', (change, message, hint) => {
  expect(() => checkSameVersion(stamp, { ...stamp, ...change })).toThrow(
    expect.objectContaining({
      code: 'version.changed',
      message,
      hint: expect.stringContaining(hint),
    }),
  );
});

test('hashes tell texts apart, not the order of keys', () => {
  const hash = templateHash({ text: 'a', labels: ['x'] });
  expect(templateHash({ labels: ['x'], text: 'a' })).toBe(hash);
  expect(templateHash({ labels: ['x'], text: 'a ' })).not.toBe(hash);
});

test.each([
  ['0.1.2', ['0.0', '0.1', '0.2'], '0.1'],
  ['0.1.2', ['0.1', '0.1.2'], '0.1.2'],
  ['0.2', ['0.0', '0.2.1'], undefined],
  ['0.0', ['0.0', '0.1'], '0.0'],
  ['0.3', ['0.0'], undefined],
])('for %s of %j stands %s', (wanted, versions, expected) => {
  expect(standIn(wanted, versions)).toBe(expected);
});
