import * as z from 'zod';
import { isKeyAsName, keyPattern } from '../base/hidden-text.ts';
import { isMapping, type Mapping, toPlain } from '../prompt/mapping.ts';
import type { Problem } from '../schema/schema-problems.ts';
import { strictMapping } from '../schema/strict-mapping.ts';
import { editorMapping, editorText, forEditors, oneOrMore } from './editor-schema.ts';
import { lastName } from './type-names.ts';

// The message of each schema is what it expects; for unknown keys it is the list of known ones.

export const text = z.string({ error: 'a string' });
export const texts = z.array(text, { error: 'a list of strings' });
export const wholeNumber = z.int({ error: 'a whole number' });
export const count = z
  .int({ error: 'a whole number above 0' })
  .positive({ error: 'a whole number above 0' });
export const trueOrFalse = z.boolean({ error: 'true or false' });
export const compat = z.enum(['opencompass', 'aisbench'], { error: '`opencompass` or `aisbench`' });

/** A number that may have been written as a float. */
export const positiveNumber = z.preprocess(
  toPlain,
  z.number({ error: 'a number above 0' }).positive({ error: 'a number above 0' }),
) as unknown as z.ZodType<number, number>;

/** A price or the like. */
export const amount = z.preprocess(
  toPlain,
  z.number({ error: 'a number, 0 or above' }).nonnegative({ error: 'a number, 0 or above' }),
) as unknown as z.ZodType<number, number>;

/** Any mapping, passed on as it is. */
export const anyMapping = forEditors(
  z.custom<Mapping>(isMapping, { error: 'a mapping' }),
  editorMapping,
);

/** Options that are passed on as JSON. */
export const options = anyMapping.transform((value) => toPlain(value) as Record<string, unknown>);

/** A part chosen by the name of its type, with options of its own. */
export const component = z.preprocess(
  toPlain,
  z.looseObject({ type: text.transform(lastName) }, { error: 'a mapping with a `type`' }),
) as unknown as z.ZodType<ComponentOutput, ComponentInput>;

/** A component, or several that are tried in order. */
export const componentOrList = z.union([component, z.array(component).min(1)], {
  error: 'a mapping with a `type`, or a list of such mappings',
});

/** A component as it is written; editors propose the names, and others may be written too. */
export interface ComponentInput<Name extends string = string> {
  type: Name | (string & {});
  [option: string]: unknown;
}

export interface ComponentOutput {
  readonly type: string;
  readonly [option: string]: unknown;
}

/** Lets null stand for a key that is left out, as `None` does in the field's configs. */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/** A list of strings that may also be written as one string, which `split` takes apart. */
export function textList(expected: string, split: (value: string) => string[]) {
  const read = z.preprocess(
    (value) => (typeof value === 'string' ? split(value) : value),
    z.array(text, { error: expected }),
  );
  return forEditors(
    read as unknown as z.ZodType<string[], string | string[]>,
    oneOrMore(editorText),
  );
}

/** A mapping with the given keys only. */
export function mapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const schema = strictMapping(shape);
  // An object with the keys as text: what made it a Map is then refused as an unknown key.
  const read = z.preprocess(
    (value) => (value instanceof Map ? Object.fromEntries(value) : value),
    schema,
  );
  return read as unknown as z.ZodType<z.output<typeof schema>, z.input<typeof schema>>;
}

/** Reports a problem of the value that is being checked. */
export function addProblem(
  context: z.RefinementCtx,
  problem: Omit<Problem, 'path' | 'key'> & { readonly path?: (string | number)[] },
): void {
  const { code, message, hint, path } = problem;
  context.addIssue({ code: 'custom', message, params: { code, hint }, ...(path && { path }) });
}

/** Texts that are kept in files of a run: none of them is a key. */
export function withoutKeys<Schema extends z.ZodType<readonly string[] | undefined>>(
  schema: Schema,
): Schema {
  return schema.superRefine((values, context) => {
    if (!values?.some((value) => keyPattern.test(value))) return;
    addProblem(context, {
      code: 'config.key_in_config',
      message: 'contains what looks like a key, which would be saved in the run folder',
      hint: 'Put the key into an environment variable, and name the variable in `api_key_env` of the model.',
    });
  });
}

/** Not a key that was pasted in place of the name of its variable. */
export const variableName = text.superRefine((value, context) => {
  if (!isKeyAsName(value)) return;
  addProblem(context, {
    code: 'config.key_in_config',
    message: 'is not the name of an environment variable',
    hint: 'Put the key into an environment variable, and name the variable here: `api_key_env: MY_KEY`.',
  });
});
