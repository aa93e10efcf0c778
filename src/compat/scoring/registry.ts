import { Float } from '../../prompt/values.ts';
import { labels, trueOrFalse } from '../../score/component/option-kinds.ts';
import {
  cleanWith,
  firstNumber,
  lastOption,
  opencompassPostprocessors,
} from '../../score/extract/opencompass-postprocess.ts';
import { ownNameOf } from '../../score/extract/postprocessors.ts';
import { answerCleaners } from './cleaners/answer-cleaners.ts';
import { boxCleaners } from './cleaners/box-cleaners.ts';
import { type CleanerType, cleanerWith, plainCleaner } from './cleaners/cleaner.ts';
import { codeCleaners } from './cleaners/code-cleaners.ts';
import { taskCleaners } from './cleaners/task-cleaners.ts';
import { firstOption } from './first-option.ts';
import { answerJudges } from './judges/answer-judges.ts';
import { choiceJudges } from './judges/choice-judges.ts';
import { codeAnswerJudges } from './judges/code-answer-judges.ts';
import { examJudges } from './judges/exam-judges.ts';
import { instructionJudges } from './judges/instruction-judge.ts';
import { korbenchJudges } from './judges/korbench-judge.ts';
import { levalJudges } from './judges/leval-judges.ts';
import { longTextJudges } from './judges/long-text-judges.ts';
import { mediaJudges } from './judges/media-judges.ts';
import type { JudgeType } from './judges/row-judge.ts';
import { scienceJudges } from './judges/science-judges.ts';
import { sheetJudges } from './judges/sheet-judges.ts';
import { taskJudges } from './judges/task-judges.ts';
import { workedJudges } from './judges/worked-judges.ts';

const optionCleaners: Readonly<Record<string, CleanerType>> = {
  first_option_postprocess: cleanerWith(
    { options: labels.optional(), cushion: trueOrFalse.optional() },
    ({ options = [], cushion = true }) => firstOption({ options: options.join(''), cushion }),
  ),
  last_option_postprocess: cleanerWith(
    { options: labels.optional(), cushion: trueOrFalse.optional() },
    ({ options = [] }) => {
      const letters = options.join('');
      return (text) => lastOption(text, letters);
    },
  ),
  first_number_postprocess: plainCleaner((text) => {
    const number = firstNumber(text);
    return number === null ? null : new Float(number);
  }),
};

/** Evaluators of OpenCompass and AISBench that judge one answer after the other, by their names. */
export const rowJudges: Readonly<Record<string, JudgeType>> = {
  ...answerJudges,
  ...longTextJudges,
  ...choiceJudges,
  ...codeAnswerJudges,
  ...examJudges,
  ...instructionJudges,
  ...mediaJudges,
  ...taskJudges,
  ...korbenchJudges,
  ...scienceJudges,
  ...sheetJudges,
  ...workedJudges,
  ...levalJudges,
};

/** Their post-processors, by the names of their functions. */
export const cleaners: Readonly<Record<string, CleanerType>> = {
  ...optionCleaners,
  ...answerCleaners,
  ...codeCleaners,
  ...boxCleaners,
  ...taskCleaners,
};

/** A post-processor of theirs, also by the name that it is registered under. */
export function cleanerNamed(type: string): CleanerType | undefined {
  if (Object.hasOwn(cleaners, type)) return cleaners[type];
  const name = ownNameOf(type);
  return opencompassPostprocessors.has(name)
    ? plainCleaner((text) => cleanWith(name, text))
    : undefined;
}
