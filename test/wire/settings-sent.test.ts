import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { ConfigInput } from '../../src/config/config-input.ts';
import {
  type EvaluateOptions,
  evaluate,
  loadConfig,
  openEvaluations,
  planRun,
} from '../../src/index.ts';
import { startAnsweringServer } from './answering-server.ts';

const scratch = await mkdtemp(join(tmpdir(), 'typecase-settings-'));
const server = await startAnsweringServer(() => '2');
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true });
});
let folders = 0;
const newFolder = () => join(scratch, String(folders++));

const round = [
  { role: 'SYSTEM', fallback_role: 'HUMAN', prompt: 'Be brief.' },
  { role: 'HUMAN', prompt: '{q}' },
  { role: 'BOT', prompt: '{a}' },
];

interface Case {
  readonly model?: object;
  readonly inferencer?: object;
  readonly template?: unknown;
  readonly dataset?: object;
  readonly compat?: string;
}

function configOf({ model, inferencer, template = { round }, dataset, compat }: Case): ConfigInput {
  return {
    ...(compat && { compat }),
    models: [{ abbr: 'm', type: 'OpenAICompletions', model: 'x', base_url: server.url, ...model }],
    datasets: [
      {
        abbr: 'd',
        rows: [{ q: '1+1', a: '2' }],
        reader_cfg: { input_columns: ['q'], output_column: 'a' },
        infer_cfg: {
          prompt_template: { template },
          inferencer: { type: 'GenInferencer', ...inferencer },
        },
        eval_cfg: { evaluator: { type: 'exact' } },
        ...dataset,
      },
    ],
  } as unknown as ConfigInput;
}

/** The body that a run sends; what is viewed must be the same. */
async function bodyOf(given: Case, options: EvaluateOptions = {}) {
  server.bodies.length = 0;
  const config = configOf(given);
  await evaluate(config, { ...options, out: newFolder() });
  const [body] = server.bodies;
  if (Object.keys(options).length === 0) {
    await using evaluations = await openEvaluations(config, { purpose: 'view' });
    for (const evaluation of evaluations) {
      for await (const [row] of evaluation.rows.batches()) {
        const { requests } = row ? await evaluation.trace(row) : { requests: [] };
        expect(requests.map(({ encoded }) => JSON.parse(encoded))).toEqual([body]);
      }
    }
  }
  return body;
}

const generate = { role: 'BOT', begin: 'B:', end: '.', generate: true };
const meta = (more: object) => ({ round: [{ role: 'HUMAN', begin: 'H:' }, generate], ...more });

describe('eos_token_id', () => {
  test.each([
    [2, [2]],
    [
      [2, 151645],
      [2, 151645],
    ],
  ])('%j of a meta template is sent', async (eos_token_id, ids) => {
    for (const compat of ['', 'opencompass', 'aisbench']) {
      const model = { meta_template: meta({ eos_token_id }) };
      const template = { round: round.slice(1) };
      expect(await bodyOf({ model, compat, template })).toMatchObject({ stop_token_ids: ids });
    }
    const api_role = [{ role: 'HUMAN' }, { role: 'BOT', generate: true }];
    const model = { type: 'OpenAI', meta_template: { round: api_role, eos_token_id } };
    expect(await bodyOf({ model })).toMatchObject({ stop_token_ids: ids, messages: [{}] });
  });

  test('the settings of the model go before it', async () => {
    const model = {
      meta_template: meta({ eos_token_id: 2 }),
      generation_kwargs: { stop_token_ids: [7] },
    };
    expect(await bodyOf({ model })).toMatchObject({ stop_token_ids: [7] });
    expect(await bodyOf({})).not.toHaveProperty('stop_token_ids');
  });

  test('ends an answer of a local model', async () => {
    // Tokens are bytes: 50 is the digit 2.
    const answers = await Promise.all(
      [{}, { eos_token_id: 50 }].map(async (more) => {
        const local = { type: 'Local', path: 'typecase-tiny', base_url: undefined };
        const model = { ...local, meta_template: meta(more), max_out_len: 4 };
        const given = { model, template: '12+30=' };
        const { rows } = await evaluate(configOf(given), { out: newFolder() });
        for await (const { answer } of rows()) return answer;
        return undefined;
      }),
    );
    expect(answers[0]).toMatch(/^42/);
    expect(answers[1]).toBe('4');
  });

  test('is refused for models that cannot be told', async () => {
    const model = {
      type: 'AISDK',
      package: '@ai-sdk/openai-compatible',
      base_url: undefined,
      meta_template: { round: [{ role: 'HUMAN' }, { role: 'BOT' }], eos_token_id: 2 },
    };
    await expect(evaluate(configOf({ model }), { out: newFolder() })).rejects.toMatchObject({
      code: 'model.no_stop_tokens',
      path: ['models', 0, 'meta_template', 'eos_token_id'],
    });
  });
});

