import { describe, expect, it } from 'vitest';
import { chatApiFormat, formatOf, plainFormat } from '../prompt/format.ts';
import type { Row } from '../prompt/values.ts';
import { openPrompts } from './evaluation-prompts.ts';
import type { PromptSetup } from './prompt-setup.ts';

const train = Array.from({ length: 5 }, (_, id) => ({ id, row: { q: `q${id}`, a: `a${id}` } }));
const test = [{ id: 0, row: { q: 'Q', a: 'gold' } }];
const task: PromptSetup = {
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
const query = { id: 0, row: { q: 'Q', a: 'gold' }, position: 0 };

describe('the context limit', () => {
  const limited = async (maxTokens: number) => {
    const { promptOf } = await openPrompts(
      {
        ...task,
        context: {
          maxTokensOf: () => maxTokens,
          countTokens: (prompt) => (prompt.type === 'text' ? prompt.text.length : 0),
        },
      },
      { test, train },
    );
    return promptOf(query);
  };

  it.each([
    [100, 'q0=a0\nq1=a1\nq2=a2\nQ=', [0, 1, 2], false],
    [14, 'q0=a0\nq1=a1\nQ=', [0, 1], false],
    [8, 'q0=a0\nQ=', [0], false],
    [2, 'Q=', [], false],
    [1, 'Q=', [], true],
  ])(
    'of %d leaves out the last examples until the prompt fits',
    async (maxTokens, text, shots, tooLong) => {
      const dropped = 3 - shots.length;
      const prompt = { type: 'text', text };
      expect(await limited(maxTokens)).toEqual({ prompt, shots, dropped, tooLong });
    },
  );
});

describe('what is shown', () => {
  it('is what is sent', async () => {
    const prompts = await openPrompts(task, { test, train });
    const { prompt, shots } = prompts.promptOf(query);
    const shown = prompts.traceOf(query, shots).prompt;
    const text = shown.type === 'text' ? shown.spans.map((span) => span.text).join('') : '';
    expect(prompt).toEqual({ type: 'text', text });
    expect(prompts.examplesAt(shots)).toEqual(train.slice(0, 3));
  });
});

describe('labels', () => {
  const ppl = { ...task, inferencer: { type: 'PPLInferencer' } };

  it('are taken from the data where nothing else gives them, in order', async () => {
    const rows = ['b', 'a', 'b'].map((a, id) => ({ id, row: { q: `${id}`, a } }));
    const config = { template: '</E>{q}={a}', ice_token: '</E>' };
    const own = { ...ppl, promptTemplate: { config, source: ['prompt_template'] } };
    const prompts = await openPrompts(own, { test: rows, train });
    expect(prompts.labels).toEqual(['b', 'a']);
    const row = { id: 0, row: { q: '0', a: 'b' }, position: 0 };
    const { labels, shots, dropped } = prompts.labelPromptsOf(row);
    expect([shots, dropped]).toEqual([[0, 1, 2], 0]);
    expect(
      labels.map(({ prompt, ...label }) => [
        label.label,
        prompt.type === 'text' && prompt.text.slice(-4),
        prompt.type === 'text' && prompt.text.slice(label.answerStart),
      ]),
    ).toEqual([
      ['b', '\n0=b', 'b'],
      ['a', '\n0=a', 'a'],
    ]);
  });

  it.each([
    [
      ['Is it? yes', 'Is it? no'],
      ['yes', 'no'],
    ],
    [
      ['So (A) it is', 'So (B) it is'],
      ['(A) it is', '(B) it is'],
    ],
    [
      ['问题：好吗？答案：好', '问题：好吗？答案：坏'],
      ['好', '坏'],
    ],
    [
      ['この文は肯定的です', 'この文は否定的です'],
      ['肯定的です', '否定的です'],
    ],
    [
      ['答案是A', '答案是B'],
      ['A', 'B'],
    ],
  ])('of %j differ from where their words do', async (texts, answers) => {
    const config = { template: Object.fromEntries(texts.map((text, index) => [index, text])) };
    const own = {
      ...ppl,
      iceTemplate: undefined,
      retriever: { type: 'ZeroRetriever', source: [] },
      promptTemplate: { config, source: ['prompt_template'] },
    } as typeof ppl;
    const prompts = await openPrompts(own, { test, train: [] });
    const { labels } = prompts.labelPromptsOf({ id: 0, row: { q: '0', a: '0' }, position: 0 });
    expect(
      labels.map(({ prompt, answerStart }) =>
        prompt.type === 'text' ? prompt.text.slice(answerStart) : prompt,
      ),
    ).toEqual(answers);
  });
});

describe.each(['opencompass', 'aisbench'] as const)('compat %s', (compat) => {
  it('keeps its quirks', async () => {
    const filledTwice = [{ id: 0, row: { q: 'see {q}', a: '1' } }];
    const own = {
      ...task,
      compat,
      retriever: { ...task.retriever, fixIdList: [0] },
      model: { takes: 'messages' as const, format: chatApiFormat },
    };
    const prompts = await openPrompts(own, { test, train: filledTwice });
    expect(prompts.promptOf(query).prompt).toEqual({
      type: 'messages',
      messages: [{ role: 'user', content: 'see Q=1\nQ=' }],
    });
  });
});

describe('a column that some rows lack', () => {
  const gapped = [...train.slice(0, 1), { id: 7, row: { q: 'q7' } }];
  const ask = async (row: Row, pool = train) => {
    const { promptOf } = await openPrompts(
      { ...task, retriever: { ...task.retriever, fixIdList: [0, 1] } },
      { test, train: pool },
    );
    return promptOf({ id: 1, row, position: 1 });
  };

  it.each([
    [{ a: '1' }, train, 'the row has no column `q`'],
    [{ q: undefined, a: '1' }, train, 'the row has no column `q`'],
    [{ q: 'Q', a: '1' }, gapped, 'its example, row 7, has no column `a`'],
    [{ q: null, a: '1' }, train, '`q` is null and would be sent as text'],
    [{ q: 'Q', a: '1' }, [{ id: 8, row: { q: 'q8', a: null } }, ...train], '`a` is null'],
  ])('%j is refused', async (row, pool, message) => {
    await expect(ask(row, pool as typeof train)).rejects.toThrow(message);
  });

  it('may be the hidden answer of a row, or hold an empty text', async () => {
    const text = 'q0=a0\nq1=a1\n';
    expect((await ask({ q: 'Q' })).prompt).toEqual({ type: 'text', text: `${text}Q=` });
    expect((await ask({ q: '', a: '1' })).prompt).toEqual({ type: 'text', text: `${text}=` });
  });

  it('is told apart from text in braces', async () => {
    const promptTemplate = { config: { template: '{q} {json}=' }, source: ['prompt_template'] };
    const { promptOf } = await openPrompts(
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

  it('is remarked on where prompts are shown', async () => {
    const { checkRow } = await openPrompts(task, { test, train });
    const codes = (row: Row) => checkRow({ id: 1, row, position: 1 }).map(({ code }) => code);
    expect([codes(query.row), codes({ a: '1' })]).toEqual([[], ['data.missing_column']]);
  });
});

describe('what is asked of a model', () => {
  const dialogue = {
    round: [
      { role: 'HUMAN', prompt: '{q}' },
      { role: 'BOT', prompt: '{a}' },
    ],
  };
  const metaTemplate = {
    round: [
      { role: 'HUMAN', begin: 'H:' },
      { role: 'BOT', begin: 'B:', end: '!', generate: true },
    ],
  };
  const format = formatOf({ takes: 'text', metaTemplate, path: ['meta_template'] });

  it.each([
    ['GenInferencer', 'gen', 'H:QB:'],
    ['PPLOnlyInferencer', 'ppl', 'H:QB:!'],
    ['PPLInferencer', 'ppl', undefined],
    ['LLInferencer', 'ppl', undefined],
  ] as const)('by a %s', async (type, mode, text) => {
    const template = text === undefined ? { gold: dialogue } : dialogue;
    const prompts = await openPrompts(
      {
        ...task,
        promptTemplate: { config: { template }, source: ['prompt_template'] },
        iceTemplate: undefined,
        retriever: { type: 'ZeroRetriever', source: ['retriever'] },
        inferencer: { type },
        model: { takes: 'text', format },
      },
      { test, train },
    );
    expect(prompts.mode).toBe(mode);
    if (text !== undefined) {
      expect(prompts.promptOf(query).prompt).toMatchObject({ type: 'text', text });
    }
  });
});
