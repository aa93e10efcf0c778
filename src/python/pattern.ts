import { ModelError } from '../errors.ts';
import { pythonSpace, pythonWord } from './text.ts';

const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: `[${pythonSpace}]`,
  S: `[^${pythonSpace}]`,
  w: `[${pythonWord}]`,
  W: `[^${pythonWord}]`,
};

const places: Readonly<Record<string, string>> = {
  b: `(?:(?<=[${pythonWord}])(?![${pythonWord}])|(?<![${pythonWord}])(?=[${pythonWord}]))`,
  B: `(?:(?<=[${pythonWord}])(?=[${pythonWord}])|(?<![${pythonWord}])(?![${pythonWord}]))`,
  A: '(?<![\\s\\S])',
  Z: '(?![\\s\\S])',
};

const escapeSource = String.raw`\\(?:x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|0[0-7]{0,2}|[1-9]\d?|[\s\S])`;
const piece = new RegExp(
  [
    `(?<escaped>${escapeSource})`,
    String.raw`(?<list>\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])`,
    String.raw`(?<comment>\(\?#[^)]*\))`,
    String.raw`\(\?P=(?<same>\w+)\)`,
    String.raw`(?<named>\(\?P<)`,
    String.raw`(?<count>\{\d*,?\d*\})`,
    String.raw`[\s\S]`,
  ].join('|'),
  'gu',
);

/** The flags that a pattern may begin with, such as `(?i)`. */
const flagsAtStart = /^\(\?([aimsux]+)\)/;

/**
 * A Python regular expression for texts. Answers are looked for by choices as they are, so that
 * `2.5%` finds `215%`; how a pattern is written matters only as far as choices go.
 */
export function pythonPattern(source: string): RegExp {
  try {
    return translatePattern(source);
  } catch (error) {
    throw new ModelError(
      'model.bad_choice_pattern',
      `the choice \`${source}\` is not a pattern that an answer can be searched with`,
      {
        retryable: false,
        cause: error,
        hint: 'The original searches with choices as they are, and fails here as well.',
      },
    );
  }
}

/**
 * A Python regular expression as one of JavaScript.
 *
 * @throws {SyntaxError} for what is none, or has what JavaScript has not
 */
export function translatePattern(source: string): RegExp {
  const flags = flagsAtStart.exec(source)?.[1] ?? '';
  const body = source.replace(flagsAtStart, '');
  const pattern = body.replace(piece, (whole: string, ...rest: unknown[]) => {
    const { escaped, list, comment, same, named, count } = rest.at(-1) as Pieces;
    if (escaped !== undefined) return translateEscape(escaped);
    if (list !== undefined) return translateList(list);
    if (comment !== undefined) return '';
    if (same !== undefined) return `\\k<${same}>`;
    if (named !== undefined) return '(?<';
    if (count !== undefined) return translateCount(count);
    return translateCharacter(whole, flags);
  });
  return new RegExp(pattern, flags.includes('i') ? 'iv' : 'v');
}

type Pieces = Readonly<
  Record<'escaped' | 'list' | 'comment' | 'same' | 'named' | 'count', string | undefined>
>;

function translateCharacter(character: string, flags: string): string {
  const ofLines = flags.includes('m');
  if (character === '.') return flags.includes('s') ? '[\\s\\S]' : '[^\\n]';
  if (character === '^') return ofLines ? '(?<![^\\n])' : '^';
  if (character === '$') return ofLines ? '(?![^\\n])' : '(?=\\n?(?![\\s\\S]))';
  if (flags.includes('x') && /\s/.test(character)) return '';
  return /[{}\]/]/.test(character) ? `\\${character}` : character;
}

/** What stands for a character by its number or by a letter. */
function codeOf(escaped: string): string | undefined {
  const name = escaped.slice(1);
  const hex = /^[xuU]([\da-fA-F]+)$/.exec(name)?.[1];
  if (hex !== undefined) return `\\u{${hex}}`;
  if (/^0/.test(name)) return `\\u{${Number.parseInt(name, 8).toString(16)}}`;
  if (name === 'a') return '\\u{7}';
  return /^[nrtfv]$/.test(name) ? `\\${name}` : undefined;
}

function translateEscape(escaped: string): string {
  const name = escaped.slice(1);
  if (/^[1-9]/.test(name)) return `(?:\\${name})`;
  return (
    classes[name] ??
    places[name] ??
    codeOf(escaped) ??
    name.replace(/[\^$\\.*+?()[\]{}|/]/u, '\\$&')
  );
}

const listPiece = new RegExp(`${escapeSource}|[&!#%,:;<=>@\`~^$.*+?()[\\]{}|/]`, 'gu');

function translateList(list: string): string {
  const isNegated = list.startsWith('[^');
  const translated = list.slice(isNegated ? 2 : 1, -1).replace(listPiece, (whole) => {
    if (!whole.startsWith('\\')) return `\\${whole}`;
    const name = whole.slice(1);
    if (name === 'b') return '\\u{8}';
    return (
      classes[name] ?? codeOf(whole) ?? name.replace(/[\^$\\.*+?()[\]{}|/&!#%,:;<=>@`~-]/u, '\\$&')
    );
  });
  return `[${isNegated ? '^' : ''}${translated}]`;
}

/** `{,3}` counts from 0 in Python, and `{}` is text. */
function translateCount(count: string): string {
  return count === '{}' || count === '{,}'
    ? count.replaceAll(/[{}]/g, '\\$&')
    : count.replace('{,', '{0,');
}
