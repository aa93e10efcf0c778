import { describe, expect, it } from 'vitest';
import {
  compileLabelPrompts,
  compilePrompt,
  type PromptSettings,
} from '../../src/prompt/program.ts';
import { plainPromptList, tracePromptList } from '../../src/prompt/prompt-list.ts';
import { createShotPool, fillPrompt } from '../../src/prompt/render.ts';

const row = { anything: 'blabla', question: '1+1=?', answer: '2' };
const examples = [
  { question: '2+2=?', answer: '4', irrelavent_infos: 'blabla' },
  { question: '3+3=?', answer: '6', irrelavent_infos: 'blabla' },
].map((example, id) => ({ id, row: example }));
const testRow = { question: '1+1=?', answer: '2', irrelavent_infos: 'blabla' };

function promptList(settings: PromptSettings, data = row as Record<string, unknown>) {
  const program = compilePrompt({ outputColumn: 'answer', ...settings });
  return plainPromptList(tracePromptList(program, { id: 0, row: data }));
}

function fewShot(settings: PromptSettings, ids = [0, 1]) {
  const program = compilePrompt({ outputColumn: 'answer', hasShots: ids.length > 0, ...settings });
  const shots = createShotPool(program, examples)?.take(ids);
  return {
    list: plainPromptList(tracePromptList(program, { id: 2, row: testRow }, shots)),
    prompt: fillPrompt(program, testRow, shots),
  };
}

const human = (prompt: string) => ({ role: 'HUMAN', prompt });
const bot = (prompt: string) => ({ role: 'BOT', prompt });
const system = { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Solve the following questions.' };

describe('string templates', () => {
  const template = '{anything}\nQuestion: {question}\nAnswer: {answer}';

  it('fills every field and hides the answer (document 000)', () => {
    expect(promptList({ promptTemplate: { template } })).toBe('blabla\nQuestion: 1+1=?\nAnswer:');
  });

  it('leaves a field that the row lacks as it is (document 001)', () => {
    const data = { question: '1+1=?', answer: '2', irrelavent_infos: 'blabla' };
    expect(promptList({ promptTemplate: { template } }, data)).toBe(
      '{anything}\nQuestion: 1+1=?\nAnswer:',
    );
  });
});

describe('dialogue templates', () => {
  const round = [human('Question: {question}'), bot('Answer: {answer}')];
  const cases: [string, unknown, unknown[]][] = [
    ['ordinary dialogue', { round }, [human('Question: 1+1=?'), bot('Answer: ')]],
    [
      'several rounds',
      {
        round: [
          human('Question: 2+2=?'),
          bot('Answer: 4'),
          human('Question: 3+3=?'),
          bot('Answer: 6'),
          ...round,
        ],
      },
      [
        human('Question: 2+2=?'),
        bot('Answer: 4'),
        human('Question: 3+3=?'),
        bot('Answer: 6'),
        human('Question: 1+1=?'),
        bot('Answer: '),
      ],
    ],
    [
      'dialogue with SYSTEM',
      { begin: [system], round },
      [system, human('Question: 1+1=?'), bot('Answer: ')],
    ],
  ];
  it.each(cases)('%s', (_name, template, expected) => {
    expect(promptList({ promptTemplate: { template } })).toEqual(expected);
  });
});

describe('templates for PPLInferencer', () => {
  const data = { A: 'one', B: 'two', C: 'three' };
  const question = 'Question: Which is true?\nA. {A}\nB. {B}\nC. {C}';
  const filled = 'Question: Which is true?\nA. one\nB. two\nC. three';
  const answers: Record<string, string> = { A: 'A', B: 'B', C: 'C', UNK: 'None of them is true.' };

  it('one string per label', () => {
    const template = Object.fromEntries(
      Object.entries(answers).map(([label, answer]) => [label, `${question}\nAnswer: ${answer}`]),
    );
    const programs = compileLabelPrompts({ promptTemplate: { template } });
    expect(programs.map(({ label }) => label)).toEqual(['A', 'B', 'C', 'UNK']);
    expect(programs.map(({ program }) => fillPrompt(program, data))).toEqual(
      Object.values(answers).map((answer) => ({
        type: 'text',
        text: `${filled}\nAnswer: ${answer}`,
      })),
    );
  });

  it('one dialogue per label', () => {
    const template = Object.fromEntries(
      Object.entries(answers).map(([label, answer]) => [
        label,
        { round: [human(question), bot(`Answer: ${answer}`)] },
      ]),
    );
    const programs = compileLabelPrompts({ promptTemplate: { template } });
    expect(
      programs.map(({ program }) =>
        plainPromptList(tracePromptList(program, { id: 0, row: data })),
      ),
    ).toEqual(Object.values(answers).map((answer) => [human(filled), bot(`Answer: ${answer}`)]));
  });
});

describe('ice_template and prompt_template', () => {
  it('string style', () => {
    const { prompt } = fewShot({
      iceTemplate: { template: '{question}\n{answer}' },
      promptTemplate: {
        template: 'Solve the following questions.\n</E>{question}\n{answer}',
        ice_token: '</E>',
      },
    });
    expect(prompt).toEqual({
      type: 'text',
      text: 'Solve the following questions.\n2+2=?\n4\n3+3=?\n6\n1+1=?\n',
    });
  });

  it('dialogue style', () => {
    const round = [human('{question}'), bot('{answer}')];
    const { list } = fewShot({
      iceTemplate: { template: { round } },
      promptTemplate: { template: { begin: [system, '</E>'], round }, ice_token: '</E>' },
    });
    expect(list).toEqual([
      system,
      human('2+2=?'),
      bot('4'),
      human('3+3=?'),
      bot('6'),
      human('1+1=?'),
      bot(''),
    ]);
  });

  it('leaving out prompt_template gives the same prompt as writing both', () => {
    const omitted = fewShot({
      iceTemplate: { template: '</E>Q: {question}\nA: {answer}', ice_token: '</E>' },
    });
    const complete = fewShot({
      iceTemplate: { template: 'Q: {question}\nA: {answer}' },
      promptTemplate: { template: '</E>Q: {question}\nA: {answer}', ice_token: '</E>' },
    });
    expect(omitted.prompt).toEqual({
      type: 'text',
      text: 'Q: 2+2=?\nA: 4\nQ: 3+3=?\nA: 6\nQ: 1+1=?\nA:',
    });
    expect(omitted.prompt).toEqual(complete.prompt);
  });

  it('0-shot works with ice_template alone and no ice_token', () => {
    const { prompt } = fewShot({ iceTemplate: { template: 'Q: {question}\nA: {answer}' } }, []);
    expect(prompt).toEqual({ type: 'text', text: 'Q: 1+1=?\nA:' });
  });
});
