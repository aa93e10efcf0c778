import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import { evaluate, loadConfig, openEvaluations, planRun, rescore } from '../../src/index.ts';
import { untrace } from '../../src/prompt/prompt.ts';
import { startAnsweringServer } from './answering-server.ts';

const scratch = await mkdtemp(join(tmpdir(), 'typecase-formats-'));
let answer: (body: Readonly<Record<string, unknown>>) => string = () => '2';
const server = await startAnsweringServer((body) => answer(body));
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});
let folders = 0;

const templates = new URL('../vectors/chat-templates/templates/', import.meta.url);
const tokens = { bos_token: '<s>', eos_token: '</s>' };
/** A tokenizer_config.json with the chat template of a well-known model. */
async function chatTemplate(name: string): Promise<string> {
  const chat_template = readFileSync(new URL(`${name}.jinja`, templates), 'utf8');
  const file = join(scratch, `${name}.json`);
  await writeFile(file, JSON.stringify({ ...tokens, chat_template }));
  return file;
}

const asked = [{ role: 'user', content: '{q}' }];
const system = { role: 'SYSTEM', prompt: 'Be brief.' };
const human = { role: 'HUMAN', prompt: '{q}' };
const bot = (prompt: string) => ({ role: 'BOT', prompt });

interface Case {
  readonly model?: object;
  readonly infer?: object;
  readonly template?: unknown;
  readonly dataset?: object;
  readonly compat?: string;
}

