import * as z from 'zod';
import { type Component, type Components, type ComponentTypes, isComponent } from './component.ts';

const postprocessor = { $ref: '#/$defs/postprocessor' };

// The message of each schema is what it expects.

export const trueOrFalse = z.boolean({ error: 'true or false' });

export const amount = numberFrom(0, 'a number, 0 or above');

export const nonEmptyText = z
  .string({ error: 'text that is not empty' })
  .min(1, { error: 'text that is not empty' });

/** A list of texts; a single one may stand for itself. */
export const texts = textList('a text or a list of texts, none of them empty', (text) => [text]);

/** Labels of options: the characters of a text, or the entries of a list. */
export const labels = textList('the letters to choose from, or a list of labels', (text) => [
  ...text,
]);

/** Post-processors inside another component. */
export const components = z
  .custom<Components>(
    (value) => {
      const list: unknown[] = Array.isArray(value) ? value : [value];
      return list.length > 0 && list.every(isComponent);
    },
    { error: 'a mapping with a `type`, or a list of such mappings' },
  )
  .meta({ anyOf: [postprocessor, { type: 'array', items: postprocessor }] });

/** The types that options which are components themselves may have. */
export const nestedTypes = new WeakMap<z.core.$ZodType, ComponentTypes<unknown, never>>();

/** A component of one of the given types, left to them to be read. */
export function componentOf(types: ComponentTypes<unknown, never>) {
  const schema = z.custom<Component>(isComponent, { error: 'a mapping with a `type`' });
  nestedTypes.set(schema, types);
  return schema;
}

function numberFrom(lowest: number, expected: string) {
  return z.number({ error: expected }).min(lowest, { error: expected });
}

function textList(error: string, split: (text: string) => string[]) {
  const list = z.array(nonEmptyText, { error }).min(1, { error });
  return z
    .union([nonEmptyText, list], { error })
    .transform((value): readonly string[] => (typeof value === 'string' ? split(value) : value));
}

/** One of a few names. */
export function oneOfNames<const Name extends string>(names: readonly Name[]) {
  const listed = names.map((name) => `\`${name}\``);
  const error = `${listed.slice(0, -1).join(', ')} or ${listed.at(-1)}`;
  return z.enum(names as [Name, ...Name[]], { error });
}

/** A text that stands for something else; `parse` gives nothing for one that does not. */
export function parsedText<Value>(error: string, parse: (text: string) => Value | undefined) {
  return z.string({ error }).transform((text, context): Value => {
    const value = parse(text);
    if (value !== undefined) return value;
    context.addIssue({ code: 'custom', message: error });
    return z.NEVER;
  });
}
