import type { Extraction } from './extractor.ts';
import { isAnnounced, isSaid, type Surroundings } from './option-phrases.ts';
import type { Option } from './option-texts.ts';

/** A label in an answer. */
interface Label extends Extraction {
  /** Which of the options it is. */
  readonly order: number;
  readonly around: Surroundings;
}

type Verdict = 'right' | 'wrong';

const close = String.raw`^[*_"'\x60“”‘’」』】》)\]}>$]*`;
const sign = String.raw`(?:\s*(?:[:：=|]|->|→)\s*|\s+[-–—]\s+|\s+|[.)?]\s+)[*_"'\x60]*`;
const end = String.raw`(?=[*_"'\x60]*\s*(?:$|[\n.,;，。；|})\]!(（]|[-–—]\s))`;
const marked: readonly (readonly [Verdict, RegExp])[] = [
  [
    'right',
    markPattern('true|correct|right|yes|richtig|wahr|正解|正しい|正[确確]|[对對]', '✓✔✅☑'),
  ],
  [
    'wrong',
    markPattern(
      'false|incorrect|wrong|no|falsch|誤り|不正解|間違い|[错錯][误誤]?|不[对對]',
      '✗✘❌✖☒',
    ),
  ],
];

function markPattern(words: string, signs: string): RegExp {
  return new RegExp(`${close}(?:${sign}(?:${words})${end}|\\s*[:：|]?\\s*[${signs}])`, 'iu');
}

const wrongAfter = new RegExp(
  `${close}(?:${[
    String.raw`\s+(?:is|are|was|were)(?:\s+(?:both|all|also|clearly|too))?\s+(?:not\s+(?:correct|right|true)|incorrect|wrong|false|invalid)\b`,
    String.raw`\s*[はがも]?(?:誤り|間違い|不正解)`,
    String.raw`\s*(?:选?项|選?項)?\s*[也都是]{0,3}(?:错|錯|不[对對]|不正[确確])`,
    String.raw`\s+(?:ist|sind)\s+(?:falsch|nicht\s+richtig)`,
    String.raw`\s+(?:est|sont)\s+fauss`,
  ].join('|')})`,
  'iu',
);
const rightAfter = new RegExp(
  String.raw`${close}\s*(?:选?项|選?項)?\s*[也都是]{0,2}[对對](?:的|了)?(?=[\s。，,.；;！!]|$)`,
  'u',
);
const wrongBefore =
  /(?:^|[.,;:!\n]|(?<!\p{L})(?:and|it|answer)(?=\s+(?:is|can)))\s*(?:(?:it|answer)\s+)?(?:(?:is|be)\s+)?(?:not|nor|neither|cannot\s+be|can['’]t\s+be|isn['’]t|nicht)\s+(?:option\s+)?[*_"'(]*$/iu;
const undecided =
  /(?<!\p{L})(?:say|sure|unsure|think|know|doubt|whether|if|decide|claim)(?!\p{L})[^.!?\n]*$/iu;
const joined =
  /^[*_"')\]}]*\s*(?:[,，、]\s*(?:(?:and|or|nor|und|noch)\s+)?|(?:and|or|nor|und|noch|&)\s+|と|和|及)(?:option\s+)?[*_"'(]*$/iu;

/** Labels one after the other that one thing is said of, as in `C and D are wrong`. */
function groupsOf(folded: string, labels: readonly Label[]): readonly (readonly Label[])[] {
  const groups: Label[][] = [];
  for (const label of labels) {
    const last = groups.at(-1)?.at(-1);
    const isNear = last !== undefined && label.start - last.end < 20;
    if (isNear && joined.test(folded.slice(last.end, label.start))) groups.at(-1)?.push(label);
    else groups.push([label]);
  }
  return groups;
}

function verdictOn(group: readonly Label[]): Verdict | undefined {
  const [first, last] = [group[0], group.at(-1)];
  if (!first || !last) return undefined;
  const mark = marked.find(([, pattern]) => pattern.test(last.around.after))?.[0];
  if (mark) return mark;
  if (undecided.test(first.around.before)) return undefined;
  if (wrongAfter.test(last.around.after) || wrongBefore.test(first.around.before)) return 'wrong';
  return rightAfter.test(last.around.after) || isSaid(last.around) ? 'right' : undefined;
}

const saysOdd = new RegExp(
  `${close}\\s+(?:is|would be)\\s+the\\s+(?:only\\s+)?(?:incorrect|false|wrong|untrue)(?:\\s+(?:one|option|statement|choice))?[.!]?\\s*$`,
  'iu',
);
const isEnd = new RegExp(`${close}[.。!]?[*_\\s]*$`, 'u');

/** The only one that is not right, where the answer ends with it: it was asked for. */
function oddOne(
  labels: readonly Label[],
  verdicts: ReadonlyMap<number, Verdict>,
): Label | undefined {
  const last = labels.at(-1);
  if (!last || verdicts.get(last.order) === 'right') return undefined;
  const others = [...verdicts].filter(([order]) => order !== last.order);
  if (others.length < 2 || others.some(([, verdict]) => verdict === 'wrong')) return undefined;
  const { after } = last.around;
  const isNamed = isEnd.test(after) && verdictOn([last]) === undefined;
  return isNamed || saysOdd.test(after) ? last : undefined;
}

const turning =
  /(?<!\p{L})(?:but|however|actually|aber|doch|mais|pero)(?!\p{L})[^.!?\n]*$|(?:但是?|不过|でも|しかし)[^。\n]*$/iu;

/**
 * What an answer says that has a verdict on each option, or on all but one: the only one that is right, the
 * only one that is not if it ends with that, or the one that is left. `open` where several are right, or none. Nothing where it names its answer itself.
 *
 * @example
 * // Of A, B, C and D: `Not A. Not B. Not D.`
 */
export function judgedOption(
  folded: string,
  labels: readonly Label[],
  options: readonly Option[],
): Extraction | 'open' | undefined {
  if (options.length < 3 || labels.length < options.length - 1) return undefined;
  if (options.some(({ label }) => label.length > 1)) return undefined;
  if (labels.some(({ around }) => isAnnounced(around))) return undefined;
  const verdicts = new Map<number, Verdict>();
  for (const group of groupsOf(folded, labels)) {
    const verdict = verdictOn(group);
    for (const { order } of group) {
      if (verdict && (verdicts.get(order) ?? verdict) !== verdict) return undefined;
      if (verdict) verdicts.set(order, verdict);
    }
  }
  const right = [...verdicts].filter(([, verdict]) => verdict === 'right');
  const [only] = right[0] ?? [];
  const isNearlyAll = verdicts.size >= options.length - 1;
  const odd = isNearlyAll ? oddOne(labels, verdicts) : undefined;
  if (odd) return odd;
  if (verdicts.size === options.length) {
    return right.length === 1 ? labels.findLast(({ order }) => order === only) : 'open';
  }
  // `A is true, B is true, C is false`: the question may have asked for either.
  const isTurned = labels.some(({ around }) => turning.test(around.before));
  if (isNearlyAll && right.length > 1 && !isTurned) return 'open';
  const left = options.findIndex((_, order) => !verdicts.has(order));
  const isLeft = isNearlyAll && right.length === 0;
  const value = options[left]?.label;
  const last = labels.at(-1);
  if (!isLeft || value === undefined || !last) return undefined;
  if (labels.some(({ order }) => order === left)) return undefined;
  return { value, start: last.start, end: last.end };
}
