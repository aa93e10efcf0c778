import { isHeavyWork, isSlowPattern } from '../base/heavy-work.ts';
import { TypecaseError } from '../errors.ts';
import { formatValue } from '../prompt/values.ts';
import { type Extractor, runChain } from './extract/extractor.ts';
import { statementBefore } from './extract/marked-answer.ts';
import { trimmed } from './extract/text-extractors.ts';
import { isMissing, noGold, rowTraits, slowPattern, unscored, unusableGold } from './row-score.ts';
import type { Scored, ScoreInput, Scorer, ScorerSettings, Unscored } from './scorer.ts';

/**
 * Creates a scorer from extractors and a comparison, which may be your own.
 *
 * @example
 * const scorer = createScorer({
 *   metric: 'accuracy',
 *   methodOf: () => ({ extractors: [lastNumber], compare: numberEqual() }),
 * });
 * scorer.score({ answer: splitAnswer('6 times 7 is 42.'), gold: 42, row: {} });
 * // { type: 'scored', value: 1, extracted: '42', tried: ['last-number'], … }
 */
export function createScorer({
  methodOf,
  cleanGold = (gold) => gold,
  openings,
  direction = 'higher',
  range = [0, 1],
  ...metrics
}: ScorerSettings): Scorer {
  const rows = rowTraits({ ...metrics, direction, range });
  const [lowest, highest] = rows.range;
  return {
    ...metrics,
    direction,
    range,
    ofNothing: metrics.datasetMetrics && ((gold) => addsNothing({ methodOf, cleanGold }, gold)),
    goldFault(written, row) {
      const gold = cleanGold(written, row);
      const golds = (Array.isArray(gold) ? gold : [gold]).filter((one) => !isMissing(one));
      if (golds.length === 0) return isMissing(gold) ? undefined : 'unusable';
      const { compare, holdsSeveral } = methodOf(row);
      if (!compare('', golds)) return 'unusable';
      return holdsSeveral && golds.some((one) => holdsSeveral(formatValue(one)))
        ? 'several'
        : undefined;
    },
    score(input) {
      const { wantsNothing } = input;
      const gold = wantsNothing ? '' : cleanGold(input.gold, input.row);
      if (isMissing(gold) && !wantsNothing && !(input.answer.isVerbatim && gold))
        return unscored(noGold);
      const { extractors, compare, readsBegun } = methodOf(input.row);
      const begun = readsBegun ? statementBefore(input.answer.answer, input.begun) : '';
      const extracted = extractAnswer(input, extractors, {
        openings,
        begun,
        readsEmpty: wantsNothing,
      });
      if (extracted.type === 'unscored') {
        const isUsable = extracted.reason !== 'no answer found' || compare('', gold) !== undefined;
        return isUsable ? extracted : unscored(unusableGold, `\`${formatValue(gold)}\``);
      }
      const { answer, logprobs } = input;
      const context = { answer, begun, logprobs, openings, wantsNothing };
      const compared = compare(extracted.value, gold, context);
      if (!compared) return unscored(unusableGold, `\`${formatValue(gold)}\``);
      const { value, got, want } = compared;
      if (!(value >= lowest && value <= highest))
        return unscored('score out of range', String(value));
      // Written out: this runs for every row, and copying by spread costs more than all the rest.
      return {
        type: 'scored',
        value,
        isRight: rows.direction === 'lower' ? value === lowest : undefined,
        extracted: extracted.value,
        place: extracted.place,
        tried: extracted.tried,
        compared: { got, want },
        insideWord: compared.insideWord,
        metrics: compared.metrics,
        cell: compared.cell,
        counts: compared.counts,
      };
    },
  };
}

/** Rows are not known any more; those whose options or gold answers depend on them have no such cell. */
function addsNothing(
  { methodOf, cleanGold }: Required<Pick<ScorerSettings, 'methodOf' | 'cleanGold'>>,
  recorded: unknown,
): Pick<Scored, 'cell' | 'counts'> | undefined {
  try {
    const gold = cleanGold?.(recorded, {});
    const compared = isMissing(gold) ? undefined : methodOf({}).compare('', gold);
    return compared && { cell: compared.cell, counts: compared.counts };
  } catch (error) {
    if (TypecaseError.isInstance(error)) return undefined;
    throw error;
  }
}

/**
 * Whether the gold answer of a row is none of its labels: no choice among them would get credit.
 * Nothing is said of rows that are not scored at all, and of scorers that ask a judge.
 *
 * @example
 * isNoLabel(compileScorer({ evaluator: { type: 'exact' } }), { gold: '0', row: {}, labels: [1, 2] });
 * // true
 */
export function isNoLabel(
  scorer: Scorer,
  { gold, row, labels }: Pick<ScoreInput, 'gold' | 'row'> & { readonly labels: readonly unknown[] },
): boolean {
  if (scorer.scoreLater || labels.length === 0 || isMissing(gold)) return false;
  const { direction, range } = rowTraits(scorer);
  const [lowest, highest] = range;
  const texts = labels.map(formatValue);
  const worst = direction === 'lower' ? highest : lowest;
  const isWrong = (chosen: number) => {
    const answer = { raw: texts[chosen] ?? '', answer: texts[chosen] ?? '' };
    const logprobs = labels.map((_, index) => (index === chosen ? 0 : -1));
    const score = scorer.score({ answer, gold, row, label: labels[chosen], logprobs });
    return score.type === 'scored' && score.value === worst;
  };
  try {
    // Mostly the gold answer is a label as it is written.
    const written = texts.indexOf(formatValue(gold));
    if (written >= 0 && !isWrong(written)) return false;
    return labels.every((_, index) => isWrong(index));
  } catch (error) {
    if (isHeavyWork(error)) throw error;
    return false;
  }
}

interface Extracted {
  readonly type: 'extracted';
  readonly value: string;
  readonly place?: { readonly start: number; readonly end: number };
  readonly tried?: readonly string[];
}

interface ReadingContext {
  readonly openings?: readonly string[] | undefined;
  /** What the answer is read together with. */
  readonly begun?: string | undefined;
  /** Whether an answer without text is one. */
  readonly readsEmpty?: boolean | undefined;
}

/** What of an answer is scored, or why there is nothing to score. */
export function extractAnswer(
  { answer, label, unmeasured, logprobs = [] }: ScoreInput,
  extractors: readonly Extractor[],
  { openings, begun = '', readsEmpty }: ReadingContext = {},
): Extracted | Unscored {
  if (label !== undefined) return { type: 'extracted', value: formatValue(label) };
  if (unmeasured !== undefined) {
    return unscored(`the label \`${formatValue(unmeasured)}\` has no token to measure`);
  }
  if (logprobs.length > 0) return unscored('no label is possible');
  const takesAll = extractors.every((one) => one === trimmed);
  if (answer.isVerbatim && takesAll) return { type: 'extracted', value: answer.answer, tried: [] };
  if (answer.unfinishedReasoning) return unscored('unfinished thinking');
  if (answer.answer.trim() === '') {
    return readsEmpty && takesAll
      ? { type: 'extracted', value: '', tried: [] }
      : unscored('empty answer');
  }
  try {
    const { found, tried } = runChain(extractors, begun + answer.answer, openings);
    if (!found) return unscored('no answer found', `tried ${tried.join(', ')}`);
    const { value, start, end } = found;
    const place = {
      start: Math.max(0, start - begun.length),
      end: Math.max(0, end - begun.length),
    };
    return { type: 'extracted', value, place, tried };
  } catch (error) {
    if (isSlowPattern(error)) return unscored(slowPattern, error.message);
    throw error;
  }
}
