import { Float } from '../../prompt/values.ts';
import { fail } from '../compat-error.ts';
import { pyAscii, pyRepr, pyStr } from '../repr.ts';
import { PyDict, type PyValue, typeName } from '../values.ts';
import type { FormatField, FormatPiece } from './format-fields.ts';
import { readInteger } from './format-spec.ts';
import { formatValue } from './format-value.ts';

/** What `str.format_map` gives for the pieces of a template; `lookUp` is the mapping. */
export function formatMap(
  pieces: readonly FormatPiece[],
  lookUp: (name: string) => PyValue,
): string {
  let text = '';
  for (const piece of pieces) {
    if (piece.type === 'text') text += piece.text;
    else if (piece.type === 'problem') fail('ValueError', piece.message);
    else text += formatField(piece, lookUp);
  }
  return text;
}

function formatField(field: FormatField, lookUp: (name: string) => PyValue): string {
  const { name, path, conversion, specPieces } = field;
  if (name === '' || readInteger(name) !== undefined) {
    fail('ValueError', `\`{${name}}\` asks for a value by its number; values have names here`);
  }
  const found = path === '' ? lookUp(name) : followPath(lookUp(name), path);
  const value = conversion === '' ? found : convert(found, conversion);
  return formatValue(value, specPieces ? formatMap(specPieces, lookUp) : field.spec);
}

function convert(value: PyValue, conversion: string): string {
  switch (conversion) {
    case 'r':
      return pyRepr(value);
    case 's':
      return pyStr(value);
    case 'a':
      return pyAscii(value);
    default:
      return fail('ValueError', `\`!${conversion}\` is not \`!r\`, \`!s\` or \`!a\``);
  }
}

/** Follows `.x` and `[0]` one by one, as far as it goes. */
function followPath(start: PyValue, path: string): PyValue {
  let value = start;
  let rest = path;
  while (rest !== '') {
    const [step = '', attribute, item] = /^(?:\.([^.[]*)|\[([^\]]*)\])/.exec(rest) ?? [];
    if (step === '') {
      fail('ValueError', rest[0] === '[' ? 'a `[` is never closed' : 'text follows a `]`');
    }
    if ((attribute ?? item) === '') fail('ValueError', `\`${step}\` names nothing`);
    value = attribute === undefined ? itemOf(value, item ?? '') : attributeOf(value, attribute);
    rest = rest.slice(step.length);
  }
  return value;
}

function itemOf(value: PyValue, key: string): PyValue {
  const index = readInteger(key);
  if (value instanceof PyDict) {
    return value.get(index ?? key) ?? fail('KeyError', `there is no key \`${key}\``);
  }
  if (typeof value !== 'string' && !Array.isArray(value)) {
    fail('TypeError', `a ${typeName(value)} has no parts to take by \`[${key}]\``);
  }
  if (index === undefined) fail('TypeError', `\`[${key}]\` is not a whole number`);
  const items: readonly PyValue[] = typeof value === 'string' ? [...value] : value;
  const item = items[index];
  if (item === undefined) fail('IndexError', `there is nothing at \`[${key}]\``);
  return item;
}

function attributeOf(value: PyValue, name: string): PyValue {
  const isFloat = typeName(value) === 'float';
  if (isFloat && name === 'imag') return new Float(0);
  if (isFloat && name === 'real') return value;
  if (typeof value === 'boolean' || typeof value === 'bigint' || typeName(value) === 'int') {
    if (name === 'real' || name === 'numerator')
      return typeof value === 'boolean' ? Number(value) : value;
    if (name === 'imag') return 0;
    if (name === 'denominator') return 1;
  }
  return fail('AttributeError', `a ${typeName(value)} has nothing called \`${name}\``);
}
