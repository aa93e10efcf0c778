import { capitalize, isLower, isUpper, swapCase, titleCase } from '../../python/letter-case.ts';
import {
  lineEndRanges,
  type Range,
  type Side,
  separatorRanges,
  splitRanges,
} from '../../python/split.ts';
import { countCharacters, isBlank, leadingSpace, trailingSpace } from '../../python/text.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, PyDict, PyTuple, type PyValue, typeName } from '../../python/values.ts';
import { checkedLength } from './arithmetic.ts';
import { formatBraces } from './formatting.ts';
import { raise, spendCharacters, spendItems } from './machine.ts';
import { type Arguments, PyBytes } from './objects.ts';
import { getItem, toIndex, toList } from './operations.ts';
import { bind } from './signature.ts';

type Given = PyValue | undefined;
type TextMethod = (self: string, args: Arguments) => PyValue;

function method(
  parameters: readonly string[],
  body: (self: string, ...values: Given[]) => PyValue,
): TextMethod {
  return (self, args) => {
    spendCharacters(self.length >> 2);
    return body(self, ...bind('the method', parameters, args));
  };
}

function textOf(value: Given): string {
  if (value !== undefined && isText(value)) return plainText(value);
  return raise('TypeError', `expected a string, not ${typeName(value ?? null)}`);
}

const optionalText = (value: Given) =>
  value === undefined || value === null ? undefined : textOf(value);
const optionalIndex = (value: Given) =>
  value === undefined || value === null ? undefined : toIndex(value);

function stripping(...sides: Side[]): TextMethod {
  return method(['chars?'], (self, given) => {
    const set = optionalText(given);
    const [left, right] = [sides.includes('left'), sides.includes('right')];
    if (set === undefined) {
      return self.slice(left ? leadingSpace(self) : 0, right ? trailingSpace(self) : self.length);
    }
    const members = new Set(set);
    const points = [...self];
    let [first, last] = [0, points.length];
    while (left && first < last && members.has(points[first] ?? '')) first++;
    while (right && first < last && members.has(points[last - 1] ?? '')) last--;
    return points.slice(first, last).join('');
  });
}

function cutOut(self: string, ranges: readonly Range[]): string[] {
  const starts = [0, ...ranges.map(([, end]) => end)];
  return starts.map((start, index) => self.slice(start, ranges[index]?.[0] ?? self.length));
}

function splitting(from: Side): TextMethod {
  return method(['sep?', 'maxsplit?'], (self, sep, count) => {
    const separator = optionalText(sep);
    const { cuts, isWhole } = splitRanges(self, { separator, limit: optionalIndex(count), from });
    spendItems(cuts.length);
    const pieces = cutOut(self, cuts);
    if (separator !== undefined) return pieces;
    const [start, end] = [isWhole || from === 'left', isWhole || from === 'right'];
    return pieces
      .map((piece) =>
        piece.slice(start ? leadingSpace(piece) : 0, end ? trailingSpace(piece) : piece.length),
      )
      .filter((piece) => piece !== '');
  });
}

function partitioning(from: Side): TextMethod {
  return method(['sep'], (self, sep) => {
    const ranges = separatorRanges(self, textOf(sep), from);
    const range = from === 'left' ? ranges[0] : ranges.at(-1);
    if (!range) return new PyTuple(from === 'left' ? [self, '', ''] : ['', '', self]);
    return new PyTuple([self.slice(0, range[0]), self.slice(...range), self.slice(range[1])]);
  });
}

/** The part that `find`, `count`, `startswith` … look at, and where it starts. */
function region(self: string, start: Given, end: Given): { part: string; from: number } {
  if (optionalIndex(start) === undefined && optionalIndex(end) === undefined)
    return { part: self, from: 0 };
  const points = [...self];
  const at = (value: Given, fallback: number) => {
    const index = optionalIndex(value) ?? fallback;
    return Math.min(points.length, Math.max(0, index < 0 ? index + points.length : index));
  };
  const from = at(start, 0);
  return { part: points.slice(from, at(end, points.length)).join(''), from };
}

function affixTest(question: 'startsWith' | 'endsWith'): TextMethod {
  return method(['affix', 'start?', 'end?'], (self, affix, start, end) => {
    const { part } = region(self, start, end);
    const choices = affix instanceof PyTuple ? affix.items : [affix];
    return choices.some((choice) => part[question](textOf(choice)));
  });
}

function finding(find: 'indexOf' | 'lastIndexOf', notFound: () => number): TextMethod {
  return method(['sub', 'start?', 'end?'], (self, sub, start, end) => {
    const { part, from } = region(self, start, end);
    const at = part[find](textOf(sub));
    return at < 0 ? notFound() : from + countCharacters(part.slice(0, at));
  });
}

const absent = () => raise('ValueError', 'substring not found');

function padding(side: 'start' | 'end' | 'both'): TextMethod {
  return method(['width', 'fillchar?'], (self, given, fill) => {
    const width = toIndex(given ?? null);
    const room = Math.max(0, width - countCharacters(self));
    checkedLength(room);
    const half = Math.floor(room / 2) + (room & width & 1);
    const left = side === 'both' ? half : side === 'start' ? room : 0;
    const filler = optionalText(fill) ?? ' ';
    return filler.repeat(left) + self + filler.repeat(room - left);
  });
}

function replaceText(self: string, given: readonly Given[]): string {
  const [old, replacement] = [textOf(given[0]), textOf(given[1])];
  const most = optionalIndex(given[2]);
  const limit = most === undefined || most < 0 ? Number.POSITIVE_INFINITY : most;
  const cuts: Range[] =
    old === ''
      ? [...Array.from({ length: countCharacters(self) + 1 }).keys()].map((at) => [at, at])
      : separatorRanges(self, old, 'left');
  const count = Math.min(cuts.length, limit);
  checkedLength(self.length + count * replacement.length);
  if (old !== '') return cutOut(self, cuts.slice(0, count)).join(replacement);
  const points = [...self, ''];
  return points.map((point, index) => (index < count ? replacement + point : point)).join('');
}

