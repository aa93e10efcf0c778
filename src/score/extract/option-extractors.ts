import { escapePattern, foldCase, foldWidth, isInsideWord } from '../text-matching.ts';
import { type Extraction, type Extractor, within } from './extractor.ts';
import { answerTag, boxed, untilNextQuestion } from './marked-answer.ts';
import {
  continuesList,
  describesOption,
  endsList,
  endsSentence,
  givesReason,
  isCorrection,
  isDenied,
  isHedged,
  isPartOfName,
  isSaid,
  isSaidWhole,
  leavesOpen,
  lineRole,
  opensItem,
  type Surroundings,
} from './option-phrases.ts';
import { findOptionText, type Option, wholeOptionText } from './option-texts.ts';
import { judgedOption } from './option-verdicts.ts';

/**
 * The option that an answer names first. Labels that are said to be the answer come before labels
 * that have a line to themselves, and these before labels anywhere; without any label, the one
 * option whose text appears counts.
 *
 * @example
 * firstOption([{ label: 'A' }, { label: 'B' }]).extract('The answer is (B), not (A).')?.value;
 * // 'B'
 */
export function firstOption(options: readonly Option[]): Extractor {
  return optionExtractor('first-option', options, (found) => found[0]);
}

/**
 * The option that an answer names last, by the same rules as `firstOption`.
 *
 * @example
 * lastOption([{ label: 'A' }, { label: 'B' }]).extract('First I thought A. No, B.')?.value; // 'B'
 */
export function lastOption(options: readonly Option[]): Extractor {
  return optionExtractor('last-option', options, (found) => found.at(-1));
}

/** How the evaluator `choice` finds the option that an answer chooses. */
export function chosenOption(options: readonly Option[]): readonly Extractor[] {
  const find = lastOption(options);
  return untilNextQuestion([within(boxed, find), within(answerTag, find), find]);
}

function optionExtractor(
  name: string,
  options: readonly Option[],
  pick: (found: readonly Extraction[]) => Extraction | undefined,
): Extractor {
  const findMentions = mentionFinder(options);
  return {
    name,
    extract(text) {
      const folded = foldWidth(text);
      const whole = wholeOptionText(folded, options);
      if (whole) return whole;
      const all = findMentions(folded);
      const judged = judgedOption(folded, all, options);
      if (judged === 'open') return undefined;
      if (judged) return { value: judged.value, start: judged.start, end: judged.end };
      const mentions = dropUnsettled(folded, dropItems(folded, dropDescribed(all, options.length)));
      const found = pick(strongest(mentions)) ?? pick(findOptionText(folded, options));
      return found && { value: found.value, start: found.start, end: found.end };
    },
  };
}

/** How many labels are read at the start of an answer, and how many at its end. */
const maxMentions = 1_000;

interface Mention extends Extraction {
  /** Which of the options it is. */
  readonly order: number;
  /** The label as it stands in the text. */
  readonly written: string;
  readonly around: Surroundings;
}

function mentionFinder(options: readonly Option[]): (folded: string) => Mention[] {
  const labels = new Map(
    options.flatMap(({ label }, order) =>
      label === '' ? [] : [[foldCase(foldWidth(label)), { value: label, order }]],
    ),
  );
  if (labels.size === 0) return () => [];
  const longestFirst = [...labels.keys()].sort((left, right) => right.length - left.length);
  const anyLabel = new RegExp(longestFirst.map(escapePattern).join('|'), 'giu');
  return (folded) =>
    firstAndLast(
      Array.from(folded.matchAll(anyLabel)).filter(
        ({ 0: written, index }) =>
          !isLatinOrDigits(written) || !isInsideWord(folded, index, index + written.length),
      ),
    ).flatMap(({ 0: written, index: start }) => {
      const end = start + written.length;
      const option = labels.get(foldCase(written));
      if (!option) return [];
      const around = {
        before: folded.slice(Math.max(0, start - 80), start),
        after: folded.slice(end, end + 80),
      };
      // Scripts that write words together, or particles after them, set no space around a label.
      if (isInsideWord(folded, start, end) && !isSaidWhole(around)) return [];
      if (isPartOfName(around)) return [];
      return [{ ...option, written, start, end, around }];
    });
}

function isLatinOrDigits(label: string): boolean {
  return /[\p{Script=Latin}\d]/u.test(label);
}

/** What an answer says stands near its start or its end; labels by the thousand say nothing between. */
function firstAndLast<T>(mentions: readonly T[]): readonly T[] {
  return mentions.length <= 2 * maxMentions
    ? mentions
    : [...mentions.slice(0, maxMentions), ...mentions.slice(-maxMentions)];
}

/** Leaves out the options of the question, repeated in one line: `(A) red (B) green`, `A=1, B=2`. */
function dropItems(folded: string, mentions: readonly Mention[]): readonly Mention[] {
  const dropped = new Set<Mention>();
  let items: Mention[] = [];
  const close = () => {
    if (items.length < 2) return;
    // What is said to be the answer is one of the items only where the list begins with it.
    const isAllList = items.length > 2;
    for (const [index, one] of items.entries()) {
      if (!isSaid(one.around) || (isAllList && index === 0)) dropped.add(one);
    }
  };
  for (const mention of mentions) {
    if (!isAsOffered(mention) || !opensItem(mention.around)) continue;
    const last = items.at(-1);
    const isNext =
      last?.order === mention.order - 1 && !folded.slice(last.end, mention.start).includes('\n');
    if (isNext) items.push(mention);
    else {
      close();
      items = mention.order === 0 ? [mention] : [];
    }
  }
  close();
  return dropped.size === 0 ? mentions : mentions.filter((mention) => !dropped.has(mention));
}

