import { fail } from '../../python/compat-error.ts';
import { capitalize, isLower, isUpper, swapCase, titleCase } from '../../python/letter-case.ts';
import type { Side } from '../../python/split.ts';
import { countCharacters, isBlank } from '../../python/text.ts';
import { spendCharacters, spendItems, spendSearch } from './budget.ts';
import { formatBraces } from './format.ts';
import type { TextValue, Value } from './library.ts';
import { partition, replaceText, split, splitLines, strip } from './split.ts';
import { ask, joinTexts, sliceText } from './text.ts';
import {
  asString,
  asText,
  isList,
  isMissing,
  isText,
  iterate,
  lengthOf,
  type Operation,
  optionalInteger,
  type Result,
  takes,
  text,
  truthy,
  tuple,
  typeName,
} from './values.ts';

type Given = Value | undefined;

function mapping(map: (self: string) => Result): Operation {
  return takes([], (self) => map(asString(self)));
}

function optionalString(value: Given): string | undefined {
  return isMissing(value) ? undefined : asString(value);
}

function stripping(...sides: Side[]): Operation {
  return takes(['characters?'], (self, [set]) =>
    strip(asText(self), { set: optionalString(set), sides }),
  );
}

function splitting(from: Side): Operation {
  return takes(['sep?', 'maxsplit?'], (self, [separator, limit]) =>
    split(asText(self), {
      separator: optionalString(separator),
      limit: optionalInteger(limit),
      from,
    }),
  );
}

function partitioning(from: Side): Operation {
  return takes(['separator'], (self, [separator]) => {
    const whole = asText(self);
    const rest = [text(''), text('')];
    const none = from === 'left' ? [whole, ...rest] : [...rest, whole];
    return tuple(partition(whole, { separator: asString(separator), from }) ?? none);
  });
}

/** The part that `find`, `count`, `startswith` … look at, and where it starts. */
function region(self: Value, [start, end]: readonly Given[]): { part: string; from: number } {
  const whole = asString(self);
  spendItems(whole.length);
  const points = [...whole];
  const at = (value: Given, fallback: number) => {
    const index = optionalInteger(value) ?? fallback;
    return Math.min(points.length, Math.max(0, index < 0 ? index + points.length : index));
  };
  const from = at(start, 0);
  return { part: points.slice(from, at(end, points.length)).join(''), from };
}

function affixTest(question: 'startsWith' | 'endsWith'): Operation {
  return takes(['affix', 'start?', 'end?'], (self, [affix, ...range]) => {
    const part = range.length === 0 ? asText(self) : text(region(self, range).part);
    const choices = isList(affix) ? affix.value : [affix];
    return choices.some((choice) => ask(part, question, asString(choice)));
  });
}

function finding(find: 'indexOf' | 'lastIndexOf', notFound: () => number): Operation {
  return takes(['wanted', 'start?', 'end?'], (self, [wanted, ...range]) => {
    const { part, from } = region(self, range);
    const sought = asString(wanted);
    spendSearch(part, sought);
    const at = part[find](sought);
    return at < 0 ? notFound() : from + [...part.slice(0, at)].length;
  });
}

const counting = takes(['wanted', 'start?', 'end?'], (self, [wanted, ...range]) => {
  const { part } = region(self, range);
  const separator = asString(wanted);
  spendSearch(part, separator);
  return separator === '' ? [...part].length + 1 : part.split(separator).length - 1;
});

function padding(side: 'start' | 'end' | 'both'): Operation {
  return takes(['width', 'fill?'], (self, [width, fill]) =>
    padText(asText(self), {
      width: optionalInteger(width) ?? 0,
      side,
      fill: optionalString(fill),
    }),
  );
}

export function padText(
  self: TextValue,
  { width, side, fill = ' ' }: { width: number; side: string; fill?: string | undefined },
): TextValue {
  const room = Math.max(0, width - lengthOf(self));
  spendCharacters(room * fill.length);
  // Python gives the odd space to the left only when the width is odd.
  const half = Math.floor(room / 2) + (room & width & 1);
  const left = side === 'both' ? half : side === 'start' ? room : 0;
  return joinTexts([text(fill.repeat(left)), self, text(fill.repeat(room - left))]);
}

const joining = takes(['items'], (self, [items]) => {
  const parts = iterate(items ?? self).map((item) =>
    isText(item) ? item : fail('TypeError', `join needs strings, not ${typeName(item)}`),
  );
  return joinTexts(parts, asText(self));
});

const removing = (side: Side) =>
  takes(['affix'], (self, [affix]) => {
    const [whole, part] = [asText(self), asString(affix)];
    const { length } = whole.value;
    if (side === 'left' && whole.value.startsWith(part))
      return sliceText(whole, part.length, length);
    if (side === 'right' && whole.value.endsWith(part)) {
      return sliceText(whole, 0, length - part.length);
    }
    return whole;
  });

const replacing = takes(['old', 'new', 'count?'], (self, [old, replacement, count]) =>
  replaceText(asText(self), {
    old: asString(old),
    replacement: asText(replacement),
    limit: optionalInteger(count),
  }),
);

const zeroFilling = takes(['width'], (self, [width]) => {
  const [, sign = '', digits = ''] = /^([-+]?)([\s\S]*)$/.exec(asString(self)) ?? [];
  const wanted = (optionalInteger(width) ?? 0) - sign.length - countCharacters(digits);
  spendCharacters(Math.max(0, wanted));
  return sign + '0'.repeat(Math.max(0, wanted)) + digits;
});

const notFound = () => fail('ValueError', 'the part is not in the string');
const every = (pattern: RegExp) => mapping((self) => pattern.test(self));

/** The methods of Python's `str` that templates can call. */
export const textMethods: ReadonlyMap<string, Operation> = new Map<string, Operation>([
  ['capitalize', mapping(capitalize)],
  ['center', padding('both')],
  ['count', counting],
  ['endswith', affixTest('endsWith')],
  ['find', finding('indexOf', () => -1)],
  ['format', (self, args) => formatBraces(asText(self), args)],
  ['index', finding('indexOf', notFound)],
  ['isalnum', every(/^[\p{L}\p{N}]+$/u)],
  ['isalpha', every(/^\p{L}+$/u)],
  ['isdigit', every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u)],
  ['islower', mapping(isLower)],
  ['isspace', mapping((self) => self !== '' && isBlank(self))],
  ['isupper', mapping(isUpper)],
  ['join', joining],
  ['ljust', padding('end')],
  ['lower', mapping((self) => self.toLowerCase())],
  ['lstrip', stripping('left')],
  ['partition', partitioning('left')],
  ['removeprefix', removing('left')],
  ['removesuffix', removing('right')],
  ['replace', replacing],
  ['rfind', finding('lastIndexOf', () => -1)],
  ['rindex', finding('lastIndexOf', notFound)],
  ['rjust', padding('start')],
  ['rpartition', partitioning('right')],
  ['rsplit', splitting('right')],
  ['rstrip', stripping('right')],
  ['split', splitting('left')],
  ['splitlines', takes(['keepends?'], (self, [keep]) => splitLines(asText(self), truthy(keep)))],
  ['startswith', affixTest('startsWith')],
  ['strip', stripping('left', 'right')],
  ['swapcase', mapping(swapCase)],
  ['title', mapping(titleCase)],
  ['upper', mapping((self) => self.toUpperCase())],
  ['zfill', zeroFilling],
]);
