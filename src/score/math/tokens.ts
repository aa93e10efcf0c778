import { foldWidth } from '../text-matching.ts';
import {
  decorations,
  functionNames,
  ignoredCommands,
  plainNames,
  renamedCommands,
  type Token,
  textCommands,
  unicodeForms,
  unitNames,
} from './vocabulary.ts';

const longest = 2000;
const anyForm = new RegExp(`[${[...unicodeForms.keys()].join('')}]`, 'gu');
const superscripts = '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻';
const subscripts = '₀₁₂₃₄₅₆₇₈₉₊₋';

/** Writes signs of Unicode as LaTeX does. */
function spellOut(text: string): string {
  const plain = (run: string, signs: string) =>
    Array.from(run, (sign) => '0123456789+-'[signs.indexOf(sign)]).join('');
  return foldWidth(text)
    .replace(/[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻]+/g, (run) => `^{${plain(run, superscripts)}}`)
    .replace(/[₀₁₂₃₄₅₆₇₈₉₊₋]+/g, (run) => `_{${plain(run, subscripts)}}`)
    .replace(anyForm, (sign) => unicodeForms.get(sign) ?? sign);
}

const separated = String.raw`\d{1,3}(?:(?:\{,\}|\\,|\\!|,\\!)\d{3})+(?!\d)`;
const patterns: readonly (readonly [kind: string, pattern: string])[] = [
  ['space', String.raw`(?:[\s~$£€]|\\[\s,;:!$()[\]])+`],
  ['degree', String.raw`\^\s*(?:\{\s*\\circ\s*\}|\\circ)|\\degrees?(?![a-zA-Z])`],
  ['number', String.raw`\d+\.(?=\\overline)|(?:${separated}|\d+)(?:\.\d+)?|\.\d+`],
  ['environment', String.raw`\\(?:begin|end)\s*\{[a-zA-Z]+\*?\}`],
  ['words', String.raw`\\(?:${textCommands.join('|')})\s*\{[^{}]*\}`],
  ['row', String.raw`\\\\`],
  ['command', String.raw`\\[a-zA-Z]+`],
  ['sign', String.raw`\\[{}%|]|<=|>=|!=|==|\*\*|[-+*/^_=<>(){}[\]|,;!%&:']`],
  ['letters', String.raw`\p{L}+`],
];
const anyToken = new RegExp(
  patterns.map(([kind, pattern]) => `(?<${kind}>${pattern})`).join('|'),
  'yu',
);

/** Cuts a formula, in LaTeX or plain, into tokens; nothing if it holds what no formula does. */
export function tokenize(text: string): Token[] | undefined {
  if (text.length > longest) return undefined;
  const formula = spellOut(text)
    .trim()
    .replace(/(?:\\[\s,;:!]|[\s$.,;。、])+$/u, '');
  const tokens: Token[] = [];
  let depth = 0;
  anyToken.lastIndex = 0;
  while (anyToken.lastIndex < formula.length) {
    const groups = anyToken.exec(formula)?.groups;
    if (!groups) return undefined;
    const [kind, found] = Object.entries(groups).find(([, value]) => value !== undefined) ?? [];
    if (!kind || found === undefined) return undefined;
    const thousands = kind === 'number' && depth === 0 ? withThousands(formula, found) : found;
    anyToken.lastIndex += thousands.length - found.length;
    for (const token of read(kind, thousands, tokens.at(-1))) {
      if (['(', '[', '\\{'].includes(token.text)) depth += 1;
      if ([')', ']', '\\}'].includes(token.text)) depth -= 1;
      tokens.push(token);
    }
  }
  return tokens;
}

/** `1,000` is one number unless it stands in brackets, where the comma parts two. */
function withThousands(formula: string, found: string): string {
  const groups = /(?:,\d{3})+(?!\d)(?:\.\d+)?/y;
  groups.lastIndex = anyToken.lastIndex;
  const isStart = /^[1-9]\d{0,2}$/.test(found);
  return isStart ? found + (groups.exec(formula)?.[0] ?? '') : found;
}

function read(kind: string, found: string, before: Token | undefined): Token[] {
  switch (kind) {
    case 'space':
      return [];
    case 'degree':
      return [{ type: 'sign', text: 'degree' }];
    case 'number':
      return [{ type: 'number', text: found.replaceAll(/[^\d.]/g, '') }];
    case 'environment': {
      const [, type, text = ''] = /^\\(begin|end)\s*\{(.*)\}$/.exec(found) ?? [];
      return [{ type: type === 'begin' ? 'begin' : 'end', text }];
    }
    case 'words':
      return readWords(found.slice(found.indexOf('{') + 1, -1).trim(), before);
    case 'row':
      return [{ type: 'sign', text: '\\\\' }];
    case 'command':
      return readCommand(found.slice(1));
    case 'letters':
      return readLetters(found, before);
    default:
      return [{ type: 'sign', text: signs.get(found) ?? found }];
  }
}

const signs = new Map([
  ['\\%', '%'],
  ['**', '^'],
  ['==', '='],
]);

function readWords(text: string, before: Token | undefined): Token[] {
  if (text === '') return [];
  if (/^(?:and|or)$/i.test(text)) return [{ type: 'sign', text: ',' }];
  if (endsValue(before)) return [{ type: 'words', text }];
  if (functionNames.has(text)) return [{ type: 'command', text }];
  const [, single] = /^\(?([a-zA-Z]|\d+)\)?$/.exec(text) ?? [];
  if (!single) return [{ type: 'words', text }];
  return [{ type: /\d/.test(single) ? 'number' : 'symbol', text: single }];
}

function readCommand(name: string): Token[] {
  if (ignoredCommands.has(name) || decorations.has(name)) return [];
  return [renamedCommands.get(name) ?? { type: 'command', text: name }];
}

/** Letters in a row are a unit after a number, a name that is known, or symbols one by one. */
function readLetters(letters: string, before: Token | undefined): Token[] {
  const lower = letters.toLowerCase();
  if (letters.length > 1 && unitNames.has(lower) && endsValue(before)) {
    return [{ type: 'words', text: letters }];
  }
  const known = plainNames.get(lower);
  return known ? [known] : Array.from(letters, (text) => ({ type: 'symbol', text }));
}

/** Whether words after the token can be a unit. */
function endsValue(before: Token | undefined): boolean {
  if (before === undefined) return false;
  return ['number', 'words'].includes(before.type) || [')', '}', '%', '\\}'].includes(before.text);
}
