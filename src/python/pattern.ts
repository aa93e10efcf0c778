import { ModelError } from '../errors.ts';
import { pythonSpace, pythonWord } from './text.ts';

const classes: Readonly<Record<string, string>> = {
  d: '\\p{Nd}',
  D: '\\P{Nd}',
  s: `[${pythonSpace}]`,
  S: `[^${pythonSpace}]`,
  w: `[${pythonWord}]`,
  W: `[^${pythonWord}]`,
  b: `(?:(?<=[${pythonWord}])(?![${pythonWord}])|(?<![${pythonWord}])(?=[${pythonWord}]))`,
  A: '(?<![\\s\\S])',
  Z: '(?![\\s\\S])',
};

const piece = /\\([\s\S])|(\[\^?\]?(?:\\[\s\S]|[^\]\\])*\])|(\(\?P<)|(\{\d*,?\d*\})|([\s\S])/gu;

/**
 * A Python regular expression for texts. Answers are looked for by choices as they are, so that
 * `2.5%` finds `215%`; how a pattern is written matters only as far as choices go.
 */
export function pythonPattern(source: string): RegExp {
  const pattern = source.replace(
    piece,
    (whole, escaped?: string, list?: string, named?: string, count?: string) => {
      if (escaped !== undefined) return classes[escaped] ?? escapeLiteral(escaped);
      if (list !== undefined) return translateList(list);
      if (named !== undefined) return '(?<';
      if (count !== undefined) return translateCount(count);
      if (whole === '.') return '[^\\n]';
      if (whole === '$') return '(?=\\n?(?![\\s\\S]))';
      return /[{}\]/]/.test(whole) ? `\\${whole}` : whole;
    },
  );
  try {
    return new RegExp(pattern, 'v');
  } catch (error) {
    throw new ModelError(
      'model.bad_choice_pattern',
      `the choice \`${source}\` is no pattern that an answer can be searched with`,
      {
        retryable: false,
        cause: error,
        hint: 'The original searches with choices as they are, and fails here as well.',
      },
    );
  }
}

function escapeLiteral(character: string): string {
  return character.replace(/[\^$\\.*+?()[\]{}|/-]/u, '\\$&');
}

function translateList(list: string): string {
  const isNegated = list.startsWith('[^');
  const body = list.slice(isNegated ? 2 : 1, -1);
  const translated = body.replace(
    /\\([\s\S])|[&!#%,:;<=>@`~^$.*+?()[\]{}|/]/gu,
    (whole, escaped?: string) =>
      escaped === undefined ? `\\${whole}` : (classes[escaped] ?? escapeLiteral(escaped)),
  );
  return `[${isNegated ? '^' : ''}${translated}]`;
}

/** `{,3}` counts from 0 in Python, and `{}` is text. */
function translateCount(count: string): string {
  return count === '{}' ? '\\{\\}' : count.replace('{,', '{0,');
}
