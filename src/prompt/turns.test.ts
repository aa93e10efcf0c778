import { describe, expect, test } from 'vitest';
import { chatApiFormat, type ModelFormat, plainFormat } from './format.ts';
import { parseMetaTemplate } from './meta-template.ts';
import { spreadMedia, turnMedia } from './parts/turn-media.ts';
import { compilePrompt } from './program.ts';
import { fillPrompt } from './render.ts';
import type { Item } from './template.ts';
import { afterSpaces, compileTurns, elementAt, mentions, rowOfTurns, turnField } from './turns.ts';

const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const textFormat = (begin: string, opening?: string): ModelFormat => ({
  type: 'text',
  meta: parseMetaTemplate(
    {
      round: [
        { role: 'HUMAN', begin: 'U: ', end: '\n' },
        {
          role: 'BOT',
          begin,
          end: '\n',
          generate: true,
          ...(opening !== undefined && { opening }),
        },
      ],
    },
    'text',
    ['meta_template'],
  ),
});

function said(
  template: object,
  row: Readonly<Record<string, unknown>>,
  { turn = 1, turns = 2, format = chatApiFormat, earlier = 'data' as 'data' | 'model' } = {},
) {
  const program = compileTurns(
    { promptTemplate: { template }, outputColumn: 'a', format } as never,
    earlier,
  );
  const filled = rowOfTurns(row, { columns: program.columns, turns, media: program.media });
  const prompt = fillPrompt(program.programOf(turn, row), filled);
  if (prompt.type === 'text') return prompt.text;
  return prompt.messages.map(({ role, content }) => `${role}: ${JSON.stringify(content)}`);
}

describe('a dialogue turn by turn', () => {
  const template = { round: [human('{q}'), bot('So: {a}')] };
  const row = { q: ['Hi', 'Bye', 'Oh'], a: ['Hello', 'Ciao', 'No'] };

  test('each turn sees those before it, with their answers', () => {
    expect(said(template, row, { turn: 0 })).toEqual(['user: "Hi"']);
    expect(said(template, row, { turn: 2, turns: 3 })).toEqual([
      ...['user: "Hi"', 'assistant: "So: Hello"', 'user: "Bye"', 'assistant: "So: Ciao"'],
      'user: "Oh"',
    ]);
  });

  test('what stands around the turns is left out where a row has nothing to say in it', () => {
    const around = {
      begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: '{system}' }],
      round: [human('{q}'), bot('{a}')],
    };
    const first = (more: object) => said(around, { ...row, ...more }, { turn: 0 });
    expect(first({ system: 'Be kind.' })).toEqual(['system: "Be kind."', 'user: "Hi"']);
    expect(first({ system: '' })).toEqual(['user: "Hi"']);
    expect(first({})).toEqual(['user: "Hi"']);
  });

  test('answers of the model come after what it was given to begin with', () => {
    const answers = { ...row, a: ['mine', 'other'] };
    const format = textFormat('A:');
    expect(said(template, answers, { format, earlier: 'model' })).toBe(
      said(template, answers, { format, earlier: 'data' }),
    );
    const late = { round: [human('{q}'), bot('{a}, I think')] };
    expect(said(late, answers, { format, earlier: 'data' })).toContain('A:mine, I think');
    expect(said(late, answers, { format, earlier: 'model' })).toContain('A:mine\n');
    expect(said(late, answers, { format, earlier: 'model' })).not.toContain('I think');
  });

  test('columns of the round are lists, or the same for every turn', () => {
    expect(rowOfTurns({ q: ['a', 'b'], s: 'x' }, { columns: ['q', 's'], turns: 3 })).toEqual({
      ...{ q: ['a', 'b'], s: 'x', 'q[0]': 'a', 'q[1]': 'b' },
      ...{ 's[0]': 'x', 's[1]': 'x', 's[2]': 'x' },
    });
    expect(turnField('q', 2)).toBe('q[2]');
    expect([elementAt(['a', 'b'], 1), elementAt('a', 1)]).toEqual(['b', 'a']);
  });

  test('a turn mentions the fields that it fills in', () => {
    const { body } = compileTurns({ promptTemplate: { template }, format: chatApiFormat });
    const [question, answer] = body.round as [Item, Item];
    expect(mentions(question, 'q')).toBe(true);
    expect(mentions(question, 'a')).toBe(false);
    expect(mentions(answer, 'a')).toBe(true);
    expect(mentions(question, undefined)).toBe(false);
    expect(mentions({ type: 'text', nodes: [], path: [] }, 'q')).toBe(false);
  });
});

