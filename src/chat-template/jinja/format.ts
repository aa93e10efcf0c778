import { fail } from '../../python/compat-error.ts';
import { paddingOf } from '../../python/format/align.ts';
import { type FormatPiece, parseFormat } from '../../python/format/format-fields.ts';
import { type FormatSpec, parseTextSpec, percentFields } from '../../python/format/format-spec.ts';
import { formatPercentNumber, formatValue } from '../../python/format/format-value.ts';
import { pyAscii, pyRepr } from '../../python/repr.ts';
import { takeCharacters } from '../../python/text.ts';
import type { Arguments, TextValue, Value } from './library.ts';
import { joinTexts, sliceText } from './text.ts';
import {
  asPython,
  getItem,
  isDict,
  isText,
  lengthOf,
  missing,
  text,
  toText,
  toValue,
} from './values.ts';

/** Python's `'…' % value`. */
export function formatPercent(template: TextValue, value: Value): TextValue {
  const source = template.value;
  const values = value.type === 'TupleValue' ? [...value.value] : [value];
  let isUsed = isDict(value) || value.type === 'ArrayValue';
  const pieces: TextValue[] = [];
  let position = 0;
  for (const { source: written, key, spec, start } of percentFields(source)) {
    pieces.push(text(source.slice(position, start)));
    position = start + written.length;
    if (spec.type === '%') {
      pieces.push(text('%'));
      continue;
    }
    let item: Value | undefined;
    if (key === undefined) item = values.shift();
    else
      item = isDict(value) ? value.value.get(key) : fail('TypeError', `%(${key}) needs a mapping`);
    isUsed ||= values.length === 0;
    if (item === undefined) return fail('TypeError', 'there are fewer values than fields for them');
    pieces.push(formatPercentField(item, spec));
  }
  if (!isUsed && values.length > 0) fail('TypeError', 'there are more values than fields for them');
  return joinTexts([...pieces, text(source.slice(position))]);
}

function formatPercentField(value: Value, spec: FormatSpec): TextValue {
  if ('sra'.includes(spec.type)) return alignText(convert(value, spec.type), spec);
  return text(formatPercentNumber(asPython(value), spec));
}

/** Python's `str.format`. */
export function formatBraces(template: TextValue, args: Arguments): TextValue {
  let automatic = 0;
  const nameOf = (name: string) => (name === '' ? String(automatic++) : name);
  const write = (pieces: readonly FormatPiece[]): TextValue =>
    joinTexts(
      pieces.map((piece) => {
        if (piece.type === 'text') return text(piece.text);
        if (piece.type === 'problem') return fail('ValueError', piece.message);
        const { name, path, conversion, spec, specPieces } = piece;
        const value = lookUp(nameOf(name) + path, args);
        const shown = conversion === '' ? value : convert(value, conversion);
        return formatField(shown, specPieces ? write(specPieces).value : spec);
      }),
    );
  return write(parseFormat(template.value));
}

function convert(value: Value, conversion: string): TextValue {
  if (conversion === 's') return toText(value);
  if (conversion === 'r') return text(pyRepr(asPython(value)));
  if (conversion === 'a') return text(pyAscii(asPython(value)));
  return fail('ValueError', `\`!${conversion}\` is not \`!r\`, \`!s\` or \`!a\``);
}

function formatField(value: Value, spec: string): TextValue {
  if (spec === '') return toText(value);
  if (isText(value)) return alignText(value, parseTextSpec(spec));
  return text(formatValue(asPython(value), spec));
}

/** Cuts and pads a text, whose characters keep their origin. */
function alignText(value: TextValue, spec: FormatSpec): TextValue {
  const { precision, width } = spec;
  const cut =
    precision === undefined
      ? value
      : sliceText(value, 0, takeCharacters(value.value, precision).length);
  if (width === 0) return cut;
  const [before, after] = paddingOf(lengthOf(cut), spec);
  return joinTexts([text(before), cut, text(after)]);
}

function lookUp(path: string, { positional, named }: Arguments): Value {
  const [name = '', ...keys] = path.split(/\.|\]?\[|\]/).filter((part) => part !== '');
  const value = /^\d+$/.test(name) ? positional[Number(name)] : named.get(name);
  if (value === undefined) return fail('KeyError', `format has no argument ${name}`);
  return keys.reduce(
    (item, key) => getItem(item, toValue(/^\d+$/.test(key) ? Number(key) : key)) ?? missing,
    value,
  );
}