function joinTexts(self: string, items: Given): string {
  const parts = toList(items ?? null).map((item, index) =>
    isText(item)
      ? plainText(item)
      : raise(
          'TypeError',
          `sequence item ${index}: expected str instance, ${typeName(item)} found`,
        ),
  );
  const characters = parts.reduce((sum, part) => sum + part.length, 0);
  checkedLength(characters + self.length * Math.max(0, parts.length - 1));
  return parts.join(self);
}

function splitLines(self: string, keep: Given): string[] {
  const lines: string[] = [];
  let position = 0;
  for (const [start, end] of lineEndRanges(self)) {
    lines.push(self.slice(position, keep ? end : start));
    position = end;
  }
  return position < self.length ? [...lines, self.slice(position)] : lines;
}

function expandTabs(self: string, size: number): string {
  let column = 0;
  let text = '';
  for (const character of self) {
    if (character === '\t') {
      const room = size > 0 ? size - (column % size) : 0;
      checkedLength(room);
      text += ' '.repeat(room);
      column += room;
    } else {
      text += character;
      column = character === '\n' || character === '\r' ? 0 : column + 1;
    }
  }
  return text;
}

function zeroFill(self: string, width: Given): string {
  const [, sign = '', digits = ''] = /^([-+]?)([\s\S]*)$/.exec(self) ?? [];
  const room = Math.max(0, toIndex(width ?? null) - countCharacters(self));
  checkedLength(room);
  return sign + '0'.repeat(room) + digits;
}

function translate(self: string, table: Given): string {
  const change = (character: string) => {
    const key = character.codePointAt(0) ?? 0;
    const found = table instanceof PyDict ? table.get(key) : undefined;
    if (found === undefined) return character;
    if (found === null) return '';
    return typeof found === 'number' ? String.fromCodePoint(found) : textOf(found);
  };
  return [...self].map(change).join('');
}

const every = (pattern: RegExp) => method([], (self) => pattern.test(self));

/** The methods of `str`. */
export const textMethods: ReadonlyMap<string, TextMethod> = new Map<string, TextMethod>([
  ['capitalize', method([], capitalize)],
  ['casefold', method([], (self) => self.toLowerCase().replaceAll('ß', 'ss'))],
  ['center', padding('both')],
  [
    'count',
    method(['sub', 'start?', 'end?'], (self, sub, start, end) => {
      const { part } = region(self, start, end);
      const wanted = textOf(sub);
      return wanted === '' ? countCharacters(part) + 1 : part.split(wanted).length - 1;
    }),
  ],
  [
    'encode',
    method(['encoding?', 'errors?'], (self) => {
      return new PyBytes(Buffer.from(self, 'utf8').toString('latin1'));
    }),
  ],
  ['endswith', affixTest('endsWith')],
  ['expandtabs', method(['tabsize?'], (self, size) => expandTabs(self, optionalIndex(size) ?? 8))],
  ['find', finding('indexOf', () => -1)],
  ['format', formatBraces],
  [
    'format_map',
    method(['mapping'], (self, mapping) => {
      const named = { get: (name: string) => getItem(mapping ?? null, name), has: () => true };
      return formatBraces(self, {
        positional: [],
        named: named as unknown as Map<string, PyValue>,
      });
    }),
  ],
  ['index', finding('indexOf', absent)],
  ['isalnum', every(/^[\p{L}\p{N}]+$/u)],
  ['isalpha', every(/^\p{L}+$/u)],
  ['isascii', every(/^[\0-\x7f]*$/)],
  ['isdecimal', every(/^\p{Nd}+$/u)],
  ['isdigit', every(/^[\p{Nd}²³¹⁰⁴-⁹₀-₉]+$/u)],
  ['isidentifier', every(/^[\p{XIDS}_][\p{XIDC}]*$/u)],
  ['islower', method([], isLower)],
  ['isnumeric', every(/^\p{N}+$/u)],
  ['isspace', method([], (self) => self !== '' && isBlank(self))],
  ['isupper', method([], isUpper)],
  ['join', method(['iterable'], joinTexts)],
  ['ljust', padding('end')],
  ['lower', method([], (self) => self.toLowerCase())],
  ['lstrip', stripping('left')],
  ['partition', partitioning('left')],
  [
    'removeprefix',
    method(['prefix'], (self, prefix) => {
      const part = textOf(prefix);
      return self.startsWith(part) ? self.slice(part.length) : self;
    }),
  ],
  [
    'removesuffix',
    method(['suffix'], (self, suffix) => {
      const part = textOf(suffix);
      return part !== '' && self.endsWith(part) ? self.slice(0, -part.length) : self;
    }),
  ],
  ['replace', method(['old', 'new', 'count?'], (self, ...given) => replaceText(self, given))],
  ['rfind', finding('lastIndexOf', () => -1)],
  ['rindex', finding('lastIndexOf', absent)],
  ['rjust', padding('start')],
  ['rpartition', partitioning('right')],
  ['rsplit', splitting('right')],
  ['rstrip', stripping('right')],
  ['split', splitting('left')],
  ['splitlines', method(['keepends?'], splitLines)],
  ['startswith', affixTest('startsWith')],
  ['strip', stripping('left', 'right')],
  ['swapcase', method([], swapCase)],
  ['title', method([], titleCase)],
  ['translate', method(['table'], translate)],
  ['upper', method([], (self) => self.toUpperCase())],
  ['zfill', method(['width'], zeroFill)],
]);