describe('spaces before an answer that were left to the model', () => {
  const program = (template: unknown, format: ModelFormat) =>
    compilePrompt({ promptTemplate: { template } as never, outputColumn: 'a', format });
  const round = { round: [human('{q}'), bot('{a}')] };

  test.each([
    ['the template dropped them', program('A: {a}', plainFormat), ' 2', '2'],
    ['only as many as it dropped', program('A: {a}', plainFormat), '  2', ' 2'],
    ['an answer without them', program('A: {a}', plainFormat), '2', '2'],
    ['a template without any', program('A:{a}', plainFormat), ' 2', ' 2'],
    ['the format leaves them to the model', program(round, textFormat('B: ', 'B:')), ' 2', '2'],
    [
      'the format leaves a mark to the model',
      program(round, textFormat('B: x', 'B:')),
      ' x2',
      ' x2',
    ],
    ['the format opens otherwise', program(round, textFormat('B: ', 'C:')), ' 2', ' 2'],
    ['a format without any', program(round, textFormat('B:')), ' 2', ' 2'],
    ['a chat', program(round, chatApiFormat), ' 2', ' 2'],
    [
      'an answer that the template begins',
      program({ round: [human('{q}'), bot('So{a}')] }, textFormat('B: ', 'B:')),
      ' 2',
      ' 2',
    ],
  ])('%s', (_, compiled, answer, expected) => {
    expect(afterSpaces(answer, compiled)).toBe(expected);
  });
});

describe('media of turns', () => {
  const question = { role: 'HUMAN', prompt_mm: { image: '{picture}', text: '{q}' } };
  const { body } = compileTurns({
    promptTemplate: {
      type: 'MMPromptTemplate',
      template: { round: [question, bot('{a}')] },
    } as never,
    format: chatApiFormat,
  });
  const media = turnMedia(body.round);
  const spread = (row: Readonly<Record<string, unknown>>, turns = 2) =>
    spreadMedia(row, media, turns).picture;

  test('a picture is shown first, a list turn by turn, and marks say where they belong', () => {
    expect(spread({ q: ['a', 'b'], picture: 'p.png' })).toEqual(['p.png', []]);
    expect(spread({ q: ['a', 'b', 'c'], picture: 'p.png' }, 3)).toEqual(['p.png', [], []]);
    expect(spread({ q: ['a', 'b'], picture: ['p.png', 'r.png'] })).toEqual(['p.png', 'r.png']);
    expect(spread({ q: ['a', '<image>b'], picture: 'p.png' })).toEqual([[], ['p.png']]);
    expect(
      spread({ q: ['<image>a<image>', '<image>b'], picture: ['p.png', 'r.png', 's.png'] }),
    ).toEqual([['p.png', 'r.png'], ['s.png']]);
    expect(spread({ q: ['<image>', 'b'], picture: [['p.png'], []] })).toEqual([['p.png'], []]);
    expect(spread({ q: '<image>a', picture: 'p.png' })).toEqual([['p.png'], []]);
  });

  test('as many pictures as marks, and a picture at all', () => {
    expect(() => spread({ q: ['<image>', '<image>'], picture: 'p.png' })).toThrow();
    expect(() => spread({ q: ['<image>', ''], picture: ['p.png', 'r.png'] })).toThrow();
    expect(() => spread({ q: ['a', 'b'], picture: '' })).toThrow();
    expect(() => spread({ q: ['a', 'b'] })).toThrow();
  });

  test('a round without media changes nothing', () => {
    const row = { q: 'a' };
    expect(spreadMedia(row, { parts: [], texts: [] }, 2)).toBe(row);
  });
});