describe('settings of a dataset', () => {
  const model = { generation_kwargs: { temperature: 0.1, top_p: 0.9 }, max_out_len: 5 };
  test.each<[object, object]>([
    [{}, { temperature: 0.1, top_p: 0.9, max_tokens: 5 }],
    [
      { generation_kwargs: { temperature: 0.7, seed: 3 }, max_out_len: 7 },
      { temperature: 0.7, top_p: 0.9, seed: 3, max_tokens: 7 },
    ],
    [{ temperature: 0.4 }, { temperature: 0.4, top_p: 0.9 }],
    [{ temperature: 0.4, do_sample: false }, { temperature: 0 }],
    [{ temperature: 0.4, do_sample: true }, { temperature: 0.4 }],
    [
      { generation_kwargs: { do_sample: true, temperature: 0.7, top_k: 40 } },
      { temperature: 0.7, top_k: 40 },
    ],
    [{ generation_kwargs: { stop: ['\n'] }, stopping_criteria: ['x'] }, { stop: ['\n'] }],
  ])('%j', async (inferencer, wanted) => {
    const body = await bodyOf({ model, inferencer });
    expect(body).toMatchObject(wanted);
    expect(body).not.toHaveProperty('do_sample');
  });

  test('flags go before them', async () => {
    const inferencer = { generation_kwargs: { temperature: 0.7, seed: 3 } };
    const body = await bodyOf({ model, inferencer }, { temperature: 0 });
    expect(body).toMatchObject({ temperature: 0, seed: 3 });
  });

  test('other settings are other requests, also of dialogues', async () => {
    const rows = [{ q: ['1+1', '2+2'], a: ['2', '4'] }];
    const turns = {
      prompt_template: {
        type: 'MultiTurnPromptTemplate',
        template: { round: round.slice(1) },
      },
    };
    for (const infer of [undefined, turns]) {
      const configs = [0.5, 0.6, 0.5].map((temperature) => {
        const type = infer ? 'MultiTurnGenInferencer' : 'GenInferencer';
        const inferencer = { type, generation_kwargs: { temperature } };
        const dataset = infer && { rows, infer_cfg: { ...infer, inferencer } };
        return configOf({ inferencer, ...(dataset && { dataset }) });
      });
      const out = newFolder();
      const sent: number[] = [];
      for (const config of configs) {
        server.bodies.length = 0;
        const { total } = await planRun(config, { out });
        await evaluate(config, { out });
        expect(total.send).toBe(server.bodies.length);
        sent.push(server.bodies.length);
      }
      expect(sent).toEqual(infer ? [2, 2, 0] : [1, 1, 0]);
    }
  });

  test('a local model refuses what it does not know before anything is asked', async () => {
    const local = { type: 'Local', path: 'typecase-tiny', base_url: undefined };
    const inferencer = { generation_kwargs: { min_p: 0.1 } };
    await expect(
      evaluate(configOf({ model: local, inferencer }), { out: newFolder() }),
    ).rejects.toMatchObject({
      code: 'model.bad_setting',
      path: ['datasets', 0, 'infer_cfg', 'inferencer', 'generation_kwargs'],
    });
  });

  test.each([
    [{ generation_kwargs: { messages: [] } }, 'config.conflicting_keys'],
    [{ generation_kwargs: { temperature: Number.NaN } }, 'config.wrong_type'],
  ])('%j is refused', async (inferencer, code) => {
    await expect(
      openEvaluations(configOf({ inferencer }), { purpose: 'view' }),
    ).rejects.toMatchObject({ code });
  });
});

