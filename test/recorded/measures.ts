import { TypecaseError } from '../../src/errors.ts';
import { answerNumber } from '../../src/score/extract/answer-number.ts';
import { codeBlock, fencedBlocks } from '../../src/score/extract/code-block.ts';
import { type Extractor, runChain } from '../../src/score/extract/extractor.ts';
import { jsonValue, keysOfObject, parseJsonPath } from '../../src/score/extract/json-extractor.ts';
import {
  answerLine,
  answerTag,
  boxed,
  lastBoxes,
  startsSolution,
  statementBefore,
  underHeading,
} from '../../src/score/extract/marked-answer.ts';
import {
  firstAmount,
  firstNumber,
  lastNumber,
  numbersOf,
} from '../../src/score/extract/number-extractors.ts';
import * as originals from '../../src/score/extract/opencompass-postprocess.ts';
import {
  choiceText,
  chosenOption,
  firstOption,
  lastOption,
} from '../../src/score/extract/option-extractors.ts';
import type { Option } from '../../src/score/extract/option-texts.ts';
import { lastAmount, resultNumber } from '../../src/score/extract/result-number.ts';
import { scanJson } from '../../src/score/extract/scan-json.ts';
import { firstLine, lastLine, trimmed } from '../../src/score/extract/text-extractors.ts';
import { evaluate } from '../../src/score/math/evaluate.ts';
import { exactValue } from '../../src/score/math/exact-value.ts';
import {
  approximatedFormula,
  lastFormula,
  remarkedFormula,
  statedFormula,
  wholeFormula,
  withoutFormulas,
} from '../../src/score/math/formula-extractors.ts';
import { answerFormula } from '../../src/score/math/math-equal.ts';
import { parseMath } from '../../src/score/math/parse-math.ts';
import { rational } from '../../src/score/math/rational.ts';
import { tokenize } from '../../src/score/math/tokens.ts';
import { bleu } from '../../src/score/metrics/bleu.ts';
import { chrf } from '../../src/score/metrics/chrf.ts';
import {
  characterErrorRate,
  countEdits,
  editDistance,
  editSimilarity,
} from '../../src/score/metrics/edit-distance.ts';
import { countLabels } from '../../src/score/metrics/label-counts.ts';
import * as labelMetrics from '../../src/score/metrics/label-metrics.ts';
import type { CorpusMetric } from '../../src/score/metrics/metric.ts';
import { stem } from '../../src/score/metrics/porter-stemmer.ts';
import { areaUnderRoc, rocAuc } from '../../src/score/metrics/roc-auc.ts';
import { rouge, rougeScore, rougeVariants } from '../../src/score/metrics/rouge.ts';
import { ter } from '../../src/score/metrics/ter.ts';
import { tokenF1, tokenMatch } from '../../src/score/metrics/token-f1.ts';
import { readNumberWords } from '../../src/score/numbers/read-number-words.ts';
import { readNumbers } from '../../src/score/numbers/read-numbers.ts';
import { consensusAtK } from '../../src/score/repeats/consensus.ts';
import { passAtK, passHatK } from '../../src/score/repeats/pass-at-k.ts';
import { hasDictionary, loadSegmenter, segmenterOf } from '../../src/score/segment/segmenter.ts';
import { isInsideWord, plainLabel } from '../../src/score/text-matching.ts';

const extractors: readonly Extractor[] = [
  ...[firstNumber, lastNumber, firstAmount, lastAmount, resultNumber, boxed, answerTag, lastBoxes],
  ...[underHeading, answerLine, lastFormula, statedFormula, remarkedFormula, approximatedFormula],
  ...[wholeFormula, firstLine, lastLine, trimmed, codeBlock(), codeBlock({ which: 'first' })],
];

/** What all extractors that need no settings find in a text; what most give, the text itself, is left out. */
function readText(text: string): unknown {
  const found = extractors.map(({ name, extract }, index) => [`${index} ${name}`, extract(text)]);
  const { gsm8kNumber, gsm8kGold, firstNumber: number, plainWords, firstClause } = originals;
  const cleaned = [...originals.opencompassPostprocessors].map(([name, clean]) => [
    name,
    clean(text),
  ]);
  const { objects } = scanJson(text);
  return {
    found: Object.fromEntries(found.filter(([, one]) => one)),
    chains: [answerNumber, answerFormula].map((chain) => runChain(chain, text)),
    numbers: [[...readNumbers(text)], readNumberWords(text), numbersOf(text)],
    cleaned: Object.fromEntries(cleaned.filter(([, one]) => one !== text)),
    originals: [
      gsm8kNumber(text),
      gsm8kGold(text),
      number(text),
      originals.lastOption(text, 'AB1'),
    ],
    plain: [plainWords(text), firstClause(text), withoutFormulas(text), plainLabel(text)],
    json: objects.map(({ start, end }) => [start, end, keysOfObject(text, start)]),
    blocks: fencedBlocks(text),
    statement: [startsSolution(text), statementBefore(text, 'The answer is')],
  };
}

