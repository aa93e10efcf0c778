import { describe, expect, it } from 'vitest';
import { chatApiFormat, plainFormat } from '../../prompt/format.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import { openPrompts } from '../evaluation-prompts.ts';
import type { PartRequest, ScoredPart } from '../inference.ts';
import type { PromptSetup } from '../prompt-setup.ts';

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const row = { question: ['1+1=?', '2+2=?', '3+3=?'], answer: ['2', '4', '6'] };

function taskOf(
  inferencer: Partial<PromptSetup['inferencer']>,
  template: object = { round },
): PromptSetup {
  return {
    promptTemplate: {
      config: { type: 'MultiTurnPromptTemplate', template },
      source: ['prompt_template'],
    },
    inputColumns: ['question'],
    outputColumn: 'answer',
    retriever: { type: 'ZeroRetriever', source: ['retriever'] },
    inferencer: { type: 'MultiTurnGenInferencer', ...inferencer },
    model: { takes: 'messages', format: chatApiFormat },
  };
}

function said(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages.map(({ role, content }) => `${role}: ${content}`).join(' | ');
}

/** Plays the model, which numbers its answers. */
async function play(task: PromptSetup, data: Record<string, unknown> = row) {
  const { dialogue } = await openPrompts(task, { test: [{ id: 0, row: data }], train: [] });
  if (!dialogue) throw new Error('no dialogue');
  const query = { id: 0, position: 0, row: data };
  const answered: (PartRequest & ScoredPart)[] = [];
  const answers: string[] = [];
  const sent: string[] = [];
  for (;;) {
    const [part] = dialogue.next(query, answers);
    if (!part)
      return { sent, answered, combined: dialogue.combine(answered, query), dialogue, query };
    if (part.request.type === 'generate') sent.push(said(part.request.prompt));
    const text = `<think>hm</think>answer${answered.length + 1}`;
    const value = answered.length % 2;
    answers.push(text);
    answered.push({
      ...part,
      text,
      score: { type: 'scored', value, extracted: text, compared: { got: '', want: '' } },
    });
  }
}

describe('a dialogue', () => {
  it.each([
    [
      'every' as const,
      [
        'user: 1+1=?',
        'user: 1+1=? | assistant: answer1 | user: 2+2=?',
        'user: 1+1=? | assistant: answer1 | user: 2+2=? | assistant: answer2 | user: 3+3=?',
      ],
    ],
    [
      'every_with_gt' as const,
      [
        'user: 1+1=?',
        'user: 1+1=? | assistant: 2 | user: 2+2=?',
        'user: 1+1=? | assistant: 2 | user: 2+2=? | assistant: 4 | user: 3+3=?',
      ],
    ],
    ['last' as const, ['user: 1+1=? | assistant: 2 | user: 2+2=? | assistant: 4 | user: 3+3=?']],
  ])('with infer_mode %s sends what document 000 shows', async (inferMode, expected) => {
    expect((await play(taskOf({ inferMode }))).sent).toEqual(expected);
  });

  it('knows the number and the gold answer of each turn', async () => {
    const { answered } = await play(taskOf({}));
    expect(answered.map(({ name, gold }) => [name, gold])).toEqual([
      [1, '2'],
      [2, '4'],
      [3, '6'],
    ]);
    const last = await play(taskOf({ inferMode: 'last' }));
    expect(last.answered.map(({ name }) => name)).toEqual([3]);
  });

  it('is scored by the mean over its turns', async () => {
    expect((await play(taskOf({}))).combined.score).toMatchObject({
      value: 1 / 3,
      metrics: { turn_1: 0, turn_2: 1, turn_3: 0, all_turns: 0 },
    });
  });

  it('takes any columns, in begin and round; a value is text whatever it looks like', async () => {
    const template = {
      begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Be {style}.' }],
      round: [
        { role: 'HUMAN', prompt: '{style} {ask}' },
        { role: 'BOT', prompt: '{reply}' },
      ],
    };
    const task = { ...taskOf({ inferMode: 'last' }, template), outputColumn: 'reply' };
    const data = { style: 'kind', ask: ['{reply}', 'b'], reply: ['{ask}', 'd'] };
    expect((await play(task, data)).sent).toEqual([
      'system: Be kind. | user: kind {reply} | assistant: {ask} | user: kind b',
    ]);
  });

  it('without a format is lines of text', async () => {
    const task = { ...taskOf({}), model: { takes: 'text', format: plainFormat } as const };
    expect((await play(task)).sent[1]).toBe('1+1=?\nanswer1\n2+2=?\n');
  });

  it('may limit the answer of each turn', async () => {
    const { answered } = await play(taskOf({ maxOutLens: [5, 9] }));
    expect(answered.map(({ request }) => request.type === 'generate' && request.maxOutLen)).toEqual(
      [5, 9, 9],
    );
  });

  it('has another identity when anything that it will be asked changes', async () => {
    const identity = async (task: PromptSetup, data: Record<string, unknown> = row) => {
      const { dialogue, query } = await play(task, data);
      return dialogue.identityOf(query);
    };
    const usual = await identity(taskOf({}));
    expect(await identity(taskOf({}))).toBe(usual);
    const others = [
      await identity(taskOf({ inferMode: 'every_with_gt' })),
      await identity(taskOf({ maxOutLens: [3] })),
      await identity(taskOf({}), { ...row, question: ['1+1=?', '2+2=?', '3+4=?'] }),
      await identity(taskOf({}, { round: [{ role: 'HUMAN', prompt: 'Q {question}' }, round[1]] })),
    ];
    expect(new Set([usual, ...others]).size).toBe(5);
  });

  it.each([
    ['data.uneven_turns', { question: ['a', 'b'], answer: ['c'] }],
    ['data.no_turns', { question: 'a', answer: 'b' }],
    ['data.no_turns', { question: [], answer: [] }],
  ])('refuses a row with %s', async (code, data) => {
    await expect(play(taskOf({}), data)).rejects.toMatchObject({ code });
  });

  it.each([
    ['template.turns_need_a_round', '{question}'],
    ['template.turns_need_answers', { round: [round[0]] }],
  ])('refuses a template with %s', async (code, template) => {
    await expect(play(taskOf({}, template as object))).rejects.toMatchObject({ code });
  });
});