describe('llama2', () => {
  const model = { meta_template: 'llama2' };
  const system = { role: 'SYSTEM', prompt: 'Be brief.' };
  const human = { role: 'HUMAN', prompt: '{q}' };
  const bot = { role: 'BOT', prompt: '{a}' };
  const block = '<<SYS>>\nBe brief.\n<</SYS>>\n\n';
  test.each([
    [{ round: [human, bot] }, '<s>[INST] 1+1 [/INST]'],
    [{ begin: [system], round: [human, bot] }, `<s>[INST] ${block}1+1 [/INST]`],
    [{ round: [system, human, bot] }, `<s>[INST] ${block}1+1 [/INST]`],
    [
      {
        begin: [system],
        round: [{ role: 'HUMAN', prompt: 'Hi' }, { role: 'BOT', prompt: 'Yo' }, human, bot],
      },
      `<s>[INST] ${block}Hi [/INST] Yo </s><s>[INST] 1+1 [/INST]`,
    ],
    [{ round: [system, bot] }, `<s>[INST] ${block} [/INST]`],
  ])('%j', async (template, prompt) => {
    expect(await bodyOf({ model, template })).toMatchObject({ prompt });
  });

  test('a ChatInferencer writes the same', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: 'Yo' },
      { role: 'user', content: '1+1' },
    ];
    const dataset = {
      rows: [{ q: messages, a: '2' }],
      infer_cfg: { inferencer: { type: 'ChatInferencer' } },
    };
    expect(await bodyOf({ model, dataset })).toMatchObject({
      prompt: `<s>[INST] ${block}Hi [/INST] Yo </s><s>[INST] 1+1 [/INST]`,
    });
  });
});

describe('what a format may get wrong is told', () => {
  const bare = { round: [{ role: 'HUMAN' }, { role: 'BOT', end: '.' }] };
  const tokenizer = 'tokenizer.json';
  const bare_text = { add_special_tokens: false };
  const jinja = "{{ '<s>' }}{% for m in messages %}{{ m.content }}{% endfor %}";
  test.each<[string, Case, readonly string[]]>([
    ['no role that generates', { model: { meta_template: bare } }, ['meta_template.no_generate']],
    [
      'as the originals',
      { model: { meta_template: bare }, compat: 'aisbench', template: { round: round.slice(1) } },
      ['meta_template.no_generate'],
    ],
    [
      'the dataset says who generates',
      {
        model: { meta_template: bare },
        template: { round: [round[1], { ...round[2], generate: true }] },
      },
      [],
    ],
    ['text without roles', { model: { meta_template: bare }, template: '{q}' }, []],
    ['a mark of the format', { model: { meta_template: 'llama3' } }, ['model.doubled_bos']],
    ['a mark of a role', { model: { meta_template: 'llama2' } }, ['model.doubled_bos']],
    ['a mark of a chat template', { model: { chat_template: 't.jinja' } }, ['model.doubled_bos']],
    [
      'the server is told not to add one',
      { model: { meta_template: 'llama3', generation_kwargs: { add_special_tokens: false } } },
      [],
    ],
    [
      'the tokenizer adds another one',
      { model: { meta_template: 'llama3', tokenizer: 'tokenizer.json' } },
      [],
    ],
    [
      'the tokenizer adds it',
      {
        model: {
          meta_template: meta({ begin: '<|bos|>' }),
          tokenizer: 'tokenizer.json',
        },
      },
      ['model.doubled_bos'],
    ],
    ['no mark', { model: { meta_template: 'chatml' } }, []],
    [
      'a mark of a role that does not come first',
      { model: { meta_template: 'llama2' }, template: { begin: ['Rules.'], round } },
      [],
    ],
    ['a mark in a text', { template: '<s>{q}' }, ['model.doubled_bos']],
    ['text that the server puts it before', { template: '{q}', model: { tokenizer } }, []],
    [
      'text that nothing is put before',
      { template: '{q}', model: { tokenizer, generation_kwargs: bare_text } },
      ['model.missing_bos'],
    ],
    [
      'a format that nothing is put before',
      { model: { meta_template: 'chatml', tokenizer, generation_kwargs: bare_text } },
      ['model.missing_bos'],
    ],
    [
      'token ids without it',
      { model: { meta_template: meta({ begin: [7] }), tokenizer } },
      ['model.missing_bos'],
    ],
    ['token ids with it', { model: { meta_template: meta({ begin: [256] }), tokenizer } }, []],
  ])('%s', async (_, given, codes) => {
    const { cp } = await import('node:fs/promises');
    const root = join(import.meta.dirname, '../..');
    await cp(join(root, 'models/typecase-tiny/tokenizer.json'), join(scratch, 'tokenizer.json'));
    await writeFile(join(scratch, 't.jinja'), jinja);
    const file = join(scratch, 'config.json');
    await writeFile(file, JSON.stringify(configOf(given)));
    const config = await loadConfig(file);
    const told = async (purpose: 'view' | 'plan') => {
      await using evaluations = await openEvaluations(config, { purpose });
      return evaluations.flatMap(({ diagnostics }) =>
        diagnostics.map(({ code }) => code).filter((code) => !code.startsWith('template.')),
      );
    };
    expect(await told('view')).toEqual(codes);
    expect(await told('plan')).toEqual(codes);
    const { diagnostics } = await evaluate(config, { out: newFolder() });
    expect(diagnostics.map(({ code }) => code)).toEqual(expect.arrayContaining([...codes]));
  });
});