/** A formula, and about what it comes to where its symbols stand for 1/2 and 3. */
function readMath(text: string): unknown {
  const expression = parseMath(text);
  if (!expression) return { tokens: tokenize(text) ?? null };
  const points = [rational(1n, 2n), rational(3n), rational(-2n)].map((value) => () => value);
  return {
    tokens: tokenize(text)?.map((token) => Object.values(token).join(' ')),
    expression,
    exact: points.map((numberFor) => exactValue(expression, numberFor)),
    about: points.map((numberFor) => [
      evaluate(expression, { numberFor, isComplex: false }),
      evaluate(expression, { numberFor, isComplex: true }),
    ]),
  };
}

function readOptions(text: string, options: readonly Option[]): unknown {
  const chosen = runChain(chosenOption(options), text);
  return [firstOption, lastOption, choiceText]
    .map((create) => create(options).extract(text))
    .concat(chosen.found);
}

function measureCorpus(
  { count, ofCounts, ofSums, name, direction, range }: CorpusMetric,
  pairs: readonly (readonly [answer: string, golds: readonly string[]])[],
): unknown {
  const counts = pairs.map(([answer, golds]) => count(answer, golds));
  const [first = []] = counts;
  const sums = first.map((_, at) => counts.reduce((sum, one) => sum + (one[at] ?? 0), 0));
  return { name, direction, range, counts, rows: counts.map(ofCounts), all: ofSums(sums) };
}

type Pairs = Parameters<typeof measureCorpus>[1];

/** What is read or measured, by name. */
const works = {
  text: readText,
  options: readOptions,
  json: (path: string, text: string) => {
    const steps = parseJsonPath(path);
    return [steps, steps && jsonValue(steps).extract(text)];
  },
  code: (text: string, settings: Parameters<typeof codeBlock>[0]) =>
    codeBlock(settings).extract(text),
  inside: (text: string, start: number, end: number) => isInsideWord(text, start, end),
  math: readMath,
  bleu: (options: Parameters<typeof bleu>[0], pairs: Pairs) => measureCorpus(bleu(options), pairs),
  chrf: (options: Parameters<typeof chrf>[0], pairs: Pairs) => measureCorpus(chrf(options), pairs),
  ter: (options: Parameters<typeof ter>[0], pairs: Pairs) => measureCorpus(ter(options), pairs),
  rouge: (options: Parameters<typeof rouge>[1], answer: string, golds: readonly string[]) =>
    rougeVariants.map((variant) => [
      rouge(variant, options).of(answer, golds),
      golds.map((gold) => rougeScore({ answer, gold, variant }, options)),
    ]),
  words: async (language: string | undefined, answer: string, golds: readonly string[]) => {
    if (language && hasDictionary(language)) await loadSegmenter(language);
    const options = language ? { language } : {};
    const split = language && segmenterOf(language);
    return [
      tokenF1(options).of(answer, golds),
      tokenMatch(options).of(answer, golds),
      split && [...split(answer)],
    ];
  },
  edits: (answer: string, golds: readonly string[]) => [
    golds.map((gold) => countEdits(answer, gold)),
    [editDistance, editSimilarity].map(({ of }) => of(answer, golds)),
    measureCorpus(characterErrorRate, [[answer, golds]]),
  ],
  labels: (pairs: readonly (readonly [string, string])[], labels?: readonly string[]) => {
    const counts = countLabels(pairs, { labels });
    const { f1, precision, recall, ...others } = labelMetrics;
    const ofLabel = [f1, precision, recall].map((create) => create('a').of(counts));
    return [counts, ofLabel, Object.values(others).map(({ name, of }) => [name, of(counts)])];
  },
  roc: (cases: readonly (readonly [boolean, number])[], times?: readonly number[]) => [
    rocAuc(cases, times),
    areaUnderRoc.measure(cases.map((one) => areaUnderRoc.cellOf(...one)))(
      times ?? cases.map(() => 1),
    ),
  ],
  stems: (words: string) => words.split(' ').map(stem).join(' '),
  passes: (attempts: number, passed: number, k: number) => [
    passAtK({ attempts, passed, k }),
    passHatK({ attempts, passed, k }),
  ],
  votes: (answers: string, k: number, ties: 'first' | 'share' | 'wrong') => {
    const ballots = [...answers].map((answer) => ({ answer, value: Number(answer === 'a') }));
    return consensusAtK(ballots, { k, ties, seed: 1, key: 'row' });
  },
};

export type Work = readonly [name: keyof typeof works, ...inputs: unknown[]];

/** What comes of it, or with what it is refused. */
export async function find([name, ...inputs]: Work): Promise<unknown> {
  try {
    const given = inputs.map((input) => input ?? undefined);
    return await (works[name] as (...inputs: unknown[]) => unknown)(...given);
  } catch (error) {
    if (!TypecaseError.isInstance(error)) throw error;
    const { code, message, hint } = error;
    return { code, message, hint };
  }
}
