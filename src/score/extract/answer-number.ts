import { within } from './extractor.ts';
import { afterMarker, answerLine, boxed } from './marked-answer.ts';
import { untilNextQuestion } from './next-question.ts';
import { firstAmount, keepPercent, resultNumber, unlessDenied } from './number-extractors.ts';

const lastAmount = keepPercent(resultNumber);

/** Where the number of an answer is looked for, in this order. */
export const answerNumber = untilNextQuestion([
  within(boxed, lastAmount),
  within(afterMarker(['####']), firstAmount),
  unlessDenied(within(answerLine, within(afterMarker(['=']), firstAmount))),
  unlessDenied(within(answerLine, firstAmount)),
  unlessDenied(lastAmount),
]);
