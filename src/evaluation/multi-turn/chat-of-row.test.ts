import { describe, expect, test } from 'vitest';
import { chatApiFormat } from '../../prompt/format.ts';
import type { Row } from '../../prompt/values.ts';
import type { PromptSetup } from '../prompt-setup.ts';
import { arrange, isDialogue } from '../task-prompts.ts';
import { chatReader } from './chat-of-row.ts';

interface Given {
  readonly columns?: readonly string[];
  readonly template?: unknown;
  readonly output?: string | undefined;
  readonly mode?: string;
}

function setup({ columns = ['question'], template, output = 'answer', mode }: Given): PromptSetup {
  return {
    model: { format: chatApiFormat },
    inferencer: { type: 'ChatInferencer', inferMode: mode },
    inputColumns: columns,
    outputColumn: output,
    promptTemplate: template && { config: { template }, source: ['prompt_template'] },
    retriever: { source: ['datasets', 0, 'infer_cfg', 'retriever'] },
  } as unknown as PromptSetup;
}

function chat(row: Row, given: Given = {}) {
  const reader = chatReader(setup(given), { test: [{ id: 0, row }] } as never);
  return reader.chatOf({ id: 0, row, position: 0 } as never);
}

const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });
const codeOf = (run: () => unknown) => {
  try {
    run();
    return 'none';
  } catch (error) {
    return (error as { code?: string }).code;
  }
};

describe('chats of rows', () => {
  test('a list of questions has a turn for each, with its own right answer', () => {
    const row = { question: ['1?', '2?', '3?'], answer: ['a', 'b', ''] };
    const found = chat(row);
    expect(found.turns).toBe(3);
    expect([0, 1, 2, 3].map((turn) => found.goldOf(turn, false))).toEqual([
      'a',
      'b',
      '',
      undefined,
    ]);
    expect(found.rowOf(1)).toMatchObject({ question: '2?', answer: 'b' });
  });

  test('a question alone has one turn', () => {
    const found = chat({ question: '1?', answer: 'a' });
    expect([found.turns, found.goldOf(0, true), found.goldOf(0, false)]).toEqual([1, 'a', 'a']);
  });

  test('messages of a column: what is asked, and the right answers', () => {
    const messages = [user('1?'), assistant('a'), user('2?'), assistant('b')];
    const found = chat({ question: messages });
    expect(found.turns).toBe(2);
    expect([0, 1].map((turn) => found.goldOf(turn, false))).toEqual(['a', 'b']);
    // A list of right answers as long as the chat, or one for what alone is asked.
    const listed = chat({ question: messages, answer: ['x', 'y'] });
    expect([0, 1].map((turn) => listed.goldOf(turn, false))).toEqual(['x', 'y']);
    const longer = chat({ question: messages, answer: ['x', 'y', 'z'] });
    expect(longer.goldOf(0, false)).toBe('a');
    const one = chat({ question: messages, answer: 'x' });
    expect([one.goldOf(1, true), one.goldOf(1, false)]).toEqual(['x', 'b']);
    for (const nothing of [null, '', undefined]) {
      expect(chat({ question: messages, answer: nothing }).goldOf(1, true)).toBe('b');
    }
  });

  test('messages that end with a question are asked once more', () => {
    const found = chat({ question: [user('1?')], answer: 'x' });
    expect([found.turns, found.goldOf(0, false)]).toEqual([1, 'x']);
    expect(chat({ question: [user('1?')] }).goldOf(0, false)).toBeUndefined();
  });

  test('messages may be written as JSON, and by other names of roles', () => {
    const json = JSON.stringify([user('1?'), assistant('a')]);
    expect(chat({ question: ` ${json}` }).goldOf(0, false)).toBe('a');
    const named = [
      { role: 'HUMAN', content: '1?' },
      { role: 'BOT', content: 'a' },
    ];
    expect(chat({ question: named }).goldOf(0, false)).toBe('a');
    expect(chat({ question: '[1, 2', answer: 'x' }).turns).toBe(1);
    expect(chat({ question: '[]', answer: 'x' }).turns).toBe(1);
  });

  test('the column of messages: the one that is said alone, the only one, or `dialogue`', () => {
    const messages = [user('1?'), assistant('a')];
    const columns = ['topic', 'dialogue'];
    expect(chat({ topic: 't', dialogue: messages }, { columns }).goldOf(0, false)).toBe('a');
    const template = {
      round: [
        { role: 'HUMAN', prompt: ' {talk} ' },
        { role: 'BOT', prompt: '' },
      ],
    };
    const two = { columns: ['topic', 'talk'], template };
    expect(chat({ topic: 't', talk: messages }, two).goldOf(0, false)).toBe('a');
    const beside = {
      columns: ['talk'],
      template: {
        round: [
          { role: 'HUMAN', prompt: 'So: {talk}' },
          { role: 'BOT', prompt: '' },
        ],
      },
    };
    expect(codeOf(() => chat({ talk: messages }, beside))).toBe('template.chat_and_text');
    expect(codeOf(() => chat({ a: '1', b: '2' }, { columns: ['a', 'b'] }))).toBe(
      'template.missing',
    );
  });

  test.each([
    ['a role that is none', [{ role: 'x', content: 'a' }]],
    ['no text', [{ role: 'user', content: 5 }]],
    ['no content of a question', [{ role: 'user' }]],
    ['an answer and nothing to ask', [assistant('a')]],
    ['what would not be sent', [{ ...user('1?'), tool_calls: [{ id: 'a' }] }]],
  ])('%s is refused', (_, messages) => {
    expect(codeOf(() => chat({ question: messages }))).toBe('data.not_messages');
  });

  test('an answer that is left open has no text of its own', () => {
    const open = [user('1?'), { role: 'assistant' }];
    expect(chat({ question: open, answer: 'x' }).goldOf(0, true)).toBe('x');
    const between = [user('1?'), { role: 'assistant' }, user('2?')];
    expect(codeOf(() => chat({ question: between }))).toBe('data.not_messages');
    expect(chat({ question: between }, { mode: 'every' }).turns).toBe(2);
  });

  test('a chat that begins with an answer is read to its last one alone', () => {
    const messages = [assistant('Hello'), user('1?'), assistant('a')];
    expect(chat({ question: messages }).goldOf(1, true)).toBe('a');
    expect(codeOf(() => chat({ question: messages }, { mode: 'every' }))).toBe('data.not_messages');
  });

  test('columns have values, and as many answers as questions', () => {
    expect(codeOf(() => chat({ question: null, answer: 'x' }))).toBe('data.missing_column');
    expect(codeOf(() => chat({ answer: 'x' }))).toBe('data.missing_column');
    expect(codeOf(() => chat({ question: ['1?', '2?'], answer: 'x' }))).toBe('data.not_a_chat');
    expect(chat({ question: ['1?', '2?'] }).turns).toBe(2);
    expect(
      chat({ question: ['1?', '2?'] }, { output: undefined }).goldOf(0, false),
    ).toBeUndefined();
  });
});

