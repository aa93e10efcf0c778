import { describe, expect, test } from 'vitest';
import type { ScoredPart } from '../evaluation/inference.ts';
import type { RowScore, Scored } from '../score/scorer.ts';
import { turnScores, withVerdicts } from './row-case.ts';

const scored = (value: number, more: Partial<Scored> = {}): Scored => ({
  type: 'scored',
  value,
  extracted: '',
  compared: { got: '', want: '' },
  ...more,
});
const part = (score: RowScore, name = 1): ScoredPart => ({ name, text: 't', score });
const verdict = { key: 'k' } as unknown as NonNullable<RowScore['verdicts']>[number];
const owed: RowScore = { type: 'unscored', reason: 'judge failed: no answer', verdicts: [verdict] };
const unscored: RowScore = { type: 'unscored', reason: 'no answer found' };

describe('a row of several parts', () => {
  test('has the score of all, with what judges were asked about each', () => {
    const combined = { text: 'x', score: scored(0.5, { metrics: { turn_1: 1 } }) };
    expect(withVerdicts([part(scored(1)), part(unscored)], combined)).toEqual(combined);
    const judged = [part(scored(1, { verdicts: [verdict] })), part(scored(0))];
    expect(withVerdicts(judged, combined)).toEqual({
      text: 'x',
      score: { ...combined.score, verdicts: [verdict] },
    });
  });

  test('has none while a judge owes one to a part, and nothing of a score', () => {
    const combined = { text: 'x', score: scored(0.5, { metrics: { turn_1: 1 } }) };
    expect(withVerdicts([part(scored(1)), part(owed)], combined)).toEqual({
      text: 'x',
      score: owed,
    });
  });

  test('without a score, keeps those of its turns', () => {
    const combined = { text: 'x', score: { ...unscored, metrics: { turn_1: 1 } } };
    const { score } = withVerdicts([part(scored(1)), part(owed)], combined);
    expect(score).toEqual({ ...owed, metrics: { turn_1: 1 } });
    expect(turnScores(combined)).toEqual({ turn_1: 1 });
    expect(turnScores({ text: '', score: scored(1, { metrics: { other: 1 } }) })).toBeUndefined();
  });

  test('has a gold answer that is no label where that of no part is one', () => {
    const no = part(scored(0, { notALabel: true }));
    const combined = { text: 'x', score: scored(0) };
    expect(withVerdicts([no, no], combined).score).toMatchObject({ notALabel: true });
    expect(withVerdicts([no, part(scored(0))], combined).score).not.toHaveProperty('notALabel');
    expect(withVerdicts([no, no], { text: 'x', score: unscored }).score).toEqual(unscored);
  });
});
