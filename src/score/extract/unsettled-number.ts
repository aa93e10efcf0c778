import { readNumbers } from '../numbers/read-numbers.ts';
import { foldWidth } from '../text-matching.ts';
import type { Extraction, Extractor } from './extractor.ts';
import { answerMarkers } from './marked-answer.ts';
import { firstAmount } from './number-extractors.ts';

const either =
  /^(?:(?<unit>\p{L}+) )?,? ?(?:or|oder|ou|或者?|或是|还是|か|または|もしくは|but (?:it |they )?(?:could|might|may)(?: also| well)? be|aber es könn(?:t|en)e?n?(?: auch)?)(?: (?:maybe|perhaps|possibly|even|vielleicht))?(?: \p{L} ?=)?$/iu;
const range = /^(?:and|to|und|bis|から|到|至|和)$/iu;
const ranging =
  /(?<!\p{L})(?:between|about|around|roughly|approximately|from|zwischen|etwa|von|entre)\s+[*_$€£]*$/iu;

/**
 * Finds what the extractors find, unless the answer leaves open which number it is: `10 or 12`, `between 3
 * and 5`. Then none of them finds any.
 */
export function settledNumbers(extractors: readonly Extractor[]): readonly Extractor[] {
  // The extractors are asked for one text after the other, each in turn.
  let asked:
    | { readonly text: string; readonly isFound: boolean; readonly next: number }
    | undefined;
  return extractors.map(({ name, extract }, index) => ({
    name,
    extract(text) {
      const isFound =
        asked?.text === text && asked.next === index
          ? asked.isFound
          : extractors.slice(0, index).some((earlier) => earlier.extract(text));
      // One that comes before found a number that was left open.
      const found = isFound ? undefined : extract(text);
      asked = { text, isFound: isFound || found !== undefined, next: index + 1 };
      return found && !isLeftOpen(text, found) ? found : undefined;
    },
  }));
}

/** Whether the number is one of several between which a text does not decide. */
function isLeftOpen(text: string, { start, end }: Extraction): boolean {
  const from = Math.max(0, start - 60);
  const near = Array.from(readNumbers(text.slice(from, end + 60)), (number) => ({
    value: number.value,
    start: from + number.start,
    end: from + number.end,
  }));
  const index = near.findIndex((number) => number.end > start);
  const [before, one] = [near[index - 1], near[index]];
  if (!one) return false;
  if (before && isEither(text, before, one)) return true;
  // `3, 4, or 5`
  for (let next = index + 1; next < near.length; next += 1) {
    const [left, right] = [near[next - 1], near[next]];
    if (!left || !right) return false;
    if (isEither(text, left, right)) return true;
    if (!/^\s*,\s*$/.test(text.slice(left.end, right.start))) return false;
  }
  return false;
}

