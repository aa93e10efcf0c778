import { type Extraction, type Extractor, trimmedSlice } from '../extract/extractor.ts';
import { parseMath } from './parse-math.ts';
import { sameAnswer } from './same-answer.ts';
import { plainNames, unitNames } from './vocabulary.ts';

const delimiters = /\\[()[\]]|\${1,2}|\\[\s\S]/g;
const closerOf = new Map([
  ['\\(', '\\)'],
  ['\\[', '\\]'],
  ['$', '$'],
  ['$$', '$$'],
]);

/** What stands in each `$…$`, `\(…\)` or `\[…\]`, with its marks. */
function formulasIn(text: string): readonly Formula[] {
  let open: { readonly closer: string; readonly from: number; readonly start: number } | undefined;
  const formulas: Formula[] = [];
  for (const { 0: mark, index } of text.matchAll(delimiters)) {
    const end = index + mark.length;
    if (open && mark === open.closer && !isPrice(text, index, end)) {
      const found = trimmedSlice(text, open.start, index);
      if (found) formulas.push({ ...found, from: open.from, to: end });
      open = undefined;
    } else if (!open) {
      const closer = closerOf.get(mark);
      if (closer) open = { closer, from: index, start: end };
    }
  }
  return formulas;
}

interface Formula extends Extraction {
  /** Where its marks begin and end. */
  readonly from: number;
  readonly to: number;
}

const joining =
  /^\s*[,，、;；]?\s*(?:(?:\b(?:and|or|und|oder|bzw\.|et|ou|y|o)\b|\\text\s*\{\s*(?:and|or)\s*\}|和|或者?|及|与|と|または|か|и|или)\s*)?$/iu;
const condition =
  /(?:(?<!\p{L})(?:for|where|when|whenever|with|if|at|since|because|as|given|checking|check|not|rather than|instead of|weil|da|wobei|falls|wenn|für|bei|nicht|car|si|pour|où)|因为|由于|其中|当|若|不是|ただし|なぜなら)[\s:,，]*(?:all\s+|any\s+|alle\s+)?[(（]?$/iu;

const approximating =
  /(?:(?<!\p{L})(?:roughly|approximately|approx\.?|about|around|nearly|ungefähr|etwa|rund|ca\.?|environ|aproximadamente|circa)|[≈~]|およそ|約|约(?:为|等于|是)?|大约(?:为|是)?)\s*$/iu;

/** Whether a formula gives the value of the one before it in decimals: `$4\pi$, about $12.57$`. */
function isApproximation(exact: Formula, rounded: Formula, between: string): boolean {
  if (!approximating.test(between)) return false;
  const [left, right] = [exact, rounded].map(({ value }) => parseMath(value));
  if (!left || !right) return false;
  return sameAnswer(left, right, { tolerance: 0, relativeTolerance: 0.02 });
}

/** Formulas one after the other that are said together: `$x=1$ and $x=2$`. */
function groupsOf(text: string): readonly (readonly Formula[])[] {
  const groups: Formula[][] = [];
  for (const formula of formulasIn(text)) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    const between = last ? text.slice(last.to, Math.min(formula.from, last.to + 40)) : '';
    if (group && last && isApproximation(last, formula, between)) {
      const value = `${last.value} \\approx ${formula.value}`;
      group[group.length - 1] = { ...last, value, end: formula.end, to: formula.to };
      continue;
    }
    const isJoined = last && formula.from - last.to < 40 && isSaidTogether(last, formula, between);
    if (isJoined) group?.push(formula);
    else groups.push([formula]);
  }
  return groups.filter(([first]) => {
    const start = first?.from ?? 0;
    return !condition.test(text.slice(Math.max(0, start - 30), start));
  });
}

/** With a comma alone between them, formulas belong together if they are of one form. */
function isSaidTogether(left: Extraction, right: Extraction, between: string): boolean {
  if (between.trim() === '' || !joining.test(between)) return false;
  const isComma = /^\s*[,，、;；]\s*$/.test(between);
  const [one, other] = [subjectOf(left.value), subjectOf(right.value)];
  return isComma ? one !== undefined && one === other : one !== undefined && other !== undefined;
}

/** The symbol of which a formula says what it is, without its index; none for other equations. */
function subjectOf(formula: string): string | undefined {
  const [, symbol] = /^\s*(\p{L})(?:_\{?\w{1,3}\}?)?\s*=/u.exec(formula) ?? [];
  return symbol ?? (/[=<>]|\\(?:[lg]eq?|ne)\b/.test(formula) ? undefined : '');
}

function together(group: readonly Formula[] | undefined): Extraction | undefined {
  const [first] = group ?? [];
  const last = group?.at(-1);
  if (!group || !first || !last) return undefined;
  const different = withoutRepeats(group.map(({ value }) => value));
  return different.length === 1
    ? { value: first.value, start: first.start, end: first.end }
    : { value: different.join(', '), start: first.from, end: last.to };
}

