import { createParser, parsePrompt } from '../../src/compat/prompt/parser.ts';
import { CompatError } from '../../src/python/compat-error.ts';
import type { PyValue } from '../../src/python/values.ts';
import { decode, digest, encode } from './codec.ts';
import { compare, type Difference, difference, errorOf } from './compare.ts';
import { namedMetaTemplate, type VectorContext } from './handler.ts';
import { isObject, type Json, type JsonObject } from './json.ts';
import { describe } from './observe.ts';
import { checkSpans, type SpanSources } from './spans.ts';

export interface ParseCheck {
  readonly prompts: readonly PyValue[];
  /** Whether the expectations are lists with an output for each prompt. */
  readonly isBatch: boolean;
  readonly context: VectorContext;
  readonly sources: SpanSources;
}

const unchangedKeys = [
  'lm:none',
  'lm:moss',
  'lm:plain',
  'lm:chat',
  'api:none',
  'api:api',
  'api:api_sys',
].flatMap((name) => [`${name}:gen`, `${name}:ppl`]);

/** Checks the `parse` matrix of a vector: its prompts through all named meta templates. */
export function checkParses(expected: Json | undefined, check: ParseCheck): Difference[] {
  const wanted =
    expected === '='
      ? Object.fromEntries(unchangedKeys.map((key) => [key, '=']))
      : isObject(expected)
        ? expected
        : {};
  return Object.entries(wanted).flatMap(([key, value]) =>
    checkParse(value, { key, check }).map((each) => ({ ...each, at: `parse ${key} ${each.at}` })),
  );
}

function checkParse(
  expected: Json,
  { key, check }: { readonly key: string; readonly check: ParseCheck },
): Difference[] {
  const [kind = '', name = '', mode = ''] = key.split(':');
  const metaTemplate = decode(namedMetaTemplate(check.context, `${kind}:${name}`));
  const outcome = tryParse(metaTemplate, { kind, mode, check });
  if ('error' in outcome) {
    const error = isObject(expected) ? errorOf(expected.error) : undefined;
    return compare(error ?? expected, outcome.error);
  }
  const choose = (values: readonly PyValue[]): Json =>
    encode(check.isBatch ? values : (values[0] ?? null));
  const roots = check.sources.roots.with('meta_template', metaTemplate);
  return [
    ...compareParsed(expected, { actual: choose(outcome.out), input: choose(check.prompts) }),
    ...checkSpans(outcome.out, { ...check.sources, roots }),
  ];
}

function compareParsed(
  expected: Json,
  { actual, input }: { readonly actual: Json; readonly input: Json },
): Difference[] {
  if (expected === '=') return compare(input, actual);
  if (typeof expected === 'string') return compare(expected, digest(actual));
  if (isObject(expected) && 'out' in expected) return compare(expected.out, actual);
  return [difference({ at: '', expected, actual })];
}

function tryParse(
  metaTemplate: PyValue,
  {
    kind,
    mode,
    check,
  }: { readonly kind: string; readonly mode: string; readonly check: ParseCheck },
): { readonly out: PyValue[] } | { readonly error: JsonObject } {
  try {
    const parser = createParser(metaTemplate, {
      compat: 'opencompass',
      parser: kind === 'lm' ? 'lm' : 'api',
      path: ['meta_template'],
    });
    return { out: check.prompts.map((prompt) => parsePrompt(parser, { prompt, mode })) };
  } catch (error) {
    if (error instanceof CompatError) return { error: describe(error) };
    throw error;
  }
}