function isEither(text: string, left: Extraction, right: Extraction): boolean {
  if (left.value === right.value || right.start < left.end) return false;
  // A time or a ratio is no one number.
  if (text.slice(left.end, right.start) === ':') return true;
  const gap = text
    .slice(left.end, right.start)
    .replace(/\\(?:text|boxed|fbox|quad)|[\s*_$€£(){}\\]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim();
  const isBracketed = /[(（]/.test(text.slice(left.end, right.start));
  const units = `${gap} ${text.slice(right.end, right.end + 12).trimStart()}`;
  if (!isBracketed && compound.test(units)) return true;
  if (/^[-–~〜]$/.test(gap)) return isRange(text, left, right);
  const match = either.exec(gap);
  const unit = match?.groups?.unit;
  // In two units it may be one amount: `7 days or 1 week`.
  if (match) return unit === undefined || text.slice(right.end).trimStart().startsWith(unit);
  return range.test(gap) && ranging.test(text.slice(Math.max(0, left.start - 20), left.start));
}

/** One amount in two units, which is neither of the numbers: `1 hour and 30 minutes`. */
const compound =
  /^(?:(?:hours?|hrs?|h),?(?: and)? (?:minutes?|mins?)|(?:minutes?|mins?),?(?: and)? (?:seconds?|secs?)|days?,?(?: and)? hours?|weeks?,?(?: and)? days?|years?,?(?: and)? months?|(?:feet|foot|ft),?(?: and)? (?:inch(?:es)?|in)|(?:pounds?|lbs?),?(?: and)? (?:ounces?|oz)|dollars?,?(?: and)? cents?|euros?,?(?: und| and| et)? cents?|(?:stunden?|std\.?),?(?: und)? (?:minuten?|min)|minuten?,?(?: und)? sekunden?|heures?,?(?: et)? minutes?|horas?,?(?: y| e)? minut[oa]s?|ore,?(?: e)? minuti|元 ?角|時間 ?分|小时 ?分|分钟? ?秒|年 ?[かヶ个]月)(?!\p{L})/iu;

/** `40-45`, which no sum follows. */
function isRange(text: string, left: Extraction, right: Extraction): boolean {
  const isRising = Number(right.value.replace(/^-/, '')) > Number(left.value);
  const isAlone =
    !/^\s*[=\d]/.test(text.slice(right.end)) && !/[=+*/×\d]\s*$/.test(text.slice(0, left.start));
  return isRising && Number(left.value) >= 0 && isAlone;
}

const dangling =
  /(?:\s[=+×÷]|(?<!\p{L})(?:by|is|are|equals|plus|minus|times|of|with|and|the|get|have|gives))\s*:?\s*$/iu;

/** Finds nothing in an answer that ends where its next number would come. */
export function unlessCutOff({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract: (text) => (dangling.test(text.slice(-40).trimEnd()) ? undefined : extract(text)),
  };
}

const refusal =
  /(?<!\p{L})(?:cannot|can['’]?t|can not|could not|couldn['’]t|unable to|not able to|impossible to)\s+(?:be\s+)?(?:determined?|answer(?:ed)?|solved?|find|found|tell|know|say|help|calculated?|computed?)(?!\p{L})|answer is (?:unknown|unclear|not known|undetermined)|not enough information|(?<!\p{L})I (?:do not|don['’]t) know(?!\p{L})|无法(?:确定|回答|得出|计算)|不知道|[分わ]かりません|お?答え(?:でき|られ)ません|weiß (?:ich )?(?:es )?nicht|(?<!\p{L})kann (?:ich )?(?:das |die frage )?nicht/giu;
const goesOn =
  /(?<!\p{L})(?:so|therefore|thus|hence|but|however|instead|also|guess|daher|aber)(?!\p{L})|=|所以|因此|但|よって|しかし/iu;

/** Finds nothing in an answer that says that it has none, and does not go on to one. */
export function unlessRefused({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const last = [...text.matchAll(refusal)].at(-1);
      if (last && !goesOn.test(text.slice(last.index + last[0].length))) return undefined;
      return extract(text);
    },
  };
}

const marks = String.raw`[\s*_"'“”$(\\[{]*`;
const deniedBefore = new RegExp(
  String.raw`(?:(?:\b(?:not|nor|neither)|n['’]t|\bcannot)(?:\s+(?:be|equal|to|the))*|\b(?:rather than|instead of)|不(?:可能)?是|并非)${marks}$`,
  'i',
);
const deniedAfter =
  /^[*_"'”$)\\\]}]*(?:\s+(?:is|was)(?:n['’]t|\s+not)\s+(?:the\s+)?(?:correct|right|answer)\b|\s+(?:is|was)\s+(?:incorrect|wrong)\b|\s*\p{L}{0,3}?(?:は|が)?(?:では(?:な|あり)|じゃ(?:な|あり)|誤り|間違|不正解)|\s*(?:是错|不(?:对|對|正确)))/iu;

/** Whether a text says of a number that it is not the answer. */
export function isDeniedNumber(text: string, { start, end }: Extraction): boolean {
  return (
    deniedBefore.test(text.slice(Math.max(0, start - 40), start)) ||
    deniedAfter.test(text.slice(end, end + 40))
  );
}

const denial = new RegExp(
  String.raw`\banswer\s+(?:(?:is|was|can|could|must|should|will|would)(?:\s+not|n['’]t)|cannot)(?:\s+(?:be|equal|to|the))*${marks}(?=[-−+]?[$€£¥]?\d)|(?:答え|正解)は${marks}(?=[-−+]?[\d.,]{1,30}\s*\p{L}{0,3}?(?:では(?:な|あり)|じゃ(?:な|あり)))|答案(?:并不|不(?:可能)?)是${marks}(?=[-−+]?\d)|答案并非${marks}(?=[-−+]?\d)`,
  'giu',
);
/** Where a text says what the answer is. */
export const statement = new RegExp(answerMarkers.join('|'), 'gi');
const correction = new RegExp(
  String.raw`(?:\b(?:but|rather|instead)(?:\s+(?:rather|instead|actually))?(?:\s+(?:is|it\s+is))?|\bit(?:\s+(?:is|should\s+be|must\s+be)|['’]s)(?:\s+actually)?|而是|(?:では|じゃ)なくて?)[,:、]?${marks}(?=[-−+]?[$€£¥]?\d)`,
  'iu',
);

/** What an answer says last of its number is that it is another one: where it says so, and which. */
function deniedAnswer(text: string): { readonly instead: Extraction | undefined } | undefined {
  if (!/not|n['’]t|不|并非|では|じゃ/i.test(text)) return undefined;
  const folded = foldWidth(text);
  const denied = [...folded.matchAll(denial)].at(-1);
  if (!denied || [...folded.matchAll(statement)].some(({ index }) => index > denied.index))
    return undefined;
  const from = denied.index + denied[0].length;
  const corrected = correction.exec(folded.slice(from));
  if (!corrected) return { instead: undefined };
  const start = from + corrected.index + corrected[0].length;
  const number = firstAmount.extract(text.slice(start));
  return {
    instead: number && { ...number, start: start + number.start, end: start + number.end },
  };
}

/**
 * Looks for the number of an answer with `extract`, unless the answer says which number it is not:
 * then it is the one that it names instead, if any.
 *
 * @example
 * unlessDenied(resultNumber).extract('The answer is not 41 but 42, by rule 3.')?.value; // '42'
 */
export function unlessDenied({ name, extract }: Extractor): Extractor {
  return {
    name,
    extract(text) {
      const denied = deniedAnswer(text);
      return denied ? denied.instead : extract(text);
    },
  };
}