function configOf({ model, infer, template, dataset, compat }: Case): ConfigInput {
  return {
    ...(compat && { compat }),
    models: [{ abbr: 'm', type: 'OpenAICompletions', model: 'x', base_url: server.url, ...model }],
    datasets: [
      {
        abbr: 'd',
        rows: { train: [{ q: '1+1', a: '2' }], test: [{ q: '3+3', a: '6' }] },
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: Array.isArray(template) ? { messages: template } : { template },
          inferencer: { type: 'GenInferencer' },
          ...infer,
        },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  } as unknown as ConfigInput;
}

interface Seen {
  readonly body: Readonly<Record<string, unknown>>;
  readonly codes: readonly string[];
  readonly score: number | undefined;
}

/** What a run sends and scores; what is viewed and planned must be the same. */
async function seen(given: Case): Promise<Seen> {
  server.bodies.length = 0;
  const file = join(scratch, `config-${folders}.json`);
  await writeFile(file, JSON.stringify(configOf(given)));
  const config = await loadConfig(file);
  const out = join(scratch, String(folders++));
  const { diagnostics, summary } = await evaluate(config, { out });
  const [body = {}] = server.bodies;
  for (const purpose of ['view', 'plan'] as const) {
    await using evaluations = await openEvaluations(config, { purpose });
    for (const evaluation of evaluations) {
      for await (const [row] of evaluation.rows.batches()) {
        const { requests } = row ? await evaluation.trace(row) : { requests: [] };
        expect(requests.map(({ encoded }) => JSON.parse(encoded))).toEqual([body]);
      }
    }
  }
  expect((await planRun(config, { out })).total.send).toBe(0);
  const codes = diagnostics.map(({ code }) => code);
  const score = summary.results[0]?.score?.value;
  for (const known of [config, undefined]) {
    const { summary: again } = await rescore(out, { config: known });
    expect(again.results[0]?.score?.value).toBe(score);
  }
  return { body, codes, score };
}

const shots = (ice: unknown) => ({
  ice_template: { template: ice },
  retriever: { type: 'FixKRetriever', fix_id_list: [0] },
});
const withMark = (template: object) => ({ template, ice_token: '</E>' });

describe('an answer prefix', () => {
  const round = [human, bot('Answer: {a}')];
  const vllm = { type: 'OpenAI', prefill: 'continue_final_message' };
  const user = { role: 'user', content: '3+3' };
  const begun = { role: 'assistant', content: 'Answer:' };

  test.each<[string, object, string]>([
    ['no format', {}, '3+3\nAnswer:'],
    ['chatml', { meta_template: 'chatml' }, '<|im_start|>assistant\nAnswer:'],
    ['llama2', { meta_template: 'llama2' }, '<s>[INST] 3+3 [/INST] Answer:'],
    ['vicuna', { meta_template: 'vicuna' }, 'USER: 3+3 ASSISTANT: Answer:'],
    ['qwen2.5', {}, '<|im_start|>assistant\nAnswer:'],
    ['qwen3', {}, '<|im_start|>assistant\n<think>\n\n</think>\n\nAnswer:'],
    ['llama-3', {}, '<|start_header_id|>assistant<|end_header_id|>\n\nAnswer:'],
    ['gemma', {}, '<start_of_turn>model\nAnswer:'],
  ])('ends the text of %s', async (name, given, end) => {
    const isNamed = name === 'no format' || Object.keys(given).length > 0;
    const model = isNamed ? given : { chat_template: await chatTemplate(name) };
    for (const said of [' 6', '<think>5</think>Answer: 6', 'Answer: 6', '6']) {
      answer = () => said;
      const { body, score, codes } = await seen({ model, template: { round } });
      expect(String(body.prompt).slice(-end.length)).toBe(end);
      expect(score).toBe(1);
      expect(codes).not.toContain('template.answer_prefix_not_taken');
    }
    const messages = [user, { role: 'assistant', content: 'Answer: {a}' }];
    const raw = await seen({ model, template: [{ role: 'user', content: '{q}' }, messages[1]] });
    expect(String(raw.body.prompt).slice(-end.length)).toBe(end);
  });

  test.each<[string, object, unknown, object]>([
    [
      'told to go on',
      vllm,
      [user, begun],
      { continue_final_message: true, add_generation_prompt: false },
    ],
    ['goes on by itself', { ...vllm, prefill: 'last_message' }, [user, begun], {}],
    ['not known to go on', { type: 'OpenAI' }, [user], {}],
  ])('of a chat server that is %s', async (_, model, messages, more) => {
    for (const said of [' 6', '<think>5</think>\nAnswer: 6', 'Answer: 6', '6']) {
      answer = () => said;
      const { body, score, codes } = await seen({ model, template: { round } });
      expect(body).toEqual({ model: 'x', messages, ...more });
      // What was not sent is not said again: it is part of the answer.
      expect(score).toBe('prefill' in model || !said.includes('Answer') ? 1 : 0);
      const isTold = codes.includes('template.answer_prefix_not_taken');
      expect(isTold).toBe(!('prefill' in model));
    }
  });

  test('messages are sent as they are written', async () => {
    const template = [
      { role: 'user', content: '{q}' },
      { role: 'assistant', content: 'On {q}:' },
    ];
    const messages = [user, { role: 'assistant', content: 'On 3+3:' }];
    answer = () => 'On 3+3: 6';
    const told = await seen({ model: vllm, template });
    expect(told.body).toMatchObject({ messages, continue_final_message: true });
    expect(told.score).toBe(1);
    const closed = await seen({ model: { type: 'OpenAI' }, template });
    expect(closed.body).toEqual({ model: 'x', messages });
    expect(closed.codes).toContain('template.answer_prefix_not_taken');
    const text = await seen({ model: { meta_template: 'chatml' }, template });
    expect(text.body.prompt).toMatch(/assistant\nOn 3\+3:$/);
  });

  test.each([
    ['columns, which may give the answer away', '{q} makes {a}'],
    ['text without a hidden answer', 'Six'],
  ])('is not %s', async (_, said) => {
    answer = () => '6';
    for (const model of [vllm, { meta_template: 'chatml' }]) {
      const { body, codes } = await seen({ model, template: { round: [human, bot(said)] } });
      expect(JSON.stringify(body)).toContain('3+3');
      expect(JSON.stringify(body)).not.toMatch(/makes|Six|continue/);
      expect(codes).toContain('template.answer_start_dropped');
    }
  });

  test('is no part of compat modes', async () => {
    answer = () => '6';
    for (const compat of ['opencompass', 'aisbench']) {
      const { body } = await seen({ model: vllm, template: { round }, compat });
      const usual = await seen({ model: { type: 'OpenAI' }, template: { round }, compat });
      expect(body).toEqual(usual.body);
    }
  });

  test('stands before each answer of a dialogue', async () => {
    const dataset = {
      rows: [{ q: ['1+1', '3+3'], a: ['2', '6'] }],
      infer_cfg: {
        prompt_template: { type: 'MultiTurnPromptTemplate', template: { round } },
        inferencer: { type: 'MultiTurnGenInferencer', infer_mode: 'every' },
      },
    };
    answer = ({ messages }) => ((messages as unknown[]).length > 2 ? 'Answer: 6' : 'Answer: 2');
    server.bodies.length = 0;
    const config = configOf({ model: vllm, dataset });
    const { summary } = await evaluate(config, { out: join(scratch, String(folders++)) });
    expect(summary.results[0]?.score?.value).toBe(1);
    expect(server.bodies.map(({ messages }) => messages)).toEqual([
      [{ role: 'user', content: '1+1' }, begun],
      [{ role: 'user', content: '1+1' }, { role: 'assistant', content: 'Answer: 2' }, user, begun],
    ]);
  });
});

describe('stops of a format', () => {
  const round = [human, bot('{a}')];
  test.each<[string, object, unknown]>([
    ['chatml', { meta_template: 'chatml' }, ['<|im_end|>']],
    ['llama3', { meta_template: 'llama3' }, ['<|eot_id|>']],
    ['llama2', { meta_template: 'llama2' }, ['</s>']],
    ['vicuna', { meta_template: 'vicuna' }, ['</s>', 'USER:']],
    ['alpaca', { meta_template: 'alpaca' }, ['### Instruction:']],
    [
      'one of its own',
      {
        meta_template: {
          round: [human, { ...bot(''), prompt: undefined, generate: true }],
          stop: 'Q',
        },
      },
      ['Q'],
    ],
    ['the stop of the model wins', { meta_template: 'chatml', stop: ['END'] }, ['END']],
    ['none at all', { meta_template: 'chatml', stop: [] }, undefined],
    ['a chat server knows', { type: 'OpenAI' }, undefined],
    ['no format', {}, undefined],
  ])('%s', async (_, model, stop) => {
    answer = () => '6';
    expect((await seen({ model, template: { round } })).body.stop).toEqual(stop);
    const inferencer = { type: 'GenInferencer', stopping_criteria: ['\n\n', 'END'] };
    const both = await seen({ model, template: { round }, infer: { inferencer } });
    expect(both.body.stop).toEqual([...new Set([...((stop as string[]) ?? []), '\n\n', 'END'])]);
    expect((await seen({ model, template: '{q}' })).body.stop).toEqual(
      'stop' in model && stop !== undefined ? stop : undefined,
    );
  });

  test.each([
    ['qwen2.5', '<|im_end|>'],
    ['llama-3', '<|eot_id|>'],
    ['gemma', '<end_of_turn>'],
    ['mistral-v1', '</s>'],
    ['phi-3', '<|end|>'],
    ['llama-2', '</s>'],
    ['zephyr', '</s>'],
  ])('of the chat template %s', async (name, stop) => {
    const model = { chat_template: await chatTemplate(name) };
    expect((await seen({ model, template: { round } })).body.stop).toEqual([stop]);
  });

  test('are not added in compat modes', async () => {
    const model = { meta_template: 'chatml' };
    const { body } = await seen({ model, template: { round }, compat: 'opencompass' });
    expect(body).not.toHaveProperty('stop');
  });
});

describe('a system text', () => {
  const round = [human, bot('{a}')];
  const own = {
    round: [
      { role: 'HUMAN', begin: 'H:', end: '\n' },
      { role: 'BOT', begin: 'B:', generate: true },
    ],
  };
  const textFirst = { round: ['X\n', ...own.round] };
  const folded = 'Be brief.\n\n';
  const few = {
    ...shots({ round }),
    prompt_template: withMark({ begin: [system, '</E>'], round }),
  };

  test.each<[string, object | string, string, string]>([
    ['own', { meta_template: own }, `H:${folded}3+3\nB:`, `H:${folded}1+1\nB:2H:3+3\nB:`],
    [
      'rounds that begin with text',
      { meta_template: textFirst },
      `X\nH:${folded}3+3\nB:`,
      `X\nH:${folded}1+1\nB:2X\nH:3+3\nB:`,
    ],
    [
      'gemma',
      { meta_template: 'gemma' },
      `<bos><start_of_turn>user\n${folded}3+3<end_of_turn>\n<start_of_turn>model\n`,
      `<bos><start_of_turn>user\n${folded}1+1<end_of_turn>\n<start_of_turn>model\n2<end_of_turn>\n<start_of_turn>user\n3+3<end_of_turn>\n<start_of_turn>model\n`,
    ],
    [
      'llama2',
      { meta_template: 'llama2' },
      '<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n3+3 [/INST]',
      '<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n1+1 [/INST] 2 </s><s>[INST] 3+3 [/INST]',
    ],
    [
      'gemma.jinja',
      'gemma',
      `<s><start_of_turn>user\n${folded}3+3<end_of_turn>\n<start_of_turn>model\n`,
      `<s><start_of_turn>user\n${folded}1+1<end_of_turn>\n<start_of_turn>model\n2<end_of_turn>\n<start_of_turn>user\n3+3<end_of_turn>\n<start_of_turn>model\n`,
    ],
    [
      'mistral-v1.jinja',
      'mistral-v1',
      `<s>[INST] ${folded}3+3 [/INST]`,
      `<s>[INST] ${folded}1+1 [/INST]2</s>[INST] 3+3 [/INST]`,
    ],
  ])('of %s is said in the first user turn', async (_, given, prompt, fewShot) => {
    const model = typeof given === 'string' ? { chat_template: await chatTemplate(given) } : given;
    for (const said of [system, { ...system, fallback_role: 'HUMAN' }]) {
      const isOwn = 'meta_template' in model && typeof model.meta_template === 'object';
      if (isOwn && 'fallback_role' in said) continue;
      const { body, codes } = await seen({ model, template: { begin: [said], round } });
      expect(body.prompt).toBe(prompt);
      expect(codes).toContain('template.system_folded');
    }
    expect((await seen({ model, infer: few })).body.prompt).toBe(fewShot);
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: '{q}' },
    ];
    expect((await seen({ model, template: messages })).body.prompt).toBe(prompt);
  });

  test('that names a fallback is a turn of that role, as the documents say', async () => {
    const said = { ...system, fallback_role: 'HUMAN' };
    const template = { begin: [said], round };
    const { body, codes } = await seen({ model: { meta_template: own }, template });
    expect(body.prompt).toBe('H:Be brief.\nH:3+3\nB:');
    expect(codes).toContain('template.role_fell_back');
  });

  test('goes to chat servers without that role in the user message', async () => {
    const roles = { round: [{ role: 'HUMAN' }, { role: 'BOT', generate: true }] };
    const model = { type: 'OpenAI', meta_template: roles };
    const zero = await seen({ model, template: { begin: [system], round } });
    expect(zero.body.messages).toEqual([{ role: 'user', content: `${folded}3+3` }]);
    expect((await seen({ model, infer: few })).body.messages).toEqual([
      { role: 'user', content: `${folded}1+1` },
      { role: 'assistant', content: '2' },
      { role: 'user', content: '3+3' },
    ]);
  });

  test('may be a message of token ids', async () => {
    const ids = {
      round: [
        { role: 'HUMAN', begin: [7, '>'], end: [8] },
        { role: 'BOT', begin: [9], generate: true },
      ],
    };
    const { cp } = await import('node:fs/promises');
    const root = join(import.meta.dirname, '../..');
    await cp(join(root, 'models/typecase-tiny/tokenizer.json'), join(scratch, 'tokenizer.json'));
    const model = { meta_template: ids, tokenizer: join(scratch, 'tokenizer.json') };
    const { body } = await seen({ model, template: { begin: [system], round } });
    const bytes = (text: string) => [...Buffer.from(text)];
    expect(body.prompt).toEqual([7, ...bytes(`>${folded}3+3`), 8, 9]);
  });
});

