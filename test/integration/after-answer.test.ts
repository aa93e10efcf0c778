import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callCommand } from './joints/call-command.ts';
import { type JudgeServer, startJudgeServer } from './judge-server.ts';
import { writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
  server.answer = () => '2';
});

const rows = [{ q: '1+1?', a: '2' }];
const dialogue = (bot: object, others: object = {}) => ({
  round: [
    { role: 'HUMAN', prompt: 'Q: {q}' },
    { role: 'BOT', ...bot },
  ],
  ...others,
});
const datasetOf = (abbr: string, template: unknown, own: object = {}) => ({
  abbr,
  rows,
  reader_cfg: { input_columns: ['q'], output_column: 'a' },
  infer_cfg: { prompt_template: { template }, ...own },
  eval_cfg: { evaluator: { type: 'number' } },
});
const modelOf = (own: object = {}) => ({
  ...{ abbr: 'm', type: 'OpenAICompletions', model: 'm', max_out_len: 9 },
  base_url: server.url,
  ...own,
});

async function inFolder(config: object) {
  const folder = await writeFolder({ 'c.json': JSON.stringify(config) });
  const file = join(folder, 'c.json');
  return {
    run: (...flags: string[]) => callCommand(['run', file, '--out', join(folder, 'o'), ...flags]),
    plan: (...flags: string[]) => callCommand(['plan', file, '--out', join(folder, 'p'), ...flags]),
    view: (...flags: string[]) => callCommand(['view', file, '--json', ...flags]),
    show: (...flags: string[]) => callCommand(['show', join(folder, 'o'), ...flags]),
  };
}

/** Templates, what is sent to a text model without a format, and what is told. */
const tails: Readonly<Record<string, readonly [template: unknown, sent: string, told: string]>> = {
  line: ['Q: {q}\nA: {a}\n', 'Q: 1+1?\nA:', ''],
  lines: ['Q: {q}\nA: {a}\n\n', 'Q: 1+1?\nA:', ''],
  text: ['Q: {q}\nA: {a}.\nExplain why.', 'Q: 1+1?\nA: .\nExplain why.', '.⏎Explain␣why.'],
  column: ['Q: {q}\nA: {a} {q}', 'Q: 1+1?\nA:  1+1?', '␣{q}'],
  'turn line': [dialogue({ prompt: '{a}\n' }), 'Q: 1+1?\n', ''],
  'turn text': [dialogue({ prompt: '{a}. Done' }), 'Q: 1+1?\n. Done', '.␣Done'],
  end: [dialogue({ prompt: '{a}' }, { end: ['END'] }), 'Q: 1+1?\nEND', '⏎END'],
  'end of turn': [dialogue({ prompt: '{a}', end: '<x>' }), 'Q: 1+1?\n<x>', '<x>'],
};

test('what stands after the hidden answer is left out if it is blank, and else told everywhere', async () => {
  for (const [name, [template, sent, told]] of Object.entries(tails)) {
    server.asked.length = 0;
    const { run, plan, view } = await inFolder({
      models: [modelOf()],
      datasets: [datasetOf('d', template)],
    });
    const outputs = [await run(), await plan(), await view()];
    expect([name, server.asked.map(({ prompt }) => prompt)]).toEqual([name, [sent]]);
    for (const { stdout, stderr } of outputs) {
      const warned = (stdout + stderr).includes('template.text_after_answer');
      expect([name, warned]).toEqual([name, told !== '']);
      if (told !== '') expect(stdout + stderr).toContain(`\`${told}\` is sent after the position`);
      expect(stdout + stderr).not.toContain('answer_start_kept');
    }
    const isBlank = told === '';
    expect([name, outputs[2]?.stdout.includes('template.space_after_answer')]).toEqual([
      name,
      isBlank,
    ]);
  }
}, 60_000);

test('blank text after the hidden answer is sent where spaces are kept', async () => {
  const inferencer = { type: 'GenInferencer', keep_trailing_spaces: true };
  const { run, view } = await inFolder({
    models: [modelOf()],
    datasets: [datasetOf('d', 'Q: {q}\nA: {a}\n\n', { inferencer })],
  });
  await run();
  expect(server.asked.map(({ prompt }) => prompt)).toEqual(['Q: 1+1?\nA: \n\n']);
  expect((await view()).stdout).not.toContain('space_after_answer');
});

test('examples keep what the template has after their answers', async () => {
  const { run } = await inFolder({
    models: [modelOf()],
    datasets: [
      {
        ...datasetOf('d', undefined),
        infer_cfg: {
          ice_template: { template: '</E>Q: {q}\nA: {a}\n\n', ice_token: '</E>' },
          retriever: {
            ...{ type: 'FixKRetriever', fix_id_list: [0], ice_separator: '', ice_eos_token: '' },
          },
        },
      },
    ],
  });
  await run();
  expect(server.asked.map(({ prompt }) => prompt)).toEqual(['Q: 1+1?\nA: 2\n\nQ: 1+1?\nA:']);
});

