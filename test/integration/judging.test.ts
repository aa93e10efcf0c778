import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Config, evaluate, loadConfig, planRun, rescore, showRow } from '../../src/index.ts';
import { heldRows, readSnapshot } from '../read-snapshot.ts';
import { type Color, writePng } from '../vision-server/png.ts';
import { callCommand } from './joints/call-command.ts';
import { type AskedBody, type JudgeServer, startJudgeServer } from './judge-server.ts';
import { runCli, writeFolder } from './run-cli.ts';

let server: JudgeServer;

beforeAll(async () => {
  server = await startJudgeServer();
});
afterAll(() => server[Symbol.asyncDispose]());
beforeEach(() => {
  server.asked.length = 0;
  server.answer = answerExamples;
});

/** Answers by what was asked last; verdicts as the examples ask for them. */
function answerExamples({ model, messages }: AskedBody, text: string): string {
  if (model === 'my-chat-model') {
    const said = messages as readonly { readonly content: string }[];
    return `re: ${said.at(-1)?.content}`;
  }
  if (text.includes("'overall'")) {
    const [clear, overall] = text.includes('advice') ? [9, 7] : [5, 4];
    return `Fine.\n{'correct': 6, 'helpful': 8, 'clear': ${clear}, 'overall': ${overall}}`;
  }
  if (text.includes('assistant-A')) {
    const [first = ''] = text.split('</assistant-A');
    return first.includes('re: ') ? 'Mine. [[A]]' : 'The other. [[B]]';
  }
  return text.includes('re: And') || text.includes('re: Make')
    ? 'Good. Rating: [[9]]'
    : 'So so. Rating: [[4.5]]';
}

async function exampleOf(name: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../examples/judges');
  const files = ['data/dialogues.jsonl', 'data/requests.jsonl', name];
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  const entries = files.map((file, index) => [
    file.replace('data/', ''),
    texts[index]
      ?.replaceAll(/http:\/\/127\.0\.0\.1:800\d\/v1/g, server.url)
      .replaceAll('path: data/', 'path: ') ?? '',
  ]);
  return join(await writeFolder(Object.fromEntries(entries)), name);
}

const judged = () => server.asked.filter(({ model }) => model === 'my-strong-model');
const textOf = ({ messages }: AskedBody) => messages as { role: string; content: string }[];
/** The code in the tags is another one for each row. */
const unmarked = (text: string | undefined) =>
  text?.replaceAll(/(?<=[a-zA-Z] )[\da-f]{12}(?=>)/g, '#');

test('ratings of turns in the manner of MT-Bench, from the config to the bytes and back', async () => {
  const file = await exampleOf('dialogues.yaml');
  const config = await loadConfig(file);
  const out = join(file, '../run');
  const plan = await planRun(config, { out });
  expect(plan.tasks.map(({ judge }) => judge?.requests)).toEqual([4, 4]);
  const { summary } = await evaluate(config, { out });
  expect(judged()).toHaveLength(8);
  const system = {
    role: 'system',
    content: 'You rate replies of an assistant, fairly and by what they say.',
  };
  const turns = judged().filter((body) => textOf(body)[0]?.role === 'system');
  const asked = turns.map((body) => {
    const { messages: _, ...settings } = body;
    expect([settings, textOf(body)[0], textOf(body).length]).toEqual([
      { model: 'my-strong-model', max_tokens: 512, temperature: 0 },
      system,
      2,
    ]);
    return unmarked(textOf(body)[1]?.content);
  });
  const form = 'end with a line of this form, with a number from 1 to 10: Rating: [[5]]\n\n';
  const guided = `Rate the assistant's last reply below. First work out where it departs from the reference, then\n${form}`;
  const shirt = 'A shirt costs 40 and is 25 % off. What is its price?';
  const taxed = 'And with 10 % tax on top?';
  const bakery = 'Suggest a name for a bakery by the sea.';
  expect(asked.toSorted()).toEqual(
    [
      `Rate the reply to the question below: is it helpful, right and to the point? Explain yourself in\nshort, then ${form}` +
        `<question #>\n${bakery}\n</question #>\n\n<reply #>\nre: ${bakery}\n</reply #>`,
      `Rate the assistant's second reply; the first is there to understand it. Explain yourself in short,\nthen ${form}` +
        `<turns #>\nUser: ${bakery}\nAssistant: re: ${bakery}\nUser: Make it shorter.\nAssistant: re: Make it shorter.\n</turns #>`,
      `${guided}<reference #>\n30\n</reference #>\n\n<conversation #>\nUser:\n${shirt}\n\nAssistant:\nre: ${shirt}\n</conversation #>`,
      `${guided}<reference #>\n33\n</reference #>\n\n<conversation #>\nUser:\n${shirt}\n\nAssistant:\nre: ${shirt}\n\n` +
        `User:\n${taxed}\n\nAssistant:\nre: ${taxed}\n</conversation #>`,
    ].toSorted(),
  );
  const [rated, pairs] = summary.results;
  const measures = rated?.metrics?.map(({ name, score, plain }) => [name, score.value, plain]);
  expect([rated?.metric, rated?.plain, rated?.score?.value]).toEqual(['grade', true, 6.75]);
  expect(measures).toEqual([
    ['turn_1', 4.5, true],
    ['turn_2', 9, true],
    ['category=math', 6.75, true],
    ['category=writing', 6.75, true],
  ]);
  expect([pairs?.metric, pairs?.score?.value, pairs?.rows.scored]).toEqual(['win_rate', 1, 2]);
  expect(pairs?.metrics?.map(({ name, score }) => [name, score.value])).toEqual([
    ['win', 1],
    ['tie', 0],
    ['loss', 0],
    ['disagreed', 0],
  ]);
  await expectKept({ file, config, out });
}, 60_000);

