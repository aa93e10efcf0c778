import { expect, test } from 'vitest';
import { evaluate } from '../../src/index.ts';
import { namedFormats } from '../../src/prompt/catalogue.ts';
import { startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const questions = ['Say 10.', 'Again?', 'And again?'];
const datasets = [
  {
    abbr: 'turns',
    rows: [{ question: questions, answer: ['10', '10', '10'] }],
    reader_cfg: { input_columns: ['question'], output_column: 'answer' },
    infer_cfg: {
      prompt_template: { type: 'MultiTurnPromptTemplate', template: { round } },
      inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
    },
    eval_cfg: { evaluator: { type: 'number' } },
  },
  ...['turn', 'messages'].map((kind) => ({
    abbr: `chat-${kind}`,
    rows: [
      kind === 'turn'
        ? { dialogue: questions, answer: ['10', '10', '10'] }
        : {
            dialogue: questions.flatMap((content) => [
              { role: 'user', content },
              { role: 'assistant', content: '10' },
            ]),
          },
    ],
    reader_cfg: { input_columns: ['dialogue'], output_column: kind === 'turn' ? 'answer' : null },
    infer_cfg: { inferencer: { type: 'ChatInferencer', infer_mode: 'every' } },
  })),
];
const own = {
  round: [
    { role: 'HUMAN', begin: 'Q: ', end: '\n' },
    { role: 'BOT', begin: 'A:\n', opening: 'A:', end: '\n', generate: true },
  ],
};

test('later turns quote an answer as the model wrote it, in every format', async () => {
  await using server = await startJudgeServer();
  const formats = [...namedFormats.map(({ name }) => name), own];
  const answerOf = (model: string) => (model === `m${formats.length - 1}` ? '\n10' : ' 10');
  server.answer = ({ model }) => answerOf(model);
  const models = formats.map((meta_template, index) => ({
    abbr: `m${index}`,
    type: 'OpenAICompletions' as const,
    base_url: server.url,
    model: `m${index}`,
    max_out_len: 8,
    meta_template,
  }));
  await evaluate({ models, datasets } as never, { out: await writeFolder({}) });
  const wrong: string[] = [];
  for (const { model } of models) {
    const prompts = server.asked
      .filter((body) => body.model === model)
      .map(({ prompt }) => String(prompt));
    const first = prompts.filter((prompt) => !prompt.includes('Again?'));
    for (const prompt of prompts.filter((one) => one.includes('Again?')))
      if (!first.some((start) => prompt.startsWith(start + answerOf(model)))) wrong.push(prompt);
    expect([model, prompts.length > 2]).toEqual([model, true]);
  }
  expect(wrong).toEqual([]);
});
