import { pad } from '../../python/format/align.ts';
import { type FormatPiece, parseFormat } from '../../python/format/format-fields.ts';
import { type FormatSpec, percentFields } from '../../python/format/format-spec.ts';
import { formatPercentNumber, formatValue } from '../../python/format/format-value.ts';
import { pyAscii, pyRepr, pyStr } from '../../python/repr.ts';
import { takeCharacters } from '../../python/text.ts';
import { PyDict, PyTuple, type PyValue } from '../../python/values.ts';
import { PyException, raise, spendCharacters } from './machine.ts';
import type { Arguments } from './objects.ts';
import { getItem, spendOn } from './operations.ts';

/** `str(value)` */
export function toText(value: PyValue): string {
  if (typeof value === 'string') return value;
  if (value instanceof PyException) return exceptionText(value);
  spendOn(value);
  return counted(pyStr(value));
}

/** What an exception says. */
function exceptionText({ args, className, said }: PyException): string {
  if (said !== undefined) return said;
  const [first, second] = args;
  if (first === undefined) return '';
  if (second !== undefined) return toRepr(new PyTuple(args));
  return className === 'KeyError' ? toRepr(first) : toText(first);
}

/** `repr(value)` */
export function toRepr(value: PyValue): string {
  spendOn(value);
  return counted(pyRepr(value));
}

function counted(text: string): string {
  spendCharacters(text.length);
  return text;
}

export function convert(value: PyValue, conversion: string): string {
  if (conversion === 's') return toText(value);
  if (conversion === 'r') return toRepr(value);
  if (conversion === 'a') {
    spendOn(value);
    return counted(pyAscii(value));
  }
  return raise('ValueError', `Unknown conversion specifier '${conversion}'`);
}

/** `format(value, spec)` */
export function format(value: PyValue, spec: string): string {
  if (spec === '') return toText(value);
  return counted(formatValue(value, spec));
}

/** `'…' % value` */
export function formatPercent(template: string, value: PyValue): string {
  const values = value instanceof PyTuple ? [...value.items] : [value];
  let isUsed = value instanceof PyDict || Array.isArray(value);
  let text = '';
  let position = 0;
  for (const { source, key, spec, start } of percentFields(template)) {
    text += template.slice(position, start);
    position = start + source.length;
    if (spec.type === '%') {
      text += '%';
      continue;
    }
    if (key !== undefined && !(value instanceof PyDict))
      raise('TypeError', 'format requires a mapping');
    const item = key === undefined ? values.shift() : getItem(value, key);
    isUsed ||= values.length === 0;
    if (item === undefined) return raise('TypeError', 'not enough arguments for format string');
    text += percentField(item, spec);
  }
  if (!isUsed && values.length > 0)
    raise('TypeError', 'not all arguments converted during string formatting');
  return counted(text + template.slice(position));
}

function percentField(value: PyValue, spec: FormatSpec): string {
  if (!'sra'.includes(spec.type)) return formatPercentNumber(value, spec);
  const text = convert(value, spec.type);
  return pad(takeCharacters(text, spec.precision ?? text.length), spec);
}

/** `str.format` */
export function formatBraces(template: string, { positional, named }: Arguments): string {
  let automatic = 0;
  const lookUp = (name: string): PyValue => {
    const written = name === '' ? String(automatic++) : name;
    if (!/^\d+$/.test(written)) return named.get(written) ?? missing(named, written);
    return (
      positional[Number(written)] ??
      (Number(written) < positional.length
        ? null
        : raise(
            'IndexError',
            `Replacement index ${written} out of range for positional args tuple`,
          ))
    );
  };
  const write = (pieces: readonly FormatPiece[]): string =>
    pieces
      .map((piece) => {
        if (piece.type === 'text') return piece.text;
        if (piece.type === 'problem') return raise('ValueError', piece.message);
        const { name, path, conversion, spec, specPieces } = piece;
        const value = followPath(lookUp(name), path);
        const shown = conversion === '' ? value : convert(value, conversion);
        return format(shown, specPieces ? write(specPieces) : spec);
      })
      .join('');
  spendCharacters(template.length);
  return counted(write(parseFormat(template)));
}

function missing(named: ReadonlyMap<string, PyValue>, name: string): PyValue {
  return named.has(name) ? null : raise('KeyError', pyRepr(name));
}

function followPath(start: PyValue, path: string): PyValue {
  let value = start;
  let rest = path;
  while (rest !== '') {
    const [step = '', attribute, item = ''] = /^(?:\.([^.[]*)|\[([^\]]*)\])/.exec(rest) ?? [];
    if (step === '') raise('ValueError', "Missing ']' in format string");
    if (attribute !== undefined) {
      if (!(value instanceof PyDict) || value.type !== 'ConfigDict' || attribute.startsWith('__')) {
        raise(
          'AttributeError',
          `attributes such as \`.${attribute}\` are not supported in formats`,
        );
      }
      value = getItem(value, attribute);
    } else value = getItem(value, /^\d+$/.test(item) ? Number(item) : item);
    rest = rest.slice(step.length);
  }
  return value;
}