test('grades in dimensions in the manner of AlignBench', async () => {
  const file = await exampleOf('dimensions.yaml');
  const config = await loadConfig(file);
  const out = join(file, '../run');
  const { summary } = await evaluate(config, { out });
  expect(judged()).toHaveLength(2);
  const first = judged().find((body) => JSON.stringify(body).includes('advice'));
  expect(first && textOf(first).map(({ role, content }) => [role, unmarked(content)])).toEqual([
    [
      'user',
      'Grade the reply to a request of the kind "advice", from 1 to 10 in each of these: is it correct\n' +
        '(held against the reference), helpful, clear? Then give one grade for all of it. Explain yourself first, and\n' +
        "end with a mapping such as {'correct': 5, 'helpful': 5, 'clear': 5, 'overall': 5}\n\n" +
        '<request #>\nMy bread does not rise. What may be the cause?\n</request #>\n\n' +
        '<reference #>\nOld yeast, water that is too hot, or too little time.\n</reference #>\n\n' +
        '<reply #>\nre: My bread does not rise. What may be the cause?\n</reply #>',
    ],
  ]);
  const [result] = summary.results;
  expect([result?.metric, result?.score?.value]).toEqual(['grade', 5.5]);
  expect(result?.metrics?.map(({ name, score, plain }) => [name, score.value, plain])).toEqual([
    ['correct', 6, true],
    ['helpful', 8, true],
    ['clear', 7, true],
    ['category=advice', 7, true],
    ['category=summary', 4, true],
  ]);
  const table = await callCommand(['run', file, '--out', out]);
  expect(table.stdout).toMatch(/grade\s+5\.5 /);
  const gated = async (fail_under: object | number) => {
    const text = `${await readFile(file, 'utf8')}gate: { fail_under: ${JSON.stringify(fail_under)} }\n`;
    const folder = join(file, '..');
    await writeFile(join(folder, 'gated.yaml'), text);
    return (await callCommand(['run', join(folder, 'gated.yaml'), '--out', out])).code;
  };
  expect([await gated({ grade: 5.5 }), await gated({ grade: 5.6 })]).toEqual([0, 1]);
  expect([await gated({ clear: 7 }), await gated({ 'category=summary': 4.5 })]).toEqual([0, 1]);
  // A grade is no share of anything.
  expect(await gated(0.5)).toBe(2);
  await expectKept({ file, config, out });
}, 60_000);

interface Kept {
  readonly file: string;
  readonly config: Config;
  readonly out: string;
}

/** What was sent is shown, recorded and reused by everything that looks at the run. */
async function expectKept({ file, config, out }: Kept) {
  const sent = judged().map((body) => JSON.stringify(body));
  const before = (await evaluate(config, { out })).summary.results;
  expect(judged()).toHaveLength(sent.length);
  const view = await callCommand([
    'view',
    file,
    '--run',
    out,
    '--judge',
    '-a',
    '--rows',
    '0:',
    '--json',
  ]);
  const views = JSON.parse(view.stdout).views as readonly {
    readonly judge: readonly { readonly body: unknown; readonly said: string }[];
  }[];
  const shown = views.flatMap(({ judge }) => judge);
  expect(shown.map(({ body }) => JSON.stringify(body)).toSorted()).toEqual(sent.toSorted());
  expect(shown.every(({ said }) => typeof said === 'string' && said !== '')).toBe(true);
  // The log has what was sent and said, and the report has it.
  const rows = (await Promise.all([0, 1].map((row) => showRow(out, { row })))).flat();
  const logged = rows.flatMap(({ record, parts }) =>
    [...parts.filter(({ part }) => part !== 'answer'), ...(record?.parts ? [] : [record])].flatMap(
      (line) => line?.verdicts ?? [],
    ),
  );
  expect(logged.map(({ sent: messages }) => JSON.stringify(messages)).toSorted()).toEqual(
    sent.map((body) => JSON.stringify(JSON.parse(body).messages)).toSorted(),
  );
  const snapshot = await readSnapshot(join(out, 'report.html'));
  const held = snapshot.evaluations.flatMap((_, evaluation) => heldRows(snapshot, evaluation));
  const verdicts = held.flatMap(({ details }) => {
    const { record, parts } = details as unknown as (typeof rows)[number];
    return [record, ...parts].flatMap((line) => line?.verdicts ?? []);
  });
  expect(new Set(verdicts.map(({ sent: messages }) => JSON.stringify(messages)))).toEqual(
    new Set(sent.map((body) => JSON.stringify(JSON.parse(body).messages))),
  );
  const show = await callCommand(['show', out, '--row', '0', '--full']);
  expect(show.stdout).toContain('strong said');
  // Scored again from the log alone, or by the config: nothing is asked.
  expect((await rescore(out, { config })).summary.results).toEqual(before);
  expect(judged()).toHaveLength(sent.length);
  // Asked again, and from a cache: the same numbers.
  const fresh = await evaluate(config, { out: `${out}-fresh`, cache: `${out}-cache` });
  const asked = judged().length;
  const cached = await evaluate(config, { out: `${out}-cached`, cache: `${out}-cache` });
  expect(judged()).toHaveLength(asked);
  for (const { summary } of [fresh, cached]) {
    expect(summary.results.map(({ score, metrics }) => [score, metrics])).toEqual(
      before.map(({ score, metrics }) => [score, metrics]),
    );
  }
}

