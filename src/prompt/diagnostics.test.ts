import { expect, test } from 'vitest';
import { checkFields } from './diagnostics.ts';
import { chatApiFormat, formatOf, type ModelFormat, plainFormat } from './format.ts';
import { compileLabelPrompts, compilePrompt, type PromptSettings } from './program.ts';

const codesOf = (settings: PromptSettings, format: ModelFormat = plainFormat) =>
  compilePrompt({ ...settings, format }).diagnostics.map(({ code }) => code);

test('doubled braces are told of the prompt, and of examples with a template of their own', () => {
  const doubled = { template: 'x {{q}}' };
  const plain = { template: '</E>{q}', ice_token: '</E>' };
  expect(codesOf({ promptTemplate: doubled })).toContain('template.doubled_braces');
  expect(codesOf({ promptTemplate: plain })).not.toContain('template.doubled_braces');
  const codes = codesOf({ promptTemplate: plain, iceTemplate: doubled, hasShots: true });
  expect(codes.filter((code) => code === 'template.doubled_braces')).toHaveLength(1);
  // One template for both is told of once.
  const both = { template: '</E>{{q}}', ice_token: '</E>' };
  const once = codesOf({ promptTemplate: both, iceTemplate: both, hasShots: true });
  expect(once.filter((code) => code === 'template.doubled_braces').length).toBeLessThan(3);
});

const answered = {
  round: [
    { role: 'HUMAN', prompt: '{q}' },
    { role: 'BOT', prompt: '' },
  ],
};

test.each<[string, object, ModelFormat, boolean]>([
  ['messages', { ...answered, end: [{ role: 'HUMAN', prompt: 'late' }] }, chatApiFormat, true],
  ['messages without an end', answered, chatApiFormat, false],
  [
    'a meta template',
    { ...answered, end: 'late' },
    formatOf({
      takes: 'text',
      metaTemplate: { round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }] },
      path: ['meta_template'],
    }),
    true,
  ],
  ['a text', { ...answered, end: 'late' }, plainFormat, false],
])('what is said after the place of the answer is told: %s', (_, template, format, isTold) => {
  const codes = codesOf({ promptTemplate: { template } }, format);
  expect(codes.includes('template.end_not_sent')).toBe(isTold);
});

test.each<[string, string | undefined]>([
  ['{items[0].n}', 'Only whole columns can be filled in, as `{items}`'],
  ['{items.0.n}', 'Only whole columns can be filled in, as `{items}`'],
  ['{q.length}', 'Only whole columns can be filled in, as `{q}`'],
  ['{q!r}', 'Only whole columns can be filled in, as `{q}`'],
  ['{q:>5}', 'Only whole columns can be filled in, as `{q}`'],
  ['{q | upper}', 'Only whole columns can be filled in, as `{q}`'],
  ['{ q }', 'Did you mean `{q}`, without spaces?'],
  ['{item}', 'Did you mean `{items}`?'],
  ['{topic}', 'Columns: q, items, a.b.'],
  ['{q}', undefined],
  ['{a.b}', undefined],
  ['{q: "text"}', undefined],
  ['{"q": 1}', undefined],
  ['{x[0]}', undefined],
  ['f(x) = { x + 1 }', undefined],
])('placeholders that stay as they are: %s', (template, hint) => {
  const program = compilePrompt({ promptTemplate: { template } });
  const found = checkFields(program, ['q', 'items', 'a.b']);
  if (hint === undefined) expect(found).toEqual([]);
  else {
    expect(found).toMatchObject([{ code: 'template.unknown_field' }]);
    expect(found[0]?.hint).toContain(hint);
  }
});

test.each([
  ['A:{a}', []],
  ['A: {a}', ['template.space_before_answer']],
  ['A:   {a}', ['template.space_before_answer']],
])('spaces before a hidden answer are told, if there are any: %j', (template, codes) => {
  expect(codesOf({ promptTemplate: { template }, outputColumn: 'a' })).toEqual(codes);
});

test('labels that the data has are compared, unless one of them is no value', () => {
  const settings = { promptTemplate: { template: '{q}: {a}' }, outputColumn: 'a' };
  const labelsOf = (labels?: readonly unknown[], inData?: readonly unknown[]) =>
    compileLabelPrompts(settings, labels, inData).map(({ label }) => label);
  expect(labelsOf(undefined, ['x', 'y'])).toEqual(['x', 'y']);
  expect(() => labelsOf(undefined, ['x', null])).toThrow('`a`');
  // Those that somebody wrote down are meant.
  expect(labelsOf(['x', null], ['x', null])).toEqual(['x', null]);
});
