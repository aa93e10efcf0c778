import { joinSpans, type Span } from '../../src/prompt/origin.ts';
import { pathKey } from '../../src/python/convert.ts';
import { pyStr } from '../../src/python/repr.ts';
import { TracedText } from '../../src/python/traced-text.ts';
import { PromptList, PyDict, PyTuple, type PyValue } from '../../src/python/values.ts';
import { type Difference, difference } from './compare.ts';

export interface SpanSources {
  /** The values that the first key of a config path names. */
  readonly roots: PyDict;
  /** The row with this id. */
  readonly rowOf: (id: string | number) => PyDict | undefined;
  /** Whether all text must come from the config or a row. */
  readonly complete?: boolean;
}

/** Checks that the spans of every text in a value join to it, and that their origins are true. */
export function checkSpans(value: PyValue, sources: SpanSources): Difference[] {
  return textsOf(value).flatMap((text) => {
    const joined = joinSpans(text.spans);
    if (joined !== text.text)
      return [difference({ at: 'joined spans', expected: text.text, actual: joined })];
    return text.spans.flatMap((span) => checkSpan(span, sources)).slice(0, 1);
  });
}

/** Checks that all text of the examples says which one it belongs to, or that it separates them. */
export function checkShotSpans(ice: PyValue): Difference[] {
  const odd = textsOf(ice)
    .flatMap((text) => text.spans)
    .find(({ origin }) => origin.type !== 'separator' && !('shot' in origin));
  return odd === undefined
    ? []
    : [difference({ at: 'examples', expected: 'the number of the example', actual: odd })];
}

function textsOf(value: PyValue): TracedText[] {
  if (value instanceof TracedText) return [value];
  if (value instanceof PyDict) return value.values().flatMap(textsOf);
  if (value instanceof PromptList || value instanceof PyTuple) return value.items.flatMap(textsOf);
  return Array.isArray(value) ? value.flatMap(textsOf) : [];
}

function checkSpan({ text, origin }: Span, sources: SpanSources): Difference[] {
  switch (origin.type) {
    case 'literal':
    case 'role':
    case 'default':
    case 'meta': {
      const { path, start } = origin.at;
      if (path.length === 0) {
        return sources.complete
          ? [difference({ at: 'origin', expected: 'a place', actual: { text, origin } })]
          : [];
      }
      const written = resolve(sources.roots, path);
      const found = written?.slice(start, start + text.length);
      return found === text
        ? []
        : [difference({ at: `text at ${path.join('.')}`, expected: found, actual: text })];
    }
    case 'field': {
      const value = sources.rowOf(origin.row)?.get(origin.field);
      const found = value !== undefined && fieldTexts(value).some((each) => each.includes(text));
      return found
        ? []
        : [
            difference({
              at: `field ${origin.field}`,
              expected: encodeForMessage(value),
              actual: text,
            }),
          ];
    }
    default:
      return [];
  }
}

/** A row's value as text, and the texts inside it, for columns that hold messages. */
function fieldTexts(value: PyValue): string[] {
  const inner =
    value instanceof PyDict
      ? value.values()
      : Array.isArray(value)
        ? (value as readonly PyValue[])
        : [];
  return [pyStr(value), ...inner.flatMap(fieldTexts)];
}

function encodeForMessage(value: PyValue | undefined): string | undefined {
  return value === undefined ? undefined : pyStr(value);
}

function resolve(roots: PyDict, path: readonly (string | number)[]): string | undefined {
  let value: PyValue | undefined = roots;
  for (const key of path) {
    if (value instanceof PyDict) {
      value = value.entries().find(([name]) => pathKey(name) === key)?.[1];
    } else if (Array.isArray(value) && typeof key === 'number') {
      value = (value as readonly PyValue[])[key];
    } else return undefined;
  }
  return typeof value === 'string' ? value : undefined;
}