test('before a run, the answer stands in the prompts of the judge as unknown', async () => {
  const config = await exampleOf('dialogues.yaml');
  const { stdout } = await callCommand(['view', config, '--judge', '-a', '--row', '1', '--json']);
  const views = JSON.parse(stdout).views as readonly {
    readonly judge: readonly {
      readonly part: unknown;
      readonly isStandIn: boolean;
      readonly body: AskedBody;
    }[];
  }[];
  expect(server.asked).toEqual([]);
  const shown = views.flatMap(({ judge }) => judge);
  expect(shown.map(({ part, isStandIn }) => [part, isStandIn])).toEqual([
    [{ kind: 'turn', name: 1 }, true],
    [{ kind: 'turn', name: 2 }, true],
    [{ kind: 'turn', name: 2 }, true],
    [{ kind: 'turn', name: 2 }, true],
  ]);
  expect(textOf(shown[1]?.body as AskedBody)[1]?.content).toMatch(
    /Assistant:\n⟨answer 1⟩\n\nUser:\nAnd with 10 % tax on top\?\n\nAssistant:\n⟨answer 2⟩/,
  );
});

const chatTemplate =
  "{% for m in messages %}[{{ m['role'] }}] {{ m['content'] }}\n{% endfor %}[assistant] ";
const judgeModels = {
  chat: { type: 'OpenAI' },
  chatml: { type: 'OpenAICompletions', meta_template: 'chatml' },
  jinja: { type: 'OpenAICompletions', chat_template: 'chat.jinja' },
  plain: { type: 'OpenAICompletions' },
};
const rating = { type: 'grade', scale: [1, 10], pattern: String.raw`Rating: \[\[([\d.]+)\]\]` };
const evaluators = {
  dialogue: {
    verdict: rating,
    by: 'topic',
    prompt: {
      begin: [{ role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'You rate.' }],
      round: [{ role: 'HUMAN', prompt: '{history}|{conversation}|{answer_1}|{reference}' }],
    },
  },
  messages: {
    verdict: rating,
    turns: 'last',
    prompt: [
      { role: 'system', content: 'You rate the conversation.' },
      { expand_column: 'conversation_messages' },
      { role: 'user', content: 'How was that?' },
    ],
  },
  pairs: {
    against: 'rival',
    turns: 'last',
    verdict: {
      type: 'pair',
      first: ['A>B', 'A>>B'],
      second: 'B>A',
      tie: 'A=B',
      pattern: String.raw`\[\[([AB<>=]+)\]\]`,
    },
    prompt: '{first_conversation} vs {second_conversation}: {first_1} {second}',
  },
};
const round = [
  { role: 'HUMAN', prompt: '{question}' },
  { role: 'BOT', prompt: '{answer}' },
];
const turnsTemplate = { type: 'MultiTurnPromptTemplate', template: { round } };
const single = { infer_cfg: { prompt_template: { template: { round } } } };
const dialogueBy = (infer_mode: string) => ({
  infer_cfg: {
    prompt_template: turnsTemplate,
    inferencer: { type: 'MultiTurnGenInferencer', infer_mode },
  },
});
const datasets = {
  single,
  samples: { ...single, n: 2, k: [1] },
  every: dialogueBy('every'),
  'every with gold answers': dialogueBy('every_with_gt'),
  last: dialogueBy('last'),
};
const rowsOf = (isDialogue: boolean) =>
  ['a', 'b', 'c'].map((name) => ({
    topic: name === 'c' ? 'y' : 'x',
    question: isDialogue ? [`${name}1?`, `${name}2?`, `${name}3?`] : `${name}?`,
    answer: isDialogue ? ['g1', 'g2', 'g3'] : 'g',
    rival: isDialogue ? ['r1', 'r2', 'r3'] : 'r',
  }));

type Judging = [
  judge: keyof typeof judgeModels,
  evaluator: keyof typeof evaluators,
  dataset: keyof typeof datasets,
  asked: 'OpenAI' | 'OpenAICompletions',
];

