import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Float } from '../../prompt/values.ts';
import type { ScorerConfig } from '../../score/build-scorer.ts';
import { compileScorer } from '../../score/compile-scorer.ts';
import type { Component } from '../../score/component/component.ts';
import { splitAnswer } from '../../score/split-thought.ts';
import type { Compat } from '../compat.ts';
import { openCompatScorer } from './open-compat-scorer.ts';

interface Case {
  readonly config: ScorerConfig;
  readonly options: { readonly compat: Compat };
  readonly raw: string;
  readonly gold: unknown;
  readonly label?: unknown;
}

async function scoreOf({ config, options, raw, gold, label }: Case) {
  const scorer = await openCompatScorer(config, options);
  return scorer.score({ answer: splitAnswer(raw), gold, row: {}, label });
}

const use = (type: string): ScorerConfig => ({ evaluator: { type } });
const after = (evaluator: string, predPostprocessor: Component): ScorerConfig => ({
  evaluator: { type: evaluator },
  predPostprocessor,
});

const opencompass = { compat: 'opencompass' } as const;
const aisbench = { compat: 'aisbench' } as const;
const pickOption = { type: 'first_option_postprocess', options: 'ABCD' };

test.each<
  [
    { readonly compat: Compat },
    ScorerConfig,
    raw: string,
    gold: unknown,
    value: number,
    got: string,
  ]
>([
  [opencompass, use('AccEvaluator'), ' B', 'B', 0, ' B'],
  [opencompass, use('AccEvaluator'), '', 'B', 0, ''],
  [opencompass, use('AccEvaluator'), '', '', 1, ''],
  [opencompass, use('AccEvaluator'), '1.0', new Float(1), 1, '1.0'],
  [opencompass, use('AccEvaluator'), 'True', true, 1, 'True'],
  [opencompass, use('AccEvaluator'), "['a']", ['a'], 1, "['a']"],
  [opencompass, use('AccEvaluator'), '<think>A</think>B', 'B', 0, '<think>A</think>B'],
  [aisbench, use('AccEvaluator'), '<think>A</think> B', 'B', 1, 'B'],
  [aisbench, use('AccEvaluator'), 'A</think>\nB', 'B', 1, 'B'],
  [opencompass, use('AccwithDetailsEvaluator'), '1', 1, 0, '1'],
  [opencompass, use('AccwithDetailsEvaluator'), '1', '1', 1, '1'],
  [opencompass, use('EMEvaluator'), 'the cat, sat', ['a cat'], 1, 'the cat, sat'],
  [opencompass, after('AccEvaluator', pickOption), 'ANSWER: c', 'A', 1, 'A'],
  [opencompass, after('AccEvaluator', { type: 'first_number_postprocess' }), '18', '18', 0, '18.0'],
  [
    opencompass,
    after('AccEvaluator', { type: 'first_number_postprocess' }),
    'x',
    'None',
    1,
    'None',
  ],
  [
    opencompass,
    after('AccEvaluator', { type: 'last_option_postprocess', options: 'AB' }),
    'xAB',
    'B',
    1,
    'B',
  ],
  [opencompass, after('AccEvaluator', { type: 'boxed' }), 'x', '', 1, ''],
])('in compat mode %j, %j: %j against %j', async (options, config, raw, gold, value, got) => {
  expect(await scoreOf({ config, options, raw, gold })).toMatchObject({
    type: 'scored',
    value,
    compared: { got },
  });
});

test('compat mode leaves own evaluators alone, names metrics as they are named, needs gold', async () => {
  expect((await openCompatScorer(use('EMEvaluator'), opencompass)).metric).toBe('score');
  expect(compileScorer(use('EMEvaluator')).metric).toBe('exact_match');
  const row = { config: use('AccEvaluator'), options: opencompass, raw: '' };
  expect(await scoreOf({ ...row, gold: null })).toMatchObject({ reason: 'no gold answer' });
  expect(await scoreOf({ ...row, gold: 1, label: 1 })).toMatchObject({ value: 1 });
  expect(await scoreOf({ ...row, config: use('number'), gold: 1 })).toMatchObject({
    type: 'unscored',
  });
});

test('a list of postprocessors is a chain, a single one is the original', async () => {
  const score = async (predPostprocessor: readonly Component[], raw: string) => {
    const config = { evaluator: { type: 'AccEvaluator' }, predPostprocessor };
    const scorer = await openCompatScorer(config, opencompass);
    return scorer.score({ answer: splitAnswer(raw), gold: 'B', row: {} });
  };
  const option = { type: 'first_option_postprocess', options: 'AB' };
  expect(await score([option], 'xB')).toMatchObject({ value: 1 });
  expect(await score([{ type: 'boxed' }, option], '\\boxed{B}, not A')).toMatchObject({ value: 1 });
});

test('any answer is scored within the range, or unscored', async () => {
  const types = ['exact', 'contains', 'number', 'choice', 'AccEvaluator', 'EMEvaluator'];
  const scorers = await Promise.all(types.map((type) => openCompatScorer(use(type), opencompass)));
  fc.assert(
    fc.property(fc.string(), fc.anything(), (raw, gold) => {
      for (const scorer of scorers) {
        const score = scorer.score({ answer: splitAnswer(raw), gold, row: {} });
        if (score.type === 'scored') expect([0, 1]).toContain(score.value);
        else expect(score.reason).not.toBe('');
      }
    }),
  );
});

test('Chinese answers are compared word by word', async () => {
  const cut = { type: 'general_cn_postprocess' };
  const config = { ...after('AccEvaluator', cut), datasetPostprocessor: cut };
  const one = { config, options: opencompass, raw: '我喜欢喝茶', gold: '我喜欢喝茶' };
  expect(await scoreOf(one)).toMatchObject({ value: 1, extracted: '我 喜欢 喝茶' });
});

test('MATHVerifyEvaluator counts an answer without a formula as wrong', async () => {
  const config = { evaluator: { type: 'MATHVerifyEvaluator' } };
  const scorer = await openCompatScorer(config, { compat: 'opencompass' });
  const judged = (text: string) =>
    scorer.score({ answer: splitAnswer(text), gold: '\\frac12', row: {} });
  expect(judged('So \\boxed{0.5}.')).toMatchObject({ type: 'scored', value: 1 });
  expect(judged('I do not know')).toMatchObject({ type: 'scored', value: 0 });
  expect(judged('')).toMatchObject({ type: 'scored', value: 0 });
});