describe('shots_as', () => {
  const round = [human, bot('{a}')];
  const text = { template: 'Solve.\n</E>Q: {q}\nA: {a}', ice_token: '</E>' };
  const ice = { template: 'Q: {q}\nA: {a}' };
  const dialogue = withMark({ begin: [system, '</E>'], round });
  const messages = {
    messages: [{ role: 'system', content: 'Be brief.' }, '</E>', { role: 'user', content: '{q}' }],
  };
  const u = (content: string) => ({ role: 'user', content });
  const a = (content: string) => ({ role: 'assistant', content });
  const s = (content: string) => ({ role: 'system', content });
  const retriever = { type: 'FixKRetriever', fix_id_list: [0] };
  const inText = { ice_template: ice, prompt_template: text };
  const inTurns = { ice_template: { template: { round } }, prompt_template: dialogue };
  const inMessages = { ice_template: { template: { round } }, prompt_template: messages };
  const noSystem = {
    ice_template: { template: { round } },
    prompt_template: withMark({ begin: ['</E>'], round }),
  };

  test.each<[string, object, object]>([
    ['text', inText, [u('Solve.\nQ: 1+1\nA: 2\nQ: 3+3\nA:')]],
    ['turns', inText, [s('Solve.'), u('Q: 1+1\nA:'), a('2'), u('Q: 3+3\nA:')]],
    ['system', inText, [s('Solve.\n\nQ: 1+1\nA: 2'), u('Q: 3+3\nA:')]],
    ['text', inTurns, [s('Be brief.'), u('1+1\n2\n3+3')]],
    ['turns', inTurns, [s('Be brief.'), u('1+1'), a('2'), u('3+3')]],
    ['system', inTurns, [s('Be brief.\n\n1+1\n2'), u('3+3')]],
    ['text', inMessages, [s('Be brief.'), u('1+1\n2\n3+3')]],
    ['turns', inMessages, [s('Be brief.'), u('1+1'), a('2'), u('3+3')]],
    ['system', inMessages, [s('Be brief.\n\n1+1\n2'), u('3+3')]],
    ['text', noSystem, [u('1+1\n2\n3+3')]],
    ['turns', noSystem, [u('1+1'), a('2'), u('3+3')]],
    ['system', noSystem, [s('1+1\n2'), u('3+3')]],
  ])('%s of %j', async (shots_as, infer, wanted) => {
    answer = () => '6';
    const chat = { type: 'OpenAI' };
    const few = await seen({ model: chat, infer: { ...infer, retriever, shots_as } });
    expect(few.body.messages).toEqual(wanted);
    expect(few.score).toBe(1);
    // Without examples nothing is left of them, and nothing stands for them.
    const zero = await seen({ model: chat, infer: { ...infer, shots_as } });
    expect(JSON.stringify(zero.body)).not.toMatch(/1\+1|\\n\\n"|""/);
    // The same through the format of a text model.
    const own = { meta_template: 'chatml' };
    const written = await seen({ model: own, infer: { ...infer, retriever, shots_as } });
    const said = (wanted as { role: string; content: string }[])
      .map(({ role, content }) => `<|im_start|>${role}\n${content}<|im_end|>\n`)
      .join('');
    const isPlain = infer === inText && shots_as === 'text';
    const first = isPlain && (wanted as { content: string }[])[0]?.content;
    expect(written.body.prompt).toBe(isPlain ? first : `${said}<|im_start|>assistant\n`);
  });

  test('system, in the line ends of the format', async () => {
    const model = { meta_template: 'rinna' };
    const two = { type: 'FixKRetriever', fix_id_list: [0, 0] };
    const infer = { ...inTurns, retriever: two, shots_as: 'system' };
    const { body } = await seen({ model, infer });
    expect(body.prompt).toBe('ユーザー: Be brief.<NL>1+1<NL>2<NL>1+1<NL>2<NL>3+3<NL>システム: ');
  });

  test('system, where no example fits', async () => {
    const infer = { ...noSystem, retriever, shots_as: 'system' };
    const limit = { max_seq_len: 12, max_out_len: 1 };
    const chat = await seen({ model: { type: 'OpenAI', ...limit, max_seq_len: 3 }, infer });
    expect(chat.body.messages).toEqual([u('3+3')]);
    const written = await seen({ model: { meta_template: 'chatml', ...limit }, infer });
    expect(written.body.prompt).not.toContain('system');
  });

  test('of labels', async () => {
    const label = (said: string) => ({ round: [human, bot(said)] });
    const template = { '2': label('2'), '6': label('6') };
    const infer = {
      ice_template: { template },
      prompt_template: {
        template: {
          '2': { begin: ['</E>'], ...label('2') },
          '6': { begin: ['</E>'], ...label('6') },
        },
        ice_token: '</E>',
      },
      retriever,
      shots_as: 'text',
      inferencer: { type: 'PPLInferencer' },
    };
    const config = configOf({ model: { meta_template: 'chatml' }, infer });
    await using evaluations = await openEvaluations(config, { purpose: 'view' });
    const [evaluation] = evaluations;
    for await (const [row] of evaluation?.rows.batches() ?? []) {
      const plan = row && (await evaluation?.plan(row));
      const asked = plan?.requests[0]?.asked;
      expect(asked?.type === 'loglikelihood' && asked.texts.map(({ text: one }) => one)).toEqual(
        ['2', '6'].map(
          (said) =>
            `<|im_start|>user\n1+1\n2\n3+3<|im_end|>\n<|im_start|>assistant\n${said}<|im_end|>\n`,
        ),
      );
    }
  });

  test.each<[string, Case, string]>([
    ['compat modes', { compat: 'opencompass', infer: inTurns }, 'config.conflicting_keys'],
    [
      'texts that do not end in the answer',
      { infer: { ...inText, ice_template: { template: '{a} = {q}' } } },
      'template.shots_as',
    ],
    ['no form', { infer: { ...inTurns, shots_as: 'list' } }, 'config.unknown_value'],
  ])('%s do not take it', async (_, given, code) => {
    const infer = { retriever, shots_as: 'turns', ...given.infer };
    const opened = openEvaluations(configOf({ ...given, infer }), { purpose: 'view' });
    await expect(opened).rejects.toMatchObject({ code });
  });
});

/** What a config asks, and what is said of it, before anything is sent. */
async function opened(given: Case) {
  await using evaluations = await openEvaluations(configOf(given), { purpose: 'view' });
  const [evaluation] = evaluations;
  const codes = evaluation?.diagnostics.map(({ code }) => code) ?? [];
  for await (const [row] of evaluation?.rows.batches() ?? []) {
    const traced = row && (await evaluation?.trace(row));
    const shown = traced?.requests[0]?.texts.map(({ prompt }) => untrace(prompt));
    const asked = row && (await evaluation?.plan(row))?.requests[0]?.asked;
    return { codes, shown, asked };
  }
  throw new RangeError('no rows');
}

test('labels put behind a prompt keep the space that the template has before the hidden answer', async () => {
  const open = { round: [human, bot('A: {a}')] };
  const chatml = { meta_template: 'chatml' };
  const start = '<|im_start|>user\n3+3<|im_end|>\n<|im_start|>assistant\nA:';
  for (const [given, labels, ends] of [
    [{ template: 'Q: {q}\nA: {a}' }, ['2', '6'], 'Q: 3+3\nA:'],
    [{ template: 'Q: {q}\nA: {a}' }, [' 2', ' 6'], 'Q: 3+3\nA:'],
    [{ template: open, model: chatml }, ['2', '6'], start],
  ] as const) {
    const infer = {
      prompt_template: { template: given.template },
      inferencer: { type: 'CLPInferencer', labels },
    };
    const { shown, asked, codes } = await opened({ ...given, infer });
    const texts = [`${ends} 2`, `${ends} 6`];
    expect(asked?.type === 'loglikelihood' && asked.texts).toEqual(
      texts.map((text) => ({ text, from: ends.length })),
    );
    expect(shown).toMatchObject(texts.map((text) => ({ text })));
    expect(codes).not.toContain('template.space_before_answer');
  }
});

test.each<[string, Case, readonly string[]]>([
  [
    'columns in braces beside a column_token_map',
    { infer: { prompt_template: { template: '{q} </q>', column_token_map: { q: '</q>' } } } },
    ['template.plain_field'],
  ],
  [
    'braces around other names, and tokens',
    { infer: { prompt_template: { template: '{x} </q>', column_token_map: { q: '</q>' } } } },
    [],
  ],
  [
    'a mark of examples without ice_token',
    { template: '</E>{q} {a}' },
    ['template.plain_ice_token'],
  ],
  [
    'the same in an example',
    {
      infer: { ...shots('</E>{q} {a}'), prompt_template: { ...withMark({}), template: '</E>{q}' } },
    },
    ['template.plain_ice_token'],
  ],
  [
    'examples without a place among messages',
    { infer: { ...shots({ round: [human, bot('{a}')] }), prompt_template: { messages: asked } } },
    ['template.examples_not_shown'],
  ],
  [
    'examples after the answer',
    {
      model: { meta_template: 'chatml' },
      infer: {
        ...shots({ round: [human, bot('{a}')] }),
        prompt_template: withMark({ round: [human, bot('{a}')], end: ['</E>'] }),
      },
    },
    ['template.examples_not_shown', 'template.end_not_sent'],
  ],
  [
    'an end after the answer',
    { model: { meta_template: 'gemma' }, template: { round: [human, bot('{a}')], end: [system] } },
    ['template.end_not_sent'],
  ],
  ['an end that is sent', { template: { round: [human], end: [system] } }, []],
])('of %s, that something is not as it looks is said', async (_, given, wanted) => {
  const marked = new Set([
    'template.plain_field',
    'template.plain_ice_token',
    'template.examples_not_shown',
    'template.end_not_sent',
    'template.system_folded',
  ]);
  const { codes } = await opened(given);
  expect(codes.filter((code) => marked.has(code))).toEqual(wanted);
});

test('an empty column before the hidden answer leaves the space before it to the model', async () => {
  answer = () => ' 6';
  for (const [template, hint, prompt] of [
    ['Q: {q}\nA: {h}{a}', '', 'Q: 3+3\nA:'],
    ['Q: {q}\nA: {h}{a}', 'six ', 'Q: 3+3\nA: six '],
    ['Q: {q}\nA: {h} {a}', '', 'Q: 3+3\nA:'],
    ['{q}\n{h}{a}', '', '3+3\n'],
  ] as const) {
    const dataset = {
      rows: { test: [{ q: '3+3', a: '6', h: hint }] },
      reader_cfg: { input_columns: ['q', 'h'], output_column: 'a' },
    };
    const { body } = await seen({ template, dataset });
    expect(body.prompt).toBe(prompt);
  }
});

test('continue_final_message given by hand is how the server goes on with an answer', async () => {
  const kwargs = { continue_final_message: true };
  const model = { type: 'OpenAI', generation_kwargs: kwargs };
  const template = { round: [human, bot('A: {a}')] };
  const { codes } = await opened({ model, template });
  expect(codes).not.toContain('template.answer_prefix_not_taken');
  const { body } = await seen({ model, template });
  expect(body).toMatchObject({
    ...kwargs,
    add_generation_prompt: false,
    messages: [{ role: 'user' }, { role: 'assistant', content: 'A:' }],
  });
});

test.each([
  [{ type: 'OpenAI' }, 'template.answer_prefix_not_taken'],
  [{ meta_template: 'gemma' }, 'template.system_folded'],
])('a ChatInferencer of %j says what others say', async (model, code) => {
  const template = { begin: [system], round: [human, bot('A: {a}')] };
  for (const type of ['GenInferencer', 'ChatInferencer']) {
    const infer = { prompt_template: { template }, inferencer: { type } };
    expect((await opened({ model, infer })).codes).toContain(code);
  }
});

test('a chat in which the model is to speak first is refused', async () => {
  const template = { round: [{ ...human, generate: true }, bot('{a}')] };
  const refused = opened({ model: { type: 'OpenAI' }, template });
  await expect(refused).rejects.toMatchObject({ code: 'template.nothing_asked' });
});

test('a stop that the format of a chat API names is sent', async () => {
  const round = [{ role: 'HUMAN' }, { role: 'BOT', end: '<end>', generate: true }];
  for (const [stop, sent] of [
    [undefined, undefined],
    ['###', ['###']],
  ]) {
    const model = { type: 'OpenAI', meta_template: { round, ...(stop && { stop }) } };
    const { body } = await seen({ model, template: { round: [human, bot('{a}')] } });
    expect(body.stop).toEqual(sent);
  }
});

test('the stop is that of a turn with its own end', async () => {
  const model = { meta_template: 'chatml' };
  for (const [end, stop] of [
    ['</x>', ['</x>']],
    ['))', undefined],
    [undefined, ['<|im_end|>']],
  ]) {
    const template = { round: [human, { ...bot('{a}'), ...(end && { end }) }] };
    expect((await seen({ model, template })).body.stop).toEqual(stop);
  }
});

test.each([
  ['vicuna', 'USER: 1+1 ASSISTANT: 2</s>USER: 3+3 ASSISTANT:'],
  ['moss', '<|MOSS|>: 2<eom>\n'],
])('examples of %s have the space that answers have', async (meta_template, shown) => {
  const round = [human, bot('{a}')];
  const infer = { ...shots({ round }), prompt_template: withMark({ begin: ['</E>'], round }) };
  const { body } = await seen({ model: { meta_template }, infer });
  expect(body.prompt).toContain(shown);
  expect(body.prompt).toMatch(/:$/);
});