test.each<Judging>([
  ['chat', 'dialogue', 'single', 'OpenAI'],
  ['chatml', 'dialogue', 'every', 'OpenAI'],
  ['jinja', 'dialogue', 'every with gold answers', 'OpenAICompletions'],
  ['plain', 'dialogue', 'samples', 'OpenAICompletions'],
  ['chat', 'messages', 'every', 'OpenAICompletions'],
  ['chatml', 'messages', 'single', 'OpenAI'],
  ['jinja', 'messages', 'last', 'OpenAI'],
  ['chat', 'pairs', 'every', 'OpenAI'],
  ['plain', 'pairs', 'single', 'OpenAICompletions'],
  ['chatml', 'pairs', 'samples', 'OpenAI'],
])('a judge (%s) by %s of %s rows: plan, run, view and score agree', async (...judging) => {
  const [judge, evaluator, dataset, type] = judging;
  const isDialogue = 'inferencer' in datasets[dataset].infer_cfg;
  const models = [
    { abbr: 'm', type, base_url: server.url, model: 'my-chat-model' },
    {
      abbr: 'j',
      ...judgeModels[judge],
      base_url: server.url,
      model: 'my-strong-model',
      judge: true,
    },
  ];
  const written = {
    models,
    datasets: [
      {
        abbr: 'd',
        rows: rowsOf(isDialogue),
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        ...datasets[dataset],
        eval_cfg: { evaluator: { type: 'judge', model: 'j', ...evaluators[evaluator] } },
      },
    ],
  };
  const folder = await writeFolder({
    'c.json': JSON.stringify(written),
    'chat.jinja': chatTemplate,
  });
  const file = join(folder, 'c.json');
  const out = join(folder, 'run');
  server.answer = ({ model, messages, prompt, seed }, text) => {
    if (model !== 'my-strong-model')
      return `said to ${JSON.stringify(messages ?? prompt).length}.${seed ?? 0}`;
    return evaluator === 'pairs'
      ? `So: [[${text.length % 2 ? 'A>>B' : 'A=B'}]]`
      : `Rating: [[${1 + (text.length % 9)}]]`;
  };
  const config = await loadConfig(file);
  const plan = await planRun(config, { out });
  const { summary } = await evaluate(config, { out });
  const sent = judged().map((body) => JSON.stringify(body));
  expect(sent.length).toBe(plan.tasks[0]?.judge?.requests);
  expect(summary.results[0]?.rows).toMatchObject({ total: 3, scored: 3 });
  const args = ['view', file, '--run', out, '--judge', '--rows', '0:', '--json'];
  const { views } = JSON.parse((await callCommand(args)).stdout);
  const shown = views.flatMap((view: { judge: { body: unknown }[] }) => view.judge);
  expect(shown.map(({ body }: { body: unknown }) => JSON.stringify(body)).toSorted()).toEqual(
    sent.toSorted(),
  );
  expect((await rescore(out)).summary.results).toEqual(summary.results);
  expect((await rescore(out, { config })).summary.results).toEqual(summary.results);
  expect((await evaluate(config, { out })).summary.results[0]?.score).toEqual(
    summary.results[0]?.score,
  );
  expect(judged()).toHaveLength(sent.length);
  await expectWrittenBy(judging, sent);
});

