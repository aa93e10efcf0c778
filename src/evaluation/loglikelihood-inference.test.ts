import { describe, expect, it } from 'vitest';
import type { Loglikelihood } from '../model/loglikelihood.ts';
import { chatApiFormat, plainFormat } from '../prompt/format.ts';
import { openPrompts } from './evaluation-prompts.ts';
import type { LabelRequest } from './inference.ts';
import { inferenceOf } from './inference-of.ts';
import type { PromptSetup } from './prompt-setup.ts';

const train = [{ id: 0, row: { q: 'one', a: 'x' } }];
const test = [{ id: 0, row: { q: 'Q', a: 'yes', cont: '!', choices: [' A', ' B'] } }];

async function ask(
  inferencer: PromptSetup['inferencer'],
  more: Partial<PromptSetup> = {},
): Promise<LabelRequest> {
  const task: PromptSetup = {
    promptTemplate: { config: { template: '{q}? {a}' }, source: ['prompt_template'] },
    inputColumns: ['q'],
    outputColumn: 'a',
    retriever: { type: 'ZeroRetriever', source: ['retriever'] },
    inferencer,
    model: { takes: 'text', format: plainFormat },
    ...more,
  };
  const inference = await inferenceOf(task, await openPrompts(task, { test, train }));
  const [named] = test;
  if (inference.type !== 'single' || !named) throw new Error('not a single request');
  const { request } = inference.ask({ ...named, position: 0 });
  if (request.type !== 'loglikelihood') throw new Error('no loglikelihoods');
  return request;
}

const measure = (
  ...found: readonly (readonly [logprob: number, tokens: number])[]
): Loglikelihood[] => found.map(([logprob, tokens]) => ({ logprob, tokens }));
const labels = ['yes', 'no'];
const impossible = Number.NEGATIVE_INFINITY;

describe('PPLInferencer', async () => {
  const request = await ask({ type: 'PPLInferencer', labels });

  it('asks for the whole text of each label', () => {
    expect(request.texts).toEqual([
      { text: 'Q? yes', from: 0 },
      { text: 'Q? no', from: 0 },
    ]);
  });

  it.each([
    ['the least surprise for a token', measure([-4, 4], [-2, 1]), 'yes', [1, 2]],
    ['not the greatest sum', measure([-3, 1], [-4, 2]), 'no', [3, 2]],
    ['the first of equals', measure([-2, 2], [-1, 1]), 'yes', [1, 1]],
    ['what is possible', measure([impossible, 2], [-9, 1]), 'no', [Infinity, 9]],
    [
      'nothing where all is impossible',
      measure([impossible, 2], [impossible, 1]),
      undefined,
      [Infinity, Infinity],
    ],
  ])('chooses %s', (_, found, label, values) => {
    const choice = request.choose(found);
    expect(choice.label).toBe(label);
    expect(choice.labels.map(({ value }) => value)).toEqual(values);
  });

  it('compares with the same answer after a neutral text', async () => {
    const contrast = await ask({ type: 'PPLInferencer', labels, normalizingStr: 'Answer: ' });
    expect(contrast.texts).toEqual([
      { text: 'Q? yes', from: 3 },
      { text: 'Answer: yes', from: 8 },
      { text: 'Q? no', from: 3 },
      { text: 'Answer: no', from: 8 },
    ]);
    const choice = contrast.choose(measure([-2, 1], [-1, 1], [-3, 1], [-4, 1]));
    expect(choice.label).toBe('no');
    expect(choice.labels).toEqual([
      { label: 'yes', value: 1, log: -1 },
      { value: 1 },
      { label: 'no', value: -1, log: 1 },
      { value: -1 },
    ]);
  });

  it('takes the labels of a template that has one text for each', async () => {
    const config = { template: { 1: '{q} is good', 0: '{q} is goodness me bad' } };
    const byLabel = await ask(
      { type: 'PPLInferencer' },
      { promptTemplate: { config, source: ['prompt_template'] } },
    );
    expect(byLabel.texts.map(({ text }) => text)).toEqual(['Q is goodness me bad', 'Q is good']);
  });
});

it.each([
  ['none', measure([-3, 1], [-4, 1]), undefined],
  ['all', measure([-3, 1], [-3, 1]), labels],
  ['impossible ones', measure([impossible, 1], [impossible, 1]), undefined],
])('labels that tie: %s', async (_, found, ties) => {
  for (const type of ['PPLInferencer', 'LLInferencer'])
    expect((await ask({ type, labels })).choose(found).ties).toEqual(ties);
});

