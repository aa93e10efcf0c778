import { expect, it } from 'vitest';
import { hideBase64, hideBase64In } from './hidden-text.ts';

const bytes = Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37) % 251)).toString(
  'base64',
);

it.each([
  [`unknown input ${bytes}!`, /^unknown input … \(400 characters, sha256 [0-9a-f]{16}\)!$/],
  [`data:image/png;base64,${bytes.slice(0, 40)}`, /^data:image\/png;base64,… \(40 characters, /],
  ['data:image/png;base64,AAAA', /AAAA$/],
  [`${'a '.repeat(11)};base64,${bytes.slice(0, 24)}`, /;base64,… \(24 characters, /],
  [`${'a '.repeat(11)};base64,${bytes.slice(0, 23)} and more`, /;base64,[^…]{23} and more$/],
  ['ACGT'.repeat(100), /^(ACGT){100}$/],
  ['a '.repeat(300), /^(a ){300}$/],
])('%s is shown without bytes', (text, shown) => {
  expect(hideBase64(text)).toMatch(shown);
});

it('reaches into values', () => {
  const hidden = hideBase64In({ rows: [{ image: bytes, score: 1, gold: null }] });
  expect(JSON.stringify(hidden)).not.toContain(bytes.slice(0, 60));
  expect(hidden).toMatchObject({ rows: [{ score: 1, gold: null }] });
});
