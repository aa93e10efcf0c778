import { fail } from '../../python/compat-error.ts';
import { roundFloat } from '../../python/format/decimal-digits.ts';
import { dumpJson } from '../../python/json.ts';
import { capitalize } from '../../python/letter-case.ts';
import { readFloatText } from '../../python/parse-number.ts';
import { pythonSpace, pythonWord, takeCharacters } from '../../python/text.ts';
import { spendCharacters, spendItems } from './budget.ts';
import { formatPercent } from './format.ts';
import { classes, type TextValue, type Value } from './library.ts';
import { replaceText, split, splitLines, strip } from './split.ts';
import { joinTexts } from './text.ts';
import { padText } from './text-methods.ts';
import {
  asPython,
  asString,
  asText,
  float,
  isDict,
  isList,
  isMissing,
  isText,
  lengthOf,
  numeric,
  type Operation,
  optionalInteger,
  type Result,
  takes,
  text,
  toText,
  toValue,
  truthy,
  tuple,
  typeName,
} from './values.ts';

function mapping(map: (self: string) => Result): Operation {
  return takes([], (self) => map(toText(self).value));
}

/** `default` tells a missing argument from one that is undefined. */
const fallBack: Operation = (self, { positional, named }) => {
  const [value = named.get('default_value') ?? '', also = named.get('boolean')] = positional;
  return self.type === 'UndefinedValue' || (truthy(also) && !truthy(self)) ? value : self;
};

function toNumber(value: Value): number | undefined {
  if (value.type === 'UndefinedValue')
    return fail('UndefinedError', 'an undefined value cannot become a number');
  return isText(value) ? readFloatText(value.value) : numeric(value);
}

const toInteger = takes(['default?'], (self, [fallback = toValue(0)]) => {
  const number = toNumber(self);
  return number === undefined || !Number.isFinite(number) ? fallback : Math.trunc(number) + 0;
});

const toFloat = takes(['default?'], (self, [fallback = float(0)]) => {
  const number = toNumber(self);
  return number === undefined ? fallback : float(number);
});

const round = takes(['precision?', 'method?'], (self, [digits, method = text('common')]) => {
  const value =
    numeric(self) ?? fail('TypeError', `a value of type ${typeName(self)} cannot be rounded`);
  const precision = optionalInteger(digits) ?? 0;
  const scale = 10 ** precision;
  switch (asString(method)) {
    case 'common': {
      const rounded = roundFloat(value, precision);
      return self.type === 'FloatValue' ? float(rounded) : rounded;
    }
    case 'ceil':
      return float(Math.ceil(value * scale) / scale);
    case 'floor':
      return float(Math.floor(value * scale) / scale);
    default:
      return fail('ValueError', 'round has the methods common, ceil and floor');
  }
});

const absolute = takes([], (self) => {
  const number =
    numeric(self) ?? fail('TypeError', `a value of type ${typeName(self)} has no absolute value`);
  return self.type === 'FloatValue' ? float(Math.abs(number)) : Math.abs(number);
});

const indent = takes(['width?', 'first?', 'blank?'], (self, [width, first, blank]) => {
  const margin = isText(width) ? width : text(spaces(optionalInteger(width) ?? 4));
  const lines = splitLines(joinTexts([asText(self), text('\n')]), false);
  const indented = lines.map((line, index) => {
    const stays = index === 0 ? !truthy(first) : line.value === '' && !truthy(blank);
    return stays ? line : joinTexts([margin, line]);
  });
  return joinTexts(indented, text('\n'));
});

function spaces(count: number): string {
  spendCharacters(Math.max(0, count));
  return ' '.repeat(Math.max(0, count));
}

/** How many items there are inside a value, and how deep they lie in sum. */
function nesting(value: Value, depth: number): { items: number; levels: number } {
  const inner = isList(value) ? value.value : isDict(value) ? [...value.value.values()] : [];
  spendItems(1);
  let [items, levels] = [1, depth];
  for (const item of inner) {
    const part = nesting(item, depth + 1);
    items += part.items;
    levels += part.levels;
  }
  return { items, levels };
}

const truncate = takes(
  ['length?', 'killwords?', 'end?', 'leeway?'],
  (self, [length, killWords, end = text('...'), leeway]) => {
    const [whole, limit] = [asText(self), optionalInteger(length) ?? 255];
    const room = limit - lengthOf(end);
    if (room < 0) fail('ValueError', 'truncate needs a length that its end fits into');
    if (lengthOf(whole) <= limit + (optionalInteger(leeway) ?? 5)) return whole;
    const cut = text(takeCharacters(whole.value, room));
    const [words = cut] = split(cut, { separator: ' ', limit: 1, from: 'right' });
    return joinTexts([truthy(killWords) ? cut : words, asText(end)]);
  },
);

const replace = takes(['old', 'new', 'count?'], (self, [old, replacement, count]) =>
  replaceText(toText(self), {
    old: asString(old),
    replacement: asText(replacement),
    limit: optionalInteger(count),
  }),
);

const trim = takes(['chars?'], (self, [set]): TextValue => {
  const chosen = isMissing(set) ? undefined : asString(set);
  return strip(toText(self), { set: chosen, sides: ['left', 'right'] });
});

const format: Operation = (self, { positional, named }) => {
  if (positional.length > 0 && named.size > 0)
    fail('TypeError', 'format takes values in order or by name');
  const values = named.size > 0 ? new classes.Dict(new Map(named)) : tuple(positional);
  return formatPercent(toText(self), values);
};

const center = takes(['width?'], (self, [width]) =>
  padText(toText(self), { width: optionalInteger(width) ?? 80, side: 'both' }),
);

const wordStart = new RegExp(`([-${pythonSpace}({[<]+)`);
const words = new RegExp(`[${pythonWord}]+`, 'gu');

/** Words end at white space, hyphens and opening brackets only, unlike those of `str.title`. */
function titleWords(title: string): string {
  return title.split(wordStart).map(capitalize).join('');
}

/** Python's `json.dumps` without ASCII escapes. */
const tojson = takes(
  ['ensure_ascii?', 'indent?', 'separators?', 'sort_keys?'],
  (self, [ensureAscii, margin, separators, sortKeys]) => {
    const step = isText(margin) ? margin.value : spaces(optionalInteger(margin) ?? 0);
    const between = isList(separators) ? separators.value.map(asString) : undefined;
    const { items, levels } = nesting(self, 1);
    spendCharacters(items * (between?.join('').length ?? 0) + levels * step.length);
    return dumpJson(asPython(self), {
      ensureAscii: truthy(ensureAscii),
      indent: isMissing(margin) ? undefined : step,
      separators: between,
      sortKeys: truthy(sortKeys),
    });
  },
);

/** Filters that work on one value. */
export const valueFilters: readonly (readonly [string, Operation])[] = [
  ['abs', absolute],
  ['capitalize', mapping(capitalize)],
  ['center', center],
  ['count', takes([], lengthOf)],
  ['d', fallBack],
  ['default', fallBack],
  ['float', toFloat],
  ['format', format],
  ['indent', indent],
  ['int', toInteger],
  ['length', takes([], lengthOf)],
  ['lower', mapping((self) => self.toLowerCase())],
  ['replace', replace],
  ['round', round],
  ['safe', takes([], toText)],
  ['string', takes([], toText)],
  ['title', mapping(titleWords)],
  ['tojson', tojson],
  ['trim', trim],
  ['truncate', truncate],
  ['upper', mapping((self) => self.toUpperCase())],
  ['wordcount', mapping((self) => self.match(words)?.length ?? 0)],
];