describe('LLInferencer', () => {
  it('asks for what is filled in for the answer; a row may have a continuation of its own', async () => {
    expect((await ask({ type: 'LLInferencer', labels })).texts).toEqual([
      { text: 'Q? yes!', from: 6 },
      { text: 'Q? no!', from: 5 },
    ]);
    const { cont: _, ...row } = test[0]?.row ?? {};
    const task: PromptSetup = {
      promptTemplate: { config: { template: '{q}? {a}' }, source: ['prompt_template'] },
      inputColumns: ['q'],
      outputColumn: 'a',
      retriever: { type: 'ZeroRetriever', source: ['retriever'] },
      inferencer: { type: 'LLInferencer', labels },
      model: { takes: 'text', format: plainFormat },
    };
    const inference = await inferenceOf(task, await openPrompts(task, { test, train }));
    const asked = inference.type === 'single' && inference.ask({ id: 0, position: 0, row });
    expect(asked && asked.request.type === 'loglikelihood' && asked.request.texts).toEqual([
      { text: 'Q? yes', from: 3 },
      { text: 'Q? no', from: 3 },
    ]);
  });

  it('asks from the first word that differs where labels have templates of their own', async () => {
    const config = { template: { a: 'Is it so? I agree', b: 'Is it so? I am sorry' } };
    const request = await ask(
      { type: 'LLInferencer' },
      { promptTemplate: { config, source: ['prompt_template'] }, outputColumn: undefined },
    );
    expect(request.texts.map(({ text, from }) => text.slice(0, from).length)).toEqual([17, 20]);
  });

  it('chooses the greatest sum', async () => {
    const { choose } = await ask({ type: 'LLInferencer', labels });
    expect(choose(measure([-4, 8], [-3, 1])).label).toBe('no');
    expect(choose(measure([-3, 1], [-3, 1])).label).toBe('yes');
  });
});

describe('CLPInferencer', () => {
  it('asks for the choices of the row after the prompt, as probabilities', async () => {
    const request = await ask({ type: 'CLPInferencer' });
    expect(request.texts).toEqual([
      { text: 'Q? A', from: 2 },
      { text: 'Q? B', from: 2 },
    ]);
    const choice = request.choose(measure([Math.log(0.1), 1], [Math.log(0.3), 1]));
    expect(choice.label).toBe(' B');
    expect(choice.labels.map(({ value }) => value)).toEqual([
      expect.closeTo(0.25, 12),
      expect.closeTo(0.75, 12),
    ]);
    const sure = request.choose(measure([impossible, 1], [-700, 1]));
    expect(sure.labels.map(({ value }) => value)).toEqual([0, 1]);
    expect(request.choose(measure([impossible, 1], [impossible, 1])).label).toBeUndefined();
  });
});

describe('PPLOnlyInferencer', () => {
  it('measures a text', async () => {
    const request = await ask({ type: 'PPLOnlyInferencer' }, { outputColumn: undefined });
    expect(request.texts).toEqual([{ text: 'Q? yes', from: 0 }]);
    const { measures, label } = request.choose(measure([-6 * Math.LN2, 3]));
    expect(label).toBeUndefined();
    expect(measures?.nll).toBeCloseTo(2 * Math.LN2, 12);
    expect(measures?.metrics?.row_ppl).toBeCloseTo(4, 12);
    expect(measures?.metrics?.row_bits_per_byte).toBeCloseTo(1, 12);
    expect(measures?.counts).toEqual([expect.closeTo(6 * Math.LN2, 9), 3, 2, 6]);
  });

  it('counts the bytes and words that have a probability', async () => {
    const request = await ask({ type: 'PPLOnlyInferencer' }, { outputColumn: undefined });
    const { measures } = request.choose([{ logprob: -4, tokens: 2, skipped: 2 }]);
    expect(measures?.counts).toEqual([4, 2, 1, 4]);
    const inWord = request.choose([{ logprob: -4, tokens: 2, skipped: 1 }]);
    expect(inWord.measures?.counts).toEqual([4, 2, 2, 5]);
  });
});

it('a model that takes messages is refused', async () => {
  const model = { takes: 'messages', format: chatApiFormat, source: ['models', 0] } as const;
  await expect(ask({ type: 'PPLInferencer', labels }, { model })).rejects.toMatchObject({
    code: 'model.needs_text',
    path: ['models', 0],
  });
});

describe('where texts of labels come from', () => {
  it('a neutral text is one of the setting', async () => {
    const source = ['infer_cfg', 'inferencer'];
    const setup: PromptSetup = {
      promptTemplate: { config: { template: '{q}? {a}' }, source: ['prompt_template'] },
      inputColumns: ['q'],
      outputColumn: 'a',
      retriever: { type: 'ZeroRetriever', source: ['retriever'] },
      inferencer: { type: 'PPLInferencer', labels, normalizingStr: 'Answer: ', source },
      model: { takes: 'text', format: plainFormat },
    };
    const inference = await inferenceOf(setup, await openPrompts(setup, { test, train }));
    const [named] = test;
    if (inference.type !== 'single' || !named) throw new Error('not a single request');
    const traced = JSON.stringify(inference.trace({ ...named, position: 0 }));
    const at = { path: [...source, 'normalizing_str'], start: 0 };
    expect(traced).toContain(JSON.stringify({ text: 'Answer: ', origin: { type: 'literal', at } }));
  });
});