/** Leaves out labels of which each is told what it says, so that none is chosen. */
function dropDescribed(mentions: readonly Mention[], count: number): readonly Mention[] {
  const described = new Set(
    mentions.filter(
      ({ around }) =>
        describesOption(around) && !isSaid(around) && !isDenied(around) && !givesReason(around),
    ),
  );
  const isEach = new Set([...described].map(({ order }) => order)).size === count;
  return isEach ? mentions.filter((mention) => !described.has(mention)) : mentions;
}

/** Leaves out labels that are denied, and those between which an answer does not decide. */
function dropUnsettled(folded: string, mentions: readonly Mention[]): Mention[] {
  const settled: Mention[] = [];
  for (const group of groupMentions(folded, mentions)) {
    const values = new Set(group.mentions.map(({ value }) => value));
    const last = group.mentions.at(-1);
    const isOpen =
      group.hasEither || values.size > 2 || (last !== undefined && endsList(last.around));
    if (values.size < 2 || !isOpen) for (const mention of group.mentions) settled.push(mention);
  }
  const hedged = settled.filter(({ around }) => isHedged(around));
  const isUndecided = new Set(hedged.map(({ value }) => value)).size > 1;
  const left = settled.filter(
    (mention) => !isDenied(mention.around) && !(isUndecided && isHedged(mention.around)),
  );
  // What an answer corrects itself to takes the place of what it said before.
  const corrected = left.findLastIndex(({ around }) => isCorrection(around));
  return left.slice(Math.max(0, corrected));
}

/** Labels that nothing but commas, white space, `or` and the like stand between. */
interface MentionGroup {
  readonly mentions: Mention[];
  hasEither: boolean;
}

function groupMentions(folded: string, mentions: readonly Mention[]): readonly MentionGroup[] {
  const groups: MentionGroup[] = [];
  for (const mention of mentions) {
    const group = groups.at(-1);
    const last = group?.mentions.at(-1);
    const isNear = last !== undefined && mention.start - last.end < 40;
    const between = isNear ? folded.slice(last.end, mention.start) : '';
    const isEither = isNear && leavesOpen(between) && !isSettledBefore(last, mention);
    if (group && isNear && (isEither || isListed(last, mention, between))) {
      group.mentions.push(mention);
      group.hasEither ||= isEither;
    } else groups.push({ mentions: [mention], hasEither: false });
  }
  return groups;
}

/** `The answer is A and B is wrong`. */
function isSettledBefore(left: Mention, right: Mention): boolean {
  return isSaid(left.around) && !isDenied(left.around) && isDenied(right.around);
}

/** On lines of their own, labels are items of a list only if they have these lines for themselves. */
function isListed(left: Mention, right: Mention, between: string): boolean {
  if (!continuesList(between) || isDenied(right.around)) return false;
  if (!isAsOffered(left) || !isAsOffered(right)) return false;
  // `B (A and C are wrong)`
  if (/[([]$/.test(between) && !/^[)\]]/.test(right.around.after)) return false;
  if (!between.includes('\n')) return true;
  return lineRole(left.around) === 'alone' && lineRole(right.around) === 'alone';
}

function strongest(mentions: readonly Mention[]): readonly Mention[] {
  const said = mentions.filter((mention) => isSaid(mention.around) && !isSaidWord(mention));
  if (said.length > 0) return said;
  const roles = new Map(mentions.map((mention) => [mention, lineRole(mention.around)]));
  const alone = mentions.filter((mention) => roles.get(mention) === 'alone');
  if (alone.length > 0) return alone;
  const listed = mentions.filter(
    (mention) =>
      roles.get(mention) === 'list' &&
      (isAsOffered(mention) || mention.around.before.trim() === ''),
  );
  // Lines that start with one option after the other repeat the question.
  const repeats = new Set(listed.map(({ value }) => value)).size > 1;
  if (listed.length > 0 && !repeats) return listed;
  const others = mentions.filter((mention) => !roles.get(mention) && standsOut(mention));
  const chosen = others.filter((mention) => !givesReason(mention.around));
  return chosen.length > 0 ? chosen : others;
}

function standsOut(mention: Mention): boolean {
  const { around } = mention;
  if (/[([]$/.test(around.before) && /^[)\]]/.test(around.after)) return true;
  if (/^\d+$/.test(mention.value)) return endsSentence(around);
  return (isAsOffered(mention) || mention.value.length > 1) && !isWord(mention);
}

function isAsOffered({ value, written }: Mention): boolean {
  return written === foldWidth(value);
}

/** `A train leaves` and `I think` name no option. */
function isWord({ written, around }: Mention): boolean {
  return (
    /^[ai]$/i.test(written) && /^\s+(?!(?:is|and|or|because|since|as)\b)\p{Ll}/u.test(around.after)
  );
}

/** After a phrase such as `the answer is`, a capital A is an option even before a word. */
function isSaidWord(mention: Mention): boolean {
  return mention.written !== 'A' && isWord(mention);
}

/**
 * The option whose text is the answer, or is the only one in it; its label is what is found.
 *
 * @example
 * const options = [{ label: 'A', text: 'a cat' }, { label: 'B', text: 'a dog' }];
 * choiceText(options).extract('It is a dog.')?.value; // 'B'
 */
export function choiceText(options: readonly Option[]): Extractor {
  return {
    name: 'choice-text',
    extract(text) {
      const folded = foldWidth(text);
      return wholeOptionText(folded, options) ?? findOptionText(folded, options).at(-1);
    },
  };
}