/** `$\frac{1}{2}$ or $0.5$` is one value, written in two ways. */
function withoutRepeats(formulas: readonly string[]): readonly string[] {
  if (formulas.length > 20) return formulas;
  const isSame = (left: string, right: string) => {
    const [one, other] = [parseMath(left), parseMath(right)];
    return one && other ? sameAnswer(one, other, noTolerance) : left === right;
  };
  return formulas.filter(
    (formula, index) => !formulas.slice(0, index).some((earlier) => isSame(earlier, formula)),
  );
}

const noTolerance = { tolerance: 0, relativeTolerance: 0 };

/** What stands in the last `$…$`, `\(…\)` or `\[…\]` that is no condition, with those joined to it. */
export const lastFormula: Extractor = {
  name: 'last-formula',
  extract: (text) => together(groupsOf(text).at(-1)),
};

/** The formula with which a statement begins; where much else comes before it, the last one. */
export const statedFormula: Extractor = {
  name: 'formula',
  extract(text) {
    const groups = groupsOf(text);
    const [first] = groups;
    const lead = text.slice(0, first?.[0]?.from ?? 0);
    const isFirst = lead.length <= 40 && !/[.,;:。，；：=\d]/.test(lead);
    return together(isFirst ? first : groups.at(-1));
  },
};

/** The formula before the remark of a line: `1/3, not 1/2`, `x^2+1 for all x`. */
export const remarkedFormula: Extractor = {
  name: 'formula',
  extract(text) {
    const remark =
      /[,，]?\s+\(?(?:not|rather than|instead of|because|since|where|when|for|if|as|nicht|weil|wobei|für|falls)\s|[，。；]|\.\s/iu;
    const end = remark.exec(text.slice(0, 600))?.index;
    return end === undefined ? undefined : wholeFormula.extract(text.slice(0, end));
  },
};

const roundedBelow =
  /^(?<exact>[^\n]*?)\s*[(（]\s*(?:≈|~|\\approx|approximately|approx\.?|about|roughly|or\s+about|约|約)\s*(?<rounded>[-−+]?[\d.,]+)[)）][\s.。*]*$/iu;

/** A formula with its approximation in brackets: `1/3 (≈0.333)`. */
export const approximatedFormula: Extractor = {
  name: 'formula',
  extract(text) {
    const found = trimmedSlice(text, 0, text.length);
    const { exact = '', rounded = '' } = roundedBelow.exec(found?.value ?? '')?.groups ?? {};
    if (!found || !wholeFormula.extract(exact)) return undefined;
    const [left, right] = [parseMath(exact), parseMath(rounded)];
    const isIt =
      left && right && sameAnswer(left, right, { tolerance: 0, relativeTolerance: 0.02 });
    return isIt ? { ...found, value: `${exact} \\approx ${rounded}` } : undefined;
  },
};

/** The text without its formulas. */
export function withoutFormulas(text: string): string {
  let plain = '';
  let end = 0;
  for (const { from, to } of formulasIn(text)) {
    plain += text.slice(end, from) + ' '.repeat(to - from);
    end = to;
  }
  return plain + text.slice(end);
}

/** Whether the mark at a position is the dollar of a price, which ends no formula. */
function isPrice(text: string, start: number, end: number): boolean {
  return (
    text.charAt(start) === '$' && /^(?:\s.|.\d)$/s.test(text.charAt(start - 1) + text.charAt(end))
  );
}

/** Longer texts are not read as one formula. */
export const longestFormula = 500;

/** The whole text, if it is one line and can be read as a formula. */
export const wholeFormula: Extractor = {
  name: 'formula',
  extract(text) {
    const found = trimmedSlice(text, 0, text.length);
    if (!found || /[\n\r]/.test(found.value) || found.value.length > longestFormula)
      return undefined;
    return !isProse(found.value) && parseMath(found.value) ? found : undefined;
  },
};

/** Whether there are words in it, which could be read as products of their letters. */
function isProse(text: string): boolean {
  const plain = text.replaceAll(
    /\\(?:text\w*|mathrm|operatorname)\s*\{[^{}]*\}|\\[a-zA-Z]+/g,
    ' + ',
  );
  return Array.from(plain.matchAll(/\p{L}{2,}/gu)).some(({ 0: word, index }) => {
    const isKnown = plainNames.has(word.toLowerCase()) || unitNames.has(word.toLowerCase());
    const isFollowed = /^\s+[\p{L}\d]/u.test(plain.slice(index + word.length));
    return !isKnown && (word.length > 2 || isFollowed);
  });
}