test.each(['chat', 'chatml'] as const)(
  'what the format of a judge (%s) leaves out of its prompt is said, with its place',
  async (judge) => {
    const prompt = {
      round: [
        { role: 'HUMAN', prompt: '{question} {prediction}' },
        { role: 'BOT', prompt: 'Rating: [[' },
      ],
      end: ['Be fair.'],
    };
    const chat = { type: 'OpenAI', base_url: server.url, model: 'my-chat-model' };
    const strong = { base_url: server.url, model: 'my-strong-model', judge: true };
    const written = {
      models: [
        { abbr: 'm', ...chat },
        { abbr: 'j', ...judgeModels[judge], ...strong },
      ],
      datasets: [
        {
          abbr: 'd',
          rows: [{ question: 'q', answer: 'a' }],
          reader_cfg: { input_columns: ['question'], output_column: 'answer' },
          infer_cfg: { prompt_template: { template: '{question}' } },
          eval_cfg: { evaluator: { type: 'judge', model: 'j', verdict: rating, prompt } },
        },
      ],
    };
    const folder = await writeFolder({ 'c.json': JSON.stringify(written, null, 1) });
    const file = join(folder, 'c.json');
    server.answer = () => (judge === 'chat' ? 'Rating: [[7]]' : '7]]');
    const { code, stderr } = await callCommand(['run', file, '--out', join(folder, 'run')]);
    const unsent = 'in the prompt of the judge `j`, a text in `end` is not sent';
    expect([code, stderr.replaceAll(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(unsent)]);
    expect(stderr).toMatch(/warning\[template\.end_not_sent\][^\n]*\n[^\n]*c\.json:\d+/);
    const sent = JSON.stringify(judged());
    expect(sent.includes('Rating: [["')).toBe(judge === 'chatml');
    expect(stderr.includes('template.answer_prefix_not_taken')).toBe(judge === 'chat');
    const { stdout } = await callCommand(['view', file, '--judge', '--json']);
    expect(stdout.includes('template.answer_prefix_not_taken')).toBe(judge === 'chat');
    const { results } = JSON.parse(await readFile(join(folder, 'run', 'summary.json'), 'utf8'));
    expect(results[0]?.score?.value).toBe(7);
  },
);

/** A judge gets roles as its own format writes them, and a later turn with those before it. */
async function expectWrittenBy([judge, evaluator, dataset]: Judging, sent: readonly string[]) {
  const bodies = sent.map((body) => JSON.parse(body) as AskedBody);
  if (judge === 'chat') expect(bodies.every(({ messages }) => Array.isArray(messages))).toBe(true);
  const stops = new Set(bodies.map(({ stop }) => JSON.stringify(stop)));
  expect([...stops]).toEqual([judge === 'chatml' ? '["<|im_end|>"]' : undefined]);
  const texts = bodies.map(({ prompt }) => String(prompt));
  const starts = {
    chat: /./,
    chatml: /^<\|im_start\|>/,
    jinja: /^\[system\] You rate/,
    plain: /./,
  };
  // Text without roles is sent as it is.
  if (judge !== 'chat' && evaluator !== 'pairs')
    expect(texts.every((text) => starts[judge].test(text))).toBe(true);
  if (dataset === 'every' && evaluator !== 'pairs') {
    const whole = JSON.stringify(bodies.findLast((body) => JSON.stringify(body).includes('a3?')));
    expect(whole).toMatch(/a1\?.*said to .*a2\?.*said to .*a3\?.*said to /);
  }
}

test.each([
  ['every', 'said to 1'],
  ['every_with_gt', 'g1'],
] as const)(
  'a chat of OpenCompass (%s) is judged by what was said in it',
  async (infer_mode, first) => {
    const out = join(await writeFolder({}), 'run');
    server.answer = ({ model, messages }) =>
      model === 'my-strong-model' ? 'Rating: [[8]]' : `said to ${(messages as unknown[]).length}`;
    const dialogue = ['q1', 'g1', 'q2', 'g2'].map((content, index) => ({
      role: index % 2 ? 'assistant' : 'user',
      content,
    }));
    const config = {
      compat: 'opencompass',
      models: [
        { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'my-chat-model' },
        { abbr: 'j', type: 'OpenAI', base_url: server.url, model: 'my-strong-model', judge: true },
      ],
      datasets: [
        {
          abbr: 'd',
          rows: [{ dialogue, judge: 'x' }],
          reader_cfg: { input_columns: ['dialogue'], output_column: 'judge' },
          infer_cfg: {
            prompt_template: { type: 'PromptTemplate', template: '{dialogue}' },
            inferencer: { type: 'ChatInferencer', infer_mode },
          },
          eval_cfg: {
            evaluator: {
              type: 'LMEvaluator',
              judge_cfg: { abbr: 'j' },
              pack_all_predictions: true,
              dict_postprocessor: { type: 'mtbench_postprocess' },
              prompt_template: {
                type: 'PromptTemplate',
                template: {
                  round: [
                    {
                      role: 'HUMAN',
                      prompt: '{question_1} {prediction_r1} {question_2} {prediction_r2}',
                    },
                  ],
                },
              },
            },
          },
        },
      ],
    } as Parameters<typeof evaluate>[0];
    const { summary } = await evaluate(config, { out });
    expect(judged().map(textOf)).toEqual([[{ role: 'user', content: `q1 ${first} q2 said to 3` }]]);
    expect(summary.results[0]).toMatchObject({ metric: 'score', score: { value: 8 } });
  },
);

const cutOff = 'verdict cut off at the length limit';

test('a verdict that is cut off is none, also when the run is scored again', async () => {
  server.answer = ({ model }, text) => {
    if (model === 'my-chat-model') return 'fine';
    const content = text.includes('whole') ? 'Rating: 1. It' : 'Rating: 1';
    return { content, finish: 'length' };
  };
  const out = join(await writeFolder({}), 'run');
  const verdict = { type: 'grade', scale: [1, 10], pattern: 'Rating: (\\d+)' };
  const chat = { type: 'OpenAI', base_url: server.url };
  const config = {
    models: [
      { ...chat, abbr: 'm', model: 'my-chat-model' },
      { ...chat, abbr: 'j', model: 'my-strong-model', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [
          { q: 'whole', a: '' },
          { q: 'cut', a: '' },
        ],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: { prompt_template: { template: '{q}' } },
        eval_cfg: { evaluator: { type: 'judge', model: 'j', prompt: '{q} {prediction}', verdict } },
      },
    ],
  } as Parameters<typeof evaluate>[0];
  const expected = { score: { value: 1 }, reasons: [{ reason: cutOff, rows: 1 }] };
  expect((await evaluate(config, { out })).summary.results).toMatchObject([expected]);
  for (const given of [{}, { config }] as object[]) {
    expect((await rescore(out, given)).summary.results).toMatchObject([expected]);
  }
});

test('a judge is shown the bytes of pictures, and is asked again about one that changed', async () => {
  server.answer = ({ model }) => (model === 'my-chat-model' ? 'red' : '{"verdict": "A"}');
  const folder = await writeFolder({
    'rows.jsonl': '{"image": "img/a.png", "q": "which?", "a": "red"}\n',
  });
  const picture = async (color: Color) => {
    const bytes = writePng(color);
    await mkdir(join(folder, 'img'), { recursive: true });
    await writeFile(join(folder, 'img/a.png'), bytes);
    return `data:image/png;base64,${bytes.toString('base64')}`;
  };
  const template = (text: string) => ({
    type: 'MMPromptTemplate',
    template: { round: [{ role: 'HUMAN', prompt_mm: { image: '{image}', text } }] },
  });
  const chat = { type: 'OpenAI', base_url: server.url };
  const configOf = (judge: object, asked: object = { prompt_template: template('{q}') }) =>
    ({
      models: [
        { ...chat, abbr: 'm', model: 'my-chat-model' },
        { ...chat, abbr: 'j', model: 'my-strong-model', judge: true, ...judge },
      ],
      datasets: [
        {
          abbr: 'd',
          path: join(folder, 'rows.jsonl'),
          reader_cfg: { input_columns: ['image', 'q'], output_column: 'a' },
          infer_cfg: asked,
          eval_cfg: {
            evaluator: { type: 'judge', model: 'j', prompt: template('{prediction}? A or B') },
          },
        },
      ],
    }) as Parameters<typeof evaluate>[0];
  const out = join(folder, 'run');
  for (const color of [
    [255, 0, 0],
    [0, 255, 0],
  ] as const) {
    const url = await picture(color);
    server.asked.length = 0;
    const { summary } = await evaluate(configOf({}), { out });
    expect(summary.results[0]?.rows).toMatchObject({ scored: 1 });
    expect(judged().map(({ messages }) => messages)).toEqual([
      [
        {
          role: 'user',
          content: [
            { type: 'image_url', image_url: { url } },
            { type: 'text', text: 'red? A or B' },
          ],
        },
      ],
    ]);
    const [row] = await showRow(out, { row: 0 });
    const sent = JSON.stringify(row?.record?.verdicts?.[0]?.sent);
    expect(sent).toMatch(/⟨image\/png, \d+ bytes, sha256 [\da-f]{16}, img\/a.png⟩/);
  }
  expect((await planRun(configOf({}), { out })).tasks[0]?.judge).toMatchObject({ requests: 0 });
  expect((await rescore(out)).summary.results[0]?.rows).toMatchObject({ scored: 1 });
  await expect(evaluate(configOf({ vision: false }), { out })).rejects.toThrow(
    'a judge prompt with media needs',
  );
});

test('a picture that the judge alone sees reopens its row where it changed', async () => {
  server.answer = ({ model }) => (model === 'my-chat-model' ? 'red' : '{"verdict": "A"}');
  const folder = await writeFolder({
    'rows.jsonl': '{"image": "a.png", "q": "which?", "a": "red"}\n',
  });
  const paint = (color: Color) => writeFile(join(folder, 'a.png'), writePng(color));
  const round = [{ role: 'HUMAN', prompt_mm: { image: '{image}', text: '{prediction}? A or B' } }];
  const config = mediaConfig(folder, {
    infer_cfg: { prompt_template: { template: '{q}' } },
    prompt: { type: 'MMPromptTemplate', template: { round } },
  });
  const out = join(folder, 'run');
  const asked = async () => {
    server.asked.length = 0;
    const planned = (await planRun(config, { out })).tasks[0];
    const { summary } = await evaluate(config, { out });
    expect(summary.results[0]?.rows).toMatchObject({ scored: 1 });
    expect(planned?.judge?.requests).toBe(judged().length);
    return [server.asked.length - judged().length, judged().length];
  };
  await paint([255, 0, 0]);
  expect(await asked()).toEqual([1, 1]);
  expect(await asked()).toEqual([0, 0]);
  await paint([0, 255, 0]);
  expect(await asked()).toEqual([0, 1]);
  await rescore(out, { config });
  expect(await asked()).toEqual([0, 0]);
});

test('a plan prices judges at their most', async () => {
  server.answer = ({ model }) => (model === 'my-chat-model' ? 'red' : '{"verdict": "A"}');
  const folder = await writeFolder({
    'rows.jsonl': '{"q": "which?", "a": "red"}\n{"q": "why?", "a": "so"}',
  });
  const priced = (limit: object, price: object) => {
    const config = mediaConfig(folder, {
      infer_cfg: { prompt_template: { template: '{q}' } },
      prompt: { template: 'Is {prediction} right? {prediction}' },
    });
    const [model, judge] = config.models as object[];
    const models = [
      { ...model, ...limit },
      { ...judge, max_out_len: 10, ...price },
    ];
    return { ...config, models } as typeof config;
  };
  const price = { price: { in: 1_000_000, out: 2_000_000 } };
  const plan = await planRun(priced({ max_out_len: 100 }, price), { out: join(folder, 'a') });
  const judge = plan.tasks[0]?.judge;
  expect(judge).toMatchObject({ requests: 2, outputTokens: 20 });
  const { inputTokens = 0 } = judge ?? {};
  // Two answers in each of two prompts, and what stands around them.
  expect(inputTokens).toBeGreaterThan(400);
  expect(inputTokens).toBeLessThan(500);
  expect(plan.price?.judges).toMatchObject([{ model: 'j', requests: 2, cost: inputTokens + 40 }]);
  const file = join(folder, 'c.json');
  await writeFile(file, JSON.stringify(priced({ max_out_len: 100 }, price)));
  const { stdout } = await callCommand(['plan', file]);
  expect(stdout).toContain(
    `Judges: at most 2 requests more, to j, tokens in ≤${inputTokens}, out ≤20.`,
  );
  expect(stdout).toContain('j up to');
  const open = await planRun(priced({}, price), { out: join(folder, 'b') });
  expect(open.tasks[0]?.judge).not.toHaveProperty('inputTokens');
  expect(open.price?.judges?.[0]).not.toHaveProperty('cost');
});

test.each([
  ['every turn its own', 'every', '{question} {prediction}', [['a'], ['b'], []]],
  ['a conversation those before', 'every', '{conversation}', [['a'], ['a', 'b'], ['a', 'b']]],
  ['a turn that is named', 'every', '{question_1} {reference}', [['a'], ['a', 'b'], ['a']]],
  ['the last turn alone', 'last', '{conversation}', [['a', 'b']]],
] as const)('a judge of a dialogue is shown pictures: %s', async (_, turns, text, shown) => {
  server.answer = ({ model }) => (model === 'my-chat-model' ? 'red' : '{"verdict": "A"}');
  const pictures = { a: writePng([255, 0, 0]), b: writePng([0, 255, 0]) };
  const row = { question: ['One?', 'Two?', 'Three?'], answer: ['x', 'y', 'z'] };
  const tagged = { ...row, question: ['<image>One?', '<image>Two?', 'Three?'] };
  for (const data of [
    { ...row, image: ['a.png', 'b.png', null] },
    { ...tagged, image: ['a.png', 'b.png'] },
  ]) {
    const folder = await writeFolder({ 'rows.jsonl': JSON.stringify(data) });
    for (const [name, bytes] of Object.entries(pictures)) {
      await writeFile(join(folder, `${name}.png`), bytes);
    }
    const round = [{ role: 'HUMAN', prompt_mm: { image: '{image}', text } }];
    for (const asked of [turnTemplate({ image: '{image}', text: '{question}' }), undefined]) {
      const config = mediaConfig(folder, {
        infer_cfg: asked ?? turnTemplate({ text: '{question}' }),
        prompt: { type: 'MMPromptTemplate', template: { round } },
        turns,
      });
      server.asked.length = 0;
      const { summary } = await evaluate(config, {
        out: join(folder, `run ${asked === undefined}`),
      });
      expect(summary.results[0]?.rows).toMatchObject({ scored: 1 });
      const names = new Map<string, string>(
        Object.entries(pictures).map(([name, bytes]) => [
          `data:image/png;base64,${bytes.toString('base64')}`,
          name,
        ]),
      );
      const seen = judged().map(({ messages }) => {
        const [{ content }] = messages as [{ content: string | { image_url?: { url: string } }[] }];
        const parts = typeof content === 'string' ? [] : content;
        return parts.flatMap(({ image_url }) => (image_url ? [names.get(image_url.url)] : []));
      });
      expect(seen).toEqual(shown);
      await writeFile(join(folder, 'c.json'), JSON.stringify(config));
      const sent = judged().map(({ messages }) => messages);
      const run = join(folder, `run ${asked === undefined}`);
      const args = [
        'view',
        join(folder, 'c.json'),
        '--run',
        run,
        '--judge',
        '--row',
        '0',
        '--json',
      ];
      const { views } = JSON.parse((await callCommand(args)).stdout);
      const viewed = views.flatMap((view: { judge: { body: object }[] }) => view.judge);
      expect(viewed.map(({ body }: { body: { messages: unknown } }) => body.messages)).toEqual(
        sent,
      );
    }
  }
});

function turnTemplate(prompt_mm: object) {
  const round = [
    { role: 'HUMAN', ...('image' in prompt_mm ? { prompt_mm } : { prompt: '{question}' }) },
    { role: 'BOT', prompt: '{answer}' },
  ];
  return {
    prompt_template: { type: 'MultiTurnPromptTemplate', template: { round } },
    inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
  };
}

interface MediaTask {
  readonly infer_cfg: object;
  readonly prompt: object;
  readonly turns?: string;
}

/** A model and its judge, which is shown pictures. */
function mediaConfig(folder: string, { infer_cfg, ...judge }: MediaTask) {
  const chat = { type: 'OpenAI', base_url: server.url };
  const isDialogue = judge.turns !== undefined;
  return {
    models: [
      { ...chat, abbr: 'm', model: 'my-chat-model' },
      { ...chat, abbr: 'j', model: 'my-strong-model', judge: true, batch_size: 1 },
    ],
    datasets: [
      {
        abbr: 'd',
        path: join(folder, 'rows.jsonl'),
        reader_cfg: {
          input_columns: [isDialogue ? 'question' : 'q'],
          output_column: isDialogue ? 'answer' : 'a',
        },
        infer_cfg,
        eval_cfg: { evaluator: { type: 'judge', model: 'j', ...judge } },
      },
    ],
  } as Parameters<typeof evaluate>[0];
}

test('a local judge is asked in its own format, and what it says is kept', async () => {
  const out = join(await writeFolder({}), 'run');
  const config = {
    models: [
      { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'my-chat-model' },
      {
        abbr: 'j',
        type: 'Local',
        path: 'typecase-tiny',
        judge: true,
        max_out_len: 4,
        meta_template: 'chatml',
      },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: [{ question: 'q?', answer: 'a' }],
        reader_cfg: { input_columns: ['question'], output_column: 'answer' },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: {
          evaluator: { type: 'judge', model: 'j', ...evaluators.dialogue, by: undefined },
        },
      },
    ],
  } as Parameters<typeof evaluate>[0];
  const { summary } = await evaluate(config, { out });
  expect(summary.results[0]?.reasons).toEqual([{ reason: cutOff, rows: 1 }]);
  const [row] = await showRow(out, { row: 0 });
  const [verdict] = row?.record?.verdicts ?? [];
  expect(verdict?.sent).toBe(
    '<|im_start|>system\nYou rate.<|im_end|>\n<|im_start|>user\n|User:\nq?\n\nAssistant:\nre: q?|re: q?|a<|im_end|>\n<|im_start|>assistant\n',
  );
  expect(verdict?.said).toBe(row?.record?.detail);
});

