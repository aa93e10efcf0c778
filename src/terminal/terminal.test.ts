import { expect, test } from 'vitest';
import { fitTerminal } from './terminal.ts';

const text =
  'hint: \u001b[36mSet\u001b[39m `cluster_by` in `reader_cfg`, or use another option.\n  at c.yaml:1\n';

test('lines break between words where a terminal ends, colours aside', () => {
  expect(fitTerminal(text, { isTTY: true, columns: 44 })).toBe(
    'hint: \u001b[36mSet\u001b[39m `cluster_by` in `reader_cfg`, or\nuse another option.\n  at c.yaml:1\n',
  );
  const address = `  at ${'x'.repeat(60)}`;
  expect(fitTerminal(address, { isTTY: true, columns: 40 })).toBe(`  at\n  ${'x'.repeat(60)}`);
});

test('files and other programs get whole lines', () => {
  expect(fitTerminal(text, { isTTY: false, columns: 0 })).toBe(text);
});