describe('which tasks are dialogues', () => {
  const multi = { config: { type: 'MultiTurnPromptTemplate' } };
  const other = { config: { type: 'PromptTemplate' } };
  test.each([
    [{ promptTemplate: multi }, true],
    [{ iceTemplate: multi }, true],
    [{ promptTemplate: other, iceTemplate: multi }, false],
    [{ promptTemplate: multi, compat: 'opencompass' }, false],
    [{ inferencer: { type: 'ChatInferencer' } }, true],
    [{ inferencer: { type: 'MultiTurnGenInferencer' } }, false],
    [{ inferencer: { type: 'GenInferencer' } }, false],
    [{ inferencer: { type: 'MultiTurnGenInferencer' }, compat: 'opencompass' }, true],
    [{ inferencer: { type: 'ChatInferencer' }, compat: 'opencompass' }, true],
    [{ inferencer: { type: 'GenInferencer' }, compat: 'opencompass' }, false],
    [{ compat: 'opencompass' }, false],
    [{}, false],
  ])('%j: %s', (signs, expected) => {
    expect(isDialogue(signs as never)).toBe(expected);
  });

  test('they take no other form of examples, and neither does compat', async () => {
    const path = ['datasets', 0, 'infer_cfg', 'shots_as'];
    await expect(arrange(setup({}))).rejects.toMatchObject({
      code: 'config.conflicting_keys',
      path,
      message: expect.stringContaining('a ChatInferencer with several turns'),
    });
    const compat = { ...setup({}), inferencer: { type: 'GenInferencer' }, compat: 'opencompass' };
    await expect(arrange(compat as never)).rejects.toMatchObject({
      path,
      message: expect.stringContaining('compat: opencompass'),
    });
  });
});
