import { expect, test } from 'vitest';
import { DataTable } from '../web/parts/data-panel.tsx';
import { Problem } from '../web/parts/frame.tsx';

/** The text of what a component draws, without a browser. */
function textOf(node: unknown): string {
  if (Array.isArray(node)) return node.map(textOf).join('');
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (typeof node !== 'object' || node === null || !('type' in node)) return '';
  const { type, props } = node as {
    readonly type: unknown;
    readonly props: { children?: unknown };
  };
  return textOf(typeof type === 'function' ? type(props) : props.children);
}

test('an error that begins with a name keeps it as it is', () => {
  const error = new Error('aclue is scored by the rules of its suite');
  expect(textOf(Problem({ error }))).toBe('aclue is scored by the rules of its suite.');
});

test('marks of direction and control characters of data have signs', () => {
  const row = { 'na\u202eme': 'gpj.\u202egnp', other: { in: '\u2066x\u0000' } };
  const shown = textOf(DataTable({ row }));
  expect(shown).toContain('na<U+202E>me');
  expect(shown).toContain('gpj.<U+202E>gnp');
  expect(shown).toContain('<U+2066>');
});
