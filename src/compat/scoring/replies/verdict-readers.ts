import { JsonProblem, readJson } from '../../../data/json-reader.ts';
import { getKey, isMapping } from '../../../prompt/mapping.ts';
import { type Reading, type ReplyReader, share } from './reply-reader.ts';

/** Evaluators and post-processors of AISBench that read what a judge says of each answer. */
export const verdictReaders: Readonly<Record<string, ReplyReader>> = {
  LLMJudgeCorrectEvaluator: verdictReader((reply) => letter(reply)),
  get_a_or_b: verdictReader((reply) => letter(reply.slice(-1))),
  AALCRJudgeEvaluator: verdictReader((reply) => {
    if (/\bCORRECT\b/i.test(reply)) return true;
    return /\bINCORRECT\b/i.test(reply) ? false : undefined;
  }),
  HLEJudgeEvaluator: verdictReader((reply) => {
    const value = jsonIn(reply.replace(/\s+/g, ' '));
    const correct = isMapping(value) ? getKey(value, 'correct') : undefined;
    return typeof correct === 'string' ? correct.includes('yes') : undefined;
  }),
};

function verdictReader(isRight: (reply: string) => boolean | undefined): ReplyReader {
  return {
    ...share,
    metric: 'accuracy',
    read(reply): Reading | undefined {
      const right = isRight(reply);
      return right === undefined ? undefined : { value: Number(right) };
    },
  };
}

function letter(text: string): boolean | undefined {
  return text === 'A' || text === 'B' ? text === 'A' : undefined;
}

function jsonIn(text: string): unknown {
  try {
    return readJson(text).value;
  } catch (error) {
    if (error instanceof JsonProblem) return undefined;
    throw error;
  }
}