describe('right answers of a dialogue of messages', () => {
  const messages = [
    { role: 'user', content: '1+1=?' },
    { role: 'assistant', content: 'two' },
    { role: 'user', content: '2+2=?' },
    { role: 'assistant', content: 'four' },
  ];
  const task: PromptSetup = {
    inputColumns: ['dialogue'],
    outputColumn: 'answer',
    retriever: { type: 'ZeroRetriever', source: ['retriever'] },
    inferencer: { type: 'ChatInferencer', inferMode: 'every' },
    model: { takes: 'messages', format: chatApiFormat },
  };

  it.each<[string, unknown, unknown[]]>([
    ['one for each turn', ['2', '4'], ['2', '4']],
    ['fewer than turns', ['2'], ['two', 'four']],
    ['more than turns', ['2', '4', '6'], ['two', 'four']],
    ['one for all', '4', ['two', 'four']],
    ['none', null, ['two', 'four']],
  ])('%s', async (_, answer, golds) => {
    const { answered } = await play(task, { dialogue: messages, answer });
    expect(answered.map(({ gold }) => gold)).toEqual(golds);
  });

  it.each<[string, unknown, unknown]>([
    ['a list', ['2', '4', '6'], ['2', '4', '6']],
    ['a text', '4', '4'],
    ['none', null, 'four'],
  ])('of the last turn alone: %s', async (_, answer, gold) => {
    const last: PromptSetup = {
      ...task,
      inferencer: { type: 'ChatInferencer', inferMode: 'last' },
    };
    const { answered } = await play(last, { dialogue: messages, answer });
    expect(answered.map((part) => part.gold)).toEqual([gold]);
  });
});

describe('what turns see of lists', () => {
  it.each<[string, unknown, unknown[]]>([
    ['as long as the dialogue', ['a', 'b', 'c'], ['a', 'b', 'c']],
    ['longer', ['a', 'b', 'c', 'd'], Array(3).fill(['a', 'b', 'c', 'd'])],
    ['shorter', ['a'], Array(3).fill(['a'])],
  ])('a list that is %s', async (_, more, seen) => {
    const { answered } = await play(taskOf({ inferMode: 'every' }), { ...row, more });
    expect(answered.map((part) => part.row.more)).toEqual(seen);
  });

  it.each([
    [[7], [7, 7, 7]],
    [
      [7, 8],
      [7, 8, 8],
    ],
    [
      [7, 8, 9],
      [7, 8, 9],
    ],
    [
      [7, 8, 9, 10],
      [7, 8, 9],
    ],
  ])('limits %j of answers', async (maxOutLens, limits) => {
    const { answered } = await play(taskOf({ inferMode: 'every', maxOutLens }));
    const sent = answered.map(({ request }) => 'maxOutLen' in request && request.maxOutLen);
    expect(sent).toEqual(limits);
  });
});