test('a part of the rows of which none is scored is named, also when they are scored again', async () => {
  const config = {
    models: [
      { abbr: 'm', type: 'OpenAI', base_url: server.url, model: 'm' },
      { abbr: 'j', type: 'OpenAI', base_url: server.url, model: 'j', judge: true },
    ],
    datasets: [
      {
        abbr: 'd',
        rows: ['x', 'y', 'x', 'z', null].map((topic, id) => ({
          topic,
          question: `${topic}${id}?`,
        })),
        reader_cfg: { input_columns: ['question'], output_column: null },
        infer_cfg: { prompt_template: { template: '{question}' } },
        eval_cfg: {
          evaluator: {
            type: 'judge',
            model: 'j',
            by: 'topic',
            verdict: rating,
            prompt: 'Rate {question} {prediction}',
          },
        },
      },
    ],
  };
  server.answer = ({ model }, text) => {
    if (model === 'm') return text.includes('z3') ? { status: 400 } : 'Hm.';
    return /x\d\?/.test(text) ? 'No idea.' : 'Rating: [[7]]';
  };
  const cwd = await writeFolder({ 'config.json': JSON.stringify(config) });
  const run = await runCli(['run', 'config.json', '--out', 'out'], { cwd });
  const score = await runCli(['score', 'out'], { cwd });
  const scoreWithConfig = await runCli(['score', 'out', 'config.json'], { cwd });
  for (const { stdout } of [run, score, scoreWithConfig]) {
    expect(stdout).toMatch(/topic=y /);
    expect(stdout).toContain('no row of topic=x has a score');
    expect(stdout).toContain('no row of topic=z has a score');
    expect(stdout).not.toContain('no row of topic=y');
    const [result] = JSON.parse(await readFile(join(cwd, 'out/summary.json'), 'utf8')).results;
    expect(result.unscoredParts).toEqual(['topic=x', 'topic=z']);
  }
  server.answer = ({ model }) => (model === 'm' ? 'Hm.' : 'Rating: [[7]]');
  const { stdout } = await runCli(['run', 'config.json', '--out', 'all', '--json'], { cwd });
  expect(JSON.parse(stdout).results[0]).not.toHaveProperty('unscoredParts');
}, 120_000);