describe('files without a header', () => {
  const reader_cfg = { columns: ['q', 'b', 'a'], input_columns: ['q'], output_column: 'a' };
  test.each([
    ['rows.csv', '1+1,x,2\n"2,+2",y,2\n', ['1+1', '2,+2']],
    ['rows.tsv', '1+1\tx\t2\n2,+2\ty\t2\n', ['1+1', '2,+2']],
  ])('%s', async (name, text, prompts) => {
    await writeFile(join(scratch, name), text);
    const dataset = { rows: undefined, path: join(scratch, name), reader_cfg };
    server.bodies.length = 0;
    const out = newFolder();
    const run = await evaluate(configOf({ dataset, template: '{q}' }), { out });
    expect(server.bodies.map(({ prompt }) => prompt).toSorted()).toEqual(prompts);
    expect(run.summary.results[0]?.score?.value).toBe(1);
  });

  test.each<[string, string, object, object]>([
    ['w.csv', '1+1,x\n', {}, { code: 'data.column_count', at: { line: 1 } }],
    [
      's.csv',
      '1+1;x;2\n',
      {},
      { code: 'data.column_count', hint: expect.stringContaining('not by `;`') },
    ],
    ['l.csv', '1+1,x,2\n1+1,2\n', {}, { code: 'data.syntax', at: { line: 2 } }],
    ['h.csv', 'q,b,a\n1,2,3\n', {}, { code: 'data.header_as_row', at: { line: 1 } }],
    ['j.jsonl', '{"q":1}\n', {}, { code: 'data.columns_not_taken' }],
    ['d.csv', '1,2,3\n', { columns: ['q', 'q', 'a'] }, { code: 'config.duplicate_column' }],
  ])('%s is refused', async (name, text, more, error) => {
    await writeFile(join(scratch, name), text);
    const dataset = {
      rows: undefined,
      path: join(scratch, name),
      reader_cfg: { ...reader_cfg, ...more },
    };
    await expect(
      evaluate(configOf({ dataset, template: '{q}' }), { out: newFolder() }),
    ).rejects.toMatchObject(error);
  });
});

test('of limits for answers those of the options come first, and plans count with what is sent', async () => {
  const kwargs = (names: object) => ({ generation_kwargs: names });
  for (const [given, options, sent, planned] of [
    [{ model: { max_out_len: 4, ...kwargs({ max_tokens: 50 }) } }, {}, { max_tokens: 50 }, 50],
    [
      { model: { max_out_len: 4, ...kwargs({ max_tokens: 50 }) } },
      { maxOutLen: 3 },
      { max_tokens: 3 },
      3,
    ],
    [
      { model: kwargs({ max_completion_tokens: 50 }) },
      { maxOutLen: 3 },
      { max_completion_tokens: 3 },
      3,
    ],
    [
      { model: { max_out_len: 4 }, inferencer: kwargs({ max_tokens: 9 }) },
      {},
      { max_tokens: 9 },
      9,
    ],
    [{ inferencer: kwargs({ max_tokens: 9 }) }, { maxOutLen: 3 }, { max_tokens: 3 }, 3],
    [{ model: { max_out_len: 4 }, inferencer: { max_out_len: 6 } }, {}, { max_tokens: 6 }, 6],
    [{}, { maxOutLen: 3 }, { max_tokens: 3 }, 3],
  ] as const) {
    const config = configOf(given);
    const { total } = await planRun(config, { ...options, out: newFolder() });
    expect(total.outputTokens).toBe(planned);
    const { max_tokens, max_completion_tokens } = (await bodyOf(given, options)) ?? {};
    const limits = { max_tokens, max_completion_tokens };
    expect(limits).toEqual({ max_tokens: undefined, max_completion_tokens: undefined, ...sent });
  }
});
