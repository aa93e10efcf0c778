import { describe, expect, it } from 'vitest';
import type { LoglikelihoodText } from '../model/loglikelihood.ts';
import { chatApiFormat, plainFormat } from '../prompt/format.ts';
import { openPrompts } from './evaluation-prompts.ts';
import { inferenceOf } from './inference-of.ts';
import type { EvaluationPrompts, PromptSetup } from './prompt-setup.ts';

const train = ['cat', 'dog', 'owl'].map((q, id) => ({
  id,
  row: { q, a: id === 1 ? 'no' : 'yes' },
}));
const test = [{ id: 7, row: { q: 'Cat', a: 'gold' } }];
const query = { id: 7, position: 0, row: { q: 'Cat', a: 'gold' } };

const taskWith = (retriever: object, more: Partial<PromptSetup> = {}): PromptSetup => ({
  promptTemplate: {
    config: { template: '</E>{q}={a}', ice_token: '</E>' },
    source: ['prompt_template'],
  },
  iceTemplate: { config: { template: '{q}={a}' }, source: ['ice_template'] },
  inputColumns: ['q'],
  outputColumn: 'a',
  inferencer: { type: 'GenInferencer' },
  model: { takes: 'text', format: plainFormat },
  ...more,
  retriever: { type: 'FixKRetriever', source: ['retriever'], ...retriever },
});

const textOf = ({ promptOf }: EvaluationPrompts) => {
  const { prompt } = promptOf(query);
  return prompt.type === 'text' ? prompt.text : '';
};

describe('ice_separator and ice_eos_token', () => {
  const fixIdList = [0, 2];

  it.each([
    [undefined, { fixIdList }, 'cat=yes\nowl=yes\nCat='],
    [undefined, { fixIdList, iceSeparator: ' | ', iceEosToken: '#' }, 'cat=yes | owl=yes#Cat='],
    [undefined, { fixIdList, iceSeparator: '', iceEosToken: '' }, 'cat=yesowl=yesCat='],
    ['opencompass', { fixIdList, iceSeparator: '|', iceEosToken: '#' }, 'cat=yes|owl=yes#Cat='],
  ] as const)('compat %s: %j', async (compat, retriever, expected) => {
    const prompts = await openPrompts(taskWith(retriever, { compat }), { test, train });
    expect(textOf(prompts)).toBe(expected);
  });
});

describe.each([undefined, 'opencompass'] as const)('leaks, compat %s', (compat) => {
  const leaks = async (fixIdList: readonly number[], asked = query) => {
    const task = taskWith({ fixIdList }, { compat });
    const prompts = await openPrompts(task, { test: [asked], train });
    const inference = await inferenceOf(task, prompts);
    if (inference.type !== 'single') throw new Error('not a single request');
    const found = prompts.leaksOf(asked, fixIdList);
    // The request tells the first of them.
    expect(inference.ask(asked).leak).toBe(found[0]?.code);
    expect(inference.trace(asked).leak).toBe(found[0]?.code);
    return found.map(({ code, path }) => [code, path]);
  };

  it('are reported with the row', async () => {
    expect(await leaks([1, 2])).toEqual([]);
    expect(await leaks([0, 1])).toEqual([['retrieve.leak_same_question', ['retriever']]]);
    expect(await leaks([1], { ...query, row: { q: 'dog', a: 'no' } })).toEqual([
      ['retrieve.leak_same_row', ['retriever']],
    ]);
  });
});

it('windows of OpenCompass that run past the pool fail where it does', async () => {
  const task = taskWith({ type: 'SlidingWindowRetriever', k: 2 }, { compat: 'opencompass' });
  const prompts = await openPrompts(task, { test, train });
  expect(textOf(prompts)).toBe('dog=no\nowl=yes\nCat=');
  expect(() => prompts.promptOf({ ...query, position: 5 })).toThrow(
    expect.objectContaining({
      pythonType: 'IndexError',
      pythonMessage: 'Invalid key: 3 is out of bounds for size 3',
    }),
  );
});

describe('MDLRetriever', () => {
  const angles = new Map([
    ['cat', 0],
    ['Cat', 0.1],
    ['dog', 1],
    ['owl', 2],
  ]);
  const embedder = {
    identity: {},
    embed: async (texts: readonly string[]) =>
      texts.map((text) => {
        const angle = angles.get(text) ?? 0;
        return Float32Array.of(Math.cos(angle), Math.sin(angle));
      }),
  };
  const retriever = { type: 'MDLRetriever', embedder, candidateNum: 3, selectTime: 30 };

  /** A model that is sure of `no` after the dog, and unsure after all else. */
  function loglikelihoodModelOf(asked: LoglikelihoodText[]) {
    return {
      encode: () => '',
      measure: async ({ texts }: { texts: readonly LoglikelihoodText[] }) => {
        asked.push(...texts);
        const logprobs = texts.map(({ text, from }) => ({
          starts: [from, from],
          values: [text.startsWith('dog') && text.endsWith('yes') ? -20 : -2, 0],
        }));
        return { logprobs, totalMs: 0 };
      },
    };
  }

  const ofLabels = {
    config: {
      template: { yes: '</E>{q}=yes', no: '</E>{q}=no' },
      ice_token: '</E>',
    },
    source: ['template'],
  };

  it.each<[string, Partial<PromptSetup>]>([
    ['GenInferencer', { inferencer: { type: 'GenInferencer', labels: ['yes', 'no'] } }],
    ['PPLInferencer', { inferencer: { type: 'PPLInferencer', labels: ['yes', 'no'] } }],
    ['templates of labels', { promptTemplate: ofLabels, inferencer: { type: 'PPLInferencer' } }],
    ['compat', { compat: 'opencompass', promptTemplate: ofLabels }],
  ])('%s: takes the examples after which the model is surest', async (_, more) => {
    const asked: LoglikelihoodText[] = [];
    const task = taskWith(retriever, { loglikelihoodModel: loglikelihoodModelOf(asked), ...more });
    const prompts = await openPrompts(task, { test, train });
    await prompts.prepare?.([query]);
    const nearest = 'cat=yes';
    // The line break after the examples counts in ours, and twice not in theirs.
    const from = more.compat ? nearest.length + 2 : nearest.length;
    expect(asked.slice(0, 2)).toEqual([
      { text: `${nearest}\nCat=yes`, from },
      { text: `${nearest}\nCat=no`, from },
    ]);
    const { shots } = prompts.promptOf(query);
    expect(prompts.examplesAt(shots).map(({ id }) => id)).toEqual([1]);
  });

  it('finds the labels in the pool', async () => {
    const asked: LoglikelihoodText[] = [];
    const task = taskWith(retriever, { loglikelihoodModel: loglikelihoodModelOf(asked) });
    const prompts = await openPrompts(task, { test, train });
    await prompts.prepare?.([query]);
    expect(asked.map(({ text }) => text.split('=').at(-1)).slice(0, 2)).toEqual(['yes', 'no']);
  });

  it('needs a model that gives loglikelihoods of text', async () => {
    await expect(openPrompts(taskWith(retriever), { test, train })).rejects.toMatchObject({
      code: 'retrieve.loglikelihood_needed',
    });
    const model = { takes: 'messages', format: chatApiFormat } as const;
    const task = taskWith(retriever, { loglikelihoodModel: loglikelihoodModelOf([]), model });
    const prompts = await openPrompts(task, { test, train });
    await expect(prompts.prepare?.([query])).rejects.toMatchObject({ code: 'model.needs_text' });
  });
});
