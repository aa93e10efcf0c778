import type { ScorerConfig } from '../../src/score/build-scorer.ts';
import { compileScorer } from '../../src/score/compile-scorer.ts';
import { mathEqual } from '../../src/score/math/math-equal.ts';
import {
  openedThought,
  repeatedPrefix,
  splitAnswer,
  type ThoughtContext,
  without,
} from '../../src/score/split-thought.ts';

/** Something that is read, with what it is read with. */
export type Reading =
  | readonly ['math', got: string, want: string, options?: Parameters<typeof mathEqual>[0]]
  | readonly ['split', text: string, context: ThoughtContext, reasoning?: string]
  | readonly ['repeated', text: string, prefix: string, context: ThoughtContext]
  | readonly ['opened', prompt: string, context: ThoughtContext, prefix?: string]
  | readonly ['score', config: ScorerConfig, answer: string, gold: unknown, row?: object];

/** All that comes of it. */
export function read(reading: Reading): unknown {
  switch (reading[0]) {
    case 'math':
      return mathEqual(reading[3])(reading[1], reading[2]);
    case 'split':
      return splitAnswer(reading[1], reading[3], reading[2]);
    case 'repeated': {
      const stretch = repeatedPrefix(reading[1], reading[2], reading[3]);
      return [stretch, without(reading[1], stretch)];
    }
    case 'opened': {
      const prompt = { type: 'text', text: reading[1] } as const;
      return openedThought(prompt, reading[2].thinking, reading[3]);
    }
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
