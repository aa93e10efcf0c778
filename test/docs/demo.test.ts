import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

test('the recording of `npm run demo` plays its commands to the end, with no path of a machine', () => {
  const [head, ...events] = readFileSync('docs/media/demo.cast', 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(head).toMatchObject({ version: 2, width: 100 });
  const times = events.map(([time]) => time);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
  const text = events.map(([, , written]) => written).join('');
  const commands = readFileSync('scripts/record-demo.mjs', 'utf8').match(/(?<=')typecase .*(?=')/g);
  expect(text.match(/(?<=\$ )typecase .*(?=\r)/g)).toEqual(commands);
  expect(text).not.toMatch(/(?<![\w.-])\/(?:home|tmp|work|root|Users)\//);
  expect(text).toContain('Origins');
});
