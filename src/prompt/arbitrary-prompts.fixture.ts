import fc from 'fast-check';
import { namedFormats } from './catalogue.ts';
import { chatApiFormat, type ModelFormat, plainFormat } from './format.ts';
import { parseMetaTemplate } from './meta-template.ts';
import { Float } from './values.ts';

/** Generators for property tests: hostile names, values and templates, and all kinds of formats. */

const loneSurrogate = fc.constantFrom('\ud800', '\udc00', 'a\udfffb');

export const columnName = fc.oneof(
  fc.constantFrom(
    'question',
    'q',
    'A',
    '__proto__',
    'constructor',
    'toString',
    '0',
    '12',
    'a b',
    '質問',
  ),
  fc.stringMatching(/^[a-z_][a-z0-9_]{0,6}$/),
);

export const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.constantFrom(
    '$&',
    '$1 $$',
    '\\',
    '\\n',
    '{',
    '}',
    '{}',
    '{q}',
    '{answer}',
    '</E>',
    '\n',
    ' ',
    '👩‍👩‍👧',
    '',
  ),
  loneSurrogate,
);

export const value = fc.oneof(
  { weight: 4, arbitrary: text },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.integer().map((whole) => new Float(whole)),
      fc.bigInt(),
      fc.boolean(),
      fc.array(text, { maxLength: 2 }),
    ),
  },
);

/** A row whose columns are own properties whatever their names. */
export function rowOf(columns: readonly string[]) {
  return fc.array(value, { minLength: columns.length, maxLength: columns.length }).map((values) => {
    const row: Record<string, unknown> = {};
    columns.forEach((column, index) => {
      Object.defineProperty(row, column, {
        value: values[index],
        enumerable: true,
        configurable: true,
      });
    });
    return row;
  });
}

/** A template string of literal text, placeholders of the columns and unknown ones. */
export function templateText(columns: readonly string[]) {
  const placeholder = fc.constantFrom(...columns, 'unknown').map((name) => `{${name}}`);
  return fc
    .array(fc.oneof(text, placeholder), { maxLength: 6 })
    .map((pieces) => pieces.join('').replaceAll('</E>', ''));
}

const roles = ['HUMAN', 'BOT', 'SYSTEM'] as const;

export function turn(columns: readonly string[]) {
  return fc.record({
    role: fc.constantFrom(...roles),
    fallback_role: fc.constant('HUMAN'),
    prompt: templateText(columns),
  });
}

export function dialogue(columns: readonly string[], shots: boolean) {
  return fc.record({
    begin: fc
      .array(fc.oneof(turn(columns), templateText(columns)), { maxLength: 2 })
      .map((items) => (shots ? [...items, '</E>'] : items)),
    round: fc.array(turn(columns), { minLength: 1, maxLength: 5 }),
    end: fc.array(fc.oneof(turn(columns), templateText(columns)), { maxLength: 2 }),
  });
}

export function rawMessages(columns: readonly string[], shots: boolean) {
  return fc
    .array(
      fc.record({
        role: fc.constantFrom('system', 'user', 'assistant'),
        content: templateText(columns),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((messages) => (shots ? ['</E>', ...messages] : messages));
}

export const textFormat: fc.Arbitrary<ModelFormat> = fc
  .constantFrom(...namedFormats)
  .map(({ meta }) => ({ type: 'text', meta: parseMetaTemplate(meta, 'text', ['meta_template']) }));

export const anyFormat: fc.Arbitrary<ModelFormat> = fc.oneof(
  fc.constant(plainFormat),
  fc.constant(chatApiFormat),
  textFormat,
);