test('of a text in `end` that is not sent nobody says that it is', async () => {
  const { view } = await inFolder({
    models: [modelOf({ type: 'OpenAI' })],
    datasets: [datasetOf('d', dialogue({ prompt: '{a}' }, { end: ['bye'] }))],
  });
  const { stdout } = await view();
  expect(stdout).toContain('template.end_not_sent');
  expect(stdout).not.toContain('template.text_without_role');
});

test.each([{ type: 'OpenAI' }, {}])(
  'a hidden answer that turns follow is refused: %j',
  async (own) => {
    const template = {
      round: [
        { role: 'HUMAN', prompt: '{q}' },
        { role: 'BOT', prompt: 'I say {a}' },
        { role: 'HUMAN', prompt: 'Sure?' },
      ],
    };
    const { run, plan, view } = await inFolder({
      models: [modelOf(own)],
      datasets: [datasetOf('d', template)],
    });
    for (const { code, stderr } of [await run(), await plan()]) {
      expect(code).toBe(2);
      expect(stderr).toContain('error[template.answer_in_earlier_turn]');
      expect(stderr).toContain('round[1] contains the hidden answer');
    }
    const { stdout } = await view();
    expect(stdout).toContain('template.answer_in_earlier_turn');
    expect(stdout).not.toContain('template.text_after_answer');
    expect(server.asked).toEqual([]);
  },
);

test('an answer that is begun stands in no thought that a meta template opens', async () => {
  const opened = (begin: string) => ({
    round: [
      { role: 'HUMAN', begin: 'U:', end: '\n' },
      { role: 'BOT', begin, end: '\n', generate: true },
    ],
  });
  server.answer = () => 'maybe 2, let me think';
  const begun = datasetOf('begun', dialogue({ prompt: 'The answer is {a}' }));
  const config = (own: object) => ({ models: [modelOf(own)], datasets: [begun] });
  const { run, view } = await inFolder(config({ meta_template: opened('A:<think>\n') }));
  const { code } = await run();
  expect(code).toBe(0);
  expect(server.asked.map(({ prompt }) => prompt)).toEqual(['U:Q: 1+1?\nA:The answer is']);
  expect((await view()).stdout).toContain('model.prefix_before_thoughts');
  const thinker = { meta_template: opened('A:'), thinking: { begin: '<think>', end: '</think>' } };
  expect((await (await inFolder(config(thinker))).view()).stdout).toContain(
    'prefix_before_thoughts',
  );
  // Marks of its own are not known to the format: the answer starts in the thought then.
  const own = { meta_template: opened('A:{{'), thinking: { begin: '{{', end: '}}' } };
  const marked = await inFolder(config(own));
  expect((await marked.run()).stdout).toContain('unfinished thinking');
});

test('gold answers that no row can use are told before the run, which ends with 3', async () => {
  const { run, plan, view } = await inFolder({
    models: [modelOf()],
    datasets: [
      {
        ...datasetOf('letters', '{q}\n{a}'),
        rows: [0, 1, 2].map((a) => ({ q: `q${a}`, a })),
        eval_cfg: { evaluator: { type: 'choice' } },
      },
      {
        ...datasetOf('numbers', '{q}\n{a}'),
        rows: ['3 or 4', '2-3', '5'].map((a) => ({ q: `q${a}`, a })),
      },
    ],
  });
  server.answer = () => 'A';
  const said =
    '3 of the first 3 gold answers of `letters` cannot be used by `choice`: the column `a` has `0`, `1`, `2`';
  const ran = await run();
  expect(ran.code).toBe(3);
  expect(ran.stderr).toContain('m on letters: no row has a score');
  for (const { stdout, stderr } of [ran, await plan()]) {
    expect(stdout + stderr).toContain(said);
    expect(stderr).toContain(
      '2 of the first 3 gold answers of `numbers` hold several numbers, of which `number` takes the last: `3 or 4`, `2-3`',
    );
  }
  expect((await view('--dataset', 'letters')).stdout).toContain('data.unusable_gold');
});

test('gold answers that are texts of their own are no labels', async () => {
  const { plan } = await inFolder({
    models: [modelOf()],
    datasets: [
      {
        ...datasetOf('d', '{q} {a}', { inferencer: { type: 'PPLInferencer' } }),
        rows: Array.from({ length: 10 }, (_, id) => ({ q: `q${id}`, a: `answer ${id}` })),
        eval_cfg: { evaluator: { type: 'AccEvaluator' } },
      },
    ],
  });
  expect((await plan('--limit', '1')).stderr).toContain(
    'warning[data.answers_as_labels] Every row of `d` is compared with 10 labels',
  );
});

test('short gold answers inside of words are counted', async () => {
  const { run } = await inFolder({
    models: [{ abbr: 'rep', type: 'Replay', answer_column: 'r' }],
    datasets: [
      {
        ...datasetOf('d', '{q}'),
        rows: [
          { q: 'x', a: '1', r: 'It is 10' },
          { q: 'y', a: 'no', r: 'I know' },
          { q: 'z', a: '5', r: 'It is 5.' },
        ],
        eval_cfg: { evaluator: { type: 'contains' } },
      },
    ],
  });
  const { stdout } = await run();
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
    'rep on d: 2 answers have credit only for a short gold answer inside a longer word or number',
  );
  expect(stdout).toContain('100.0');
});
