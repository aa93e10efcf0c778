import type { ScorerConfig } from '../../src/score/build-scorer.ts';
import { compileScorer } from '../../src/score/compile-scorer.ts';
import { mathEqual } from '../../src/score/math/math-equal.ts';
import { splitAnswer, type ThoughtContext } from '../../src/score/split-thought.ts';

/** Something that is read, with what it is read with. */
export type Reading =
  | readonly ['math', got: string, want: string, options?: Parameters<typeof mathEqual>[0]]
  | readonly ['split', text: string, context: ThoughtContext, reasoning?: string]
  | readonly ['score', config: ScorerConfig, answer: string, gold: unknown, row?: object];

/** All that comes of it. */
export function read(reading: Reading): unknown {
  switch (reading[0]) {
    case 'math':
      return mathEqual(reading[3])(reading[1], reading[2]);
    case 'split':
      return splitAnswer(reading[1], reading[3], reading[2]);
    case 'score': {
      const [, config, answer, gold, row = {}] = reading;
      return compileScorer(config).score({
        answer: splitAnswer(answer),
        gold,
        row: row as Record<string, unknown>,
      });
    }
  }
}
