import { fail } from '../python/compat-error.ts';
import type { Dialect } from './jinja/dialect.ts';
import type { Value } from './jinja/library.ts';
import { isList, optionalInteger, takes } from './jinja/values.ts';
import { parseText, type TextTemplate } from './text-template.ts';

/** What of Nunjucks is Jinja as well, with JavaScript's printing; a name without a value is nothing. */
export function parseNunjucks(
  source: string,
  place: { readonly name: string; readonly file: string },
): TextTemplate {
  return parseText(source, place, nunjucksDialect);
}

const dump = takes(['indent?'], (self, [indent]) =>
  JSON.stringify(toData(self), null, Math.min(optionalInteger(indent) ?? 0, 10)),
);

const nunjucksDialect: Dialect = {
  what: 'Nunjucks templates',
  trimsBlocks: false,
  isStrict: false,
  filters: new Map([
    ['dump', dump],
    ['safe', takes([], (self) => self)],
  ]),
  print,
};

function print(value: Value): string {
  if (isList(value)) return value.value.map(print).join(',');
  const data = toData(value);
  if (data === null || data === undefined) return '';
  if (typeof data !== 'object') return String(data);
  return fail('TypeError', 'a mapping has no text of its own: write `| dump` for its JSON');
}

/** The value as JSON has it. */
function toData(value: Value): unknown {
  if (isList(value)) return value.value.map(toData);
  if (value.type === 'ObjectValue') {
    return Object.fromEntries([...value.value].map(([key, item]) => [String(key), toData(item)]));
  }
  return value.value;
}