test('verdicts that datasets share are counted, and paid for, once', async () => {
  server.answer = ({ model }) => (model === 'my-chat-model' ? 'red' : '{"verdict": "A"}');
  const folder = await writeFolder({
    'rows.jsonl': '{"q": "which?", "a": "red"}\n{"q": "why?", "a": "so"}',
  });
  const config = mediaConfig(folder, {
    infer_cfg: { prompt_template: { template: '{q}' } },
    prompt: { template: 'Is {prediction} right?' },
  });
  const [model, judge] = config.models as object[];
  const [dataset] = config.datasets as object[];
  const both = {
    ...config,
    models: [model, { ...judge, price: { in: 1_000_000, out: 1_000_000 } }],
    datasets: [
      { ...dataset, abbr: 'one' },
      { ...dataset, abbr: 'two' },
    ],
  } as unknown as typeof config;
  const out = join(folder, 'run');
  const sums = ({ summary }: Awaited<ReturnType<typeof evaluate>>) => ({
    requests: summary.results.map((result) => result.judge?.requests),
    cost: summary.results.reduce((sum, { cost = 0 }) => sum + cost, 0),
    total: summary.cost?.total,
  });
  const first = sums(await evaluate(both, { out }));
  // Both rows are answered alike: there is one verdict.
  expect(judged()).toHaveLength(1);
  expect(first).toEqual({ requests: [1, 0], cost: 9, total: 9 });
  expect(sums(await rescore(out, { config: both }))).toEqual(first);
  expect(sums(await evaluate(both, { out }))).toEqual(first);
  expect(judged()).toHaveLength(1);
});
