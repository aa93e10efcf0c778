import { describe, expect, it } from 'vitest';
import { chatApiFormat, plainFormat, type Row } from '../prompt/index.ts';
import type { PromptTask } from './prompt-task.ts';
import { prepareTaskPrompts } from './task-prompts.ts';

const train = Array.from({ length: 5 }, (_, id) => ({ id, row: { q: `q${id}`, a: `a${id}` } }));
const test = [{ id: 0, row: { q: 'Q', a: 'gold' } }];
const task: PromptTask = {
  promptTemplate: {
    config: { template: '</E>{q}=', ice_token: '</E>' },
    source: ['prompt_template'],
  },
  iceTemplate: { config: { template: '{q}={a}' }, source: ['ice_template'] },
  inputColumns: ['q'],
  outputColumn: 'a',
  retriever: { type: 'FixKRetriever', fixIdList: [0, 1, 2], source: ['retriever'] },
  inferencer: { type: 'GenInferencer' },
  model: { takes: 'text', format: plainFormat },
};
const query = { id: 0, row: { q: 'Q', a: 'gold' }, index: 0 };

describe('the context limit', () => {
  const limited = (maxTokens: number) =>
    prepareTaskPrompts(
      {
        ...task,
        context: {
          maxTokens,
          countTokens: (prompt) => (prompt.type === 'text' ? prompt.text.length : 0),
        },
      },
      { test, train },
    ).promptOf(query);

  it.each([
    [100, 'q0=a0\nq1=a1\nq2=a2\nQ=', 0],
    [14, 'q0=a0\nq1=a1\nQ=', 1],
    [8, 'q0=a0\nQ=', 2],
    [1, 'Q=', 3],
  ])('of %d leaves out the last examples until the prompt fits', (maxTokens, text, dropped) => {
    expect(limited(maxTokens)).toEqual({ prompt: { type: 'text', text }, dropped });
  });
});

describe('what is shown', () => {
  it('is what is sent', () => {
    const prompts = prepareTaskPrompts(task, { test, train });
    const [shown] = prompts.trace(0);
    const text =
      shown?.prompt.type === 'text' ? shown.prompt.spans.map((span) => span.text).join('') : '';
    expect(prompts.promptOf(query).prompt).toEqual({ type: 'text', text });
    expect(prompts.fill(0)).toEqual([{ type: 'text', text }]);
  });
});

describe('labels', () => {
  const ppl = { ...task, inferencer: { type: 'PPLInferencer' } };

  it('are taken from the data where nothing else gives them, in order', () => {
    const rows = ['b', 'a', 'b'].map((a, id) => ({ id, row: { q: `${id}`, a } }));
    const config = { template: '</E>{q}={a}', ice_token: '</E>' };
    const own = { ...ppl, promptTemplate: { config, source: ['prompt_template'] } };
    const prompts = prepareTaskPrompts(own, { test: rows, train });
    expect(prompts.labels).toEqual(['b', 'a']);
    expect(
      prompts.fill(0).map((prompt) => prompt.type === 'text' && prompt.text.slice(-4)),
    ).toEqual(['\n0=b', '\n0=a']);
  });
});

describe.each(['opencompass', 'aisbench'] as const)('compat %s', (compat) => {
  it('keeps its quirks', () => {
    const filledTwice = [{ id: 0, row: { q: 'see {q}', a: '1' } }];
    const own = {
      ...task,
      compat,
      retriever: { ...task.retriever, fixIdList: [0] },
      model: { takes: 'messages' as const, format: chatApiFormat },
    };
    const prompts = prepareTaskPrompts(own, { test, train: filledTwice });
    expect(prompts.promptOf(query).prompt).toEqual({
      type: 'messages',
      messages: [{ role: 'user', content: 'see Q=1\nQ=' }],
    });
  });
});

describe('a column that some rows lack', () => {
  const gapped = [...train.slice(0, 1), { id: 7, row: { q: 'q7' } }];
  const ask = (row: Row, pool = train) =>
    prepareTaskPrompts(
      { ...task, retriever: { ...task.retriever, fixIdList: [0, 1] } },
      { test, train: pool },
    ).promptOf({ id: 1, row, index: 1 });

  it.each([
    [{ a: '1' }, train, 'the row has no column `q`'],
    [{ q: undefined, a: '1' }, train, 'the row has no column `q`'],
    [{ q: 'Q', a: '1' }, gapped, 'its example, row 7, has no column `a`'],
  ])('%j is refused', (row, pool, message) => {
    expect(() => ask(row, pool as typeof train)).toThrow(message);
  });

  it('may be the hidden answer of a row, or hold nothing', () => {
    const text = 'q0=a0\nq1=a1\n';
    expect(ask({ q: 'Q' }).prompt).toEqual({ type: 'text', text: `${text}Q=` });
    expect(ask({ q: '', a: '1' }).prompt).toEqual({ type: 'text', text: `${text}=` });
    expect(ask({ q: null, a: '1' }).prompt).toEqual({ type: 'text', text: `${text}null=` });
  });

  it('is told apart from text in braces', () => {
    const promptTemplate = { config: { template: '{q} {json}=' }, source: ['prompt_template'] };
    const { promptOf } = prepareTaskPrompts(
      {
        ...task,
        promptTemplate,
        iceTemplate: undefined,
        retriever: { type: 'ZeroRetriever', source: [] },
      },
      { test, train },
    );
    expect(promptOf(query).prompt).toEqual({ type: 'text', text: 'Q {json}=' });
  });

  it('is remarked on where prompts are shown', () => {
    const rows = [...test, { id: 1, row: { a: '1' } }];
    const { checkRow } = prepareTaskPrompts(task, { test: rows, train });
    const codes = (index: number) => checkRow(index).map(({ code }) => code);
    expect([codes(0), codes(1)]).toEqual([[], ['data.missing_column']]);
  });
});
