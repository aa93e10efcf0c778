import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, test } from 'vitest';
import { writeConfig } from '../../test/fixtures/config/write-config.ts';
import type { ChatTemplate } from '../chat-template/types.ts';
import { checkConfig } from '../config/check-config.ts';
import { readConfigFile } from '../config/read-config-file.ts';
import { makeFolder } from '../data/test-sources.ts';
import { isSpoken, type Pair, setupOfConfig } from './setup-of-config.ts';

interface Parts {
  readonly top?: string;
  readonly model?: string;
  readonly retriever?: string;
  readonly files?: Readonly<Record<string, string>>;
}

async function pairOf({ top = '', model, retriever, files = {} }: Parts): Promise<Pair> {
  const text = `
${top}
models: ${model === undefined ? '[]' : `[{ abbr: m, ${model} }]`}
datasets:
  - abbr: d
    rows: [{ q: a }]
    reader_cfg: { input_columns: [q], output_column: null }
    infer_cfg:
      prompt_template: { template: "{q}" }
      retriever: ${retriever ?? '{ type: ZeroRetriever }'}
`;
  const file = await writeConfig('c.yaml', text);
  await mkdir(join(dirname(file), 'model'));
  for (const [name, content] of Object.entries(files)) {
    await writeFile(join(dirname(file), 'model', name), content);
  }
  const config = checkConfig(await readConfigFile(file));
  const [dataset] = config.datasets;
  if (!dataset) throw new Error('no dataset');
  return { config, dataset, model: config.models[0] };
}

const side = async (parts: Parts) => (await setupOfConfig(await pairOf(parts))).model;

test.each<[string, Parts, string, string]>([
  ['no model', {}, 'text', 'plain'],
  ['no type, no format', { model: 'path: x' }, 'text', 'plain'],
  ['a text format', { model: 'meta_template: chatml' }, 'text', 'text'],
  ['a completions endpoint', { model: 'type: OpenAICompletions' }, 'text', 'plain'],
  ['a chat endpoint', { model: 'type: OpenAI' }, 'messages', 'chat'],
  ['a package', { model: 'type: AISDK, package: p, model: x' }, 'messages', 'chat'],
  ['recorded answers', { model: 'type: typecase.Replay, path: a.jsonl' }, 'messages', 'chat'],
  [
    'recorded answers of a text model',
    { model: 'type: Replay, path: a.jsonl, meta_template: chatml' },
    'text',
    'text',
  ],
  [
    'a chat template',
    { model: 'chat_template: model/t.jinja', files: { 't.jinja': 'hi' } },
    'text',
    'chat-template',
  ],
  [
    'a meta template that only the other system can read',
    { top: 'compat: opencompass', model: 'meta_template: { rounds: 5 }' },
    'text',
    'plain',
  ],
  ...['opencompass', 'aisbench'].flatMap((compat): [string, Parts, string, string][] => [
    [
      `a chat endpoint, ${compat}`,
      { top: `compat: ${compat}`, model: 'type: OpenAI' },
      'messages',
      'plain',
    ],
    [
      `a chat endpoint with a compat mode of its own, ${compat}`,
      { model: `type: OpenAI, compat: ${compat}` },
      'messages',
      'plain',
    ],
    [
      `a chat template, ${compat}`,
      {
        top: `compat: ${compat}`,
        model: 'chat_template: model/t.jinja',
        files: { 't.jinja': 'hi' },
      },
      'text',
      'chat-template',
    ],
    [
      `a named format, ${compat}`,
      { top: `compat: ${compat}`, model: 'meta_template: chatml' },
      'text',
      'text',
    ],
  ]),
])('%s', async (_, parts, takes, format) => {
  const model = await side(parts);
  expect([model.takes, model.format.type]).toEqual([takes, format]);
});

const tokens =
  '{"bos_token": "<s>", "chat_template": [{"name": "default", "template": "D"}, {"name": "rag", "template": "R{{ bos_token }}"}]}';

test.each<[string, Parts, string, unknown]>([
  [
    'a Jinja file',
    { model: 'chat_template: model/a.jinja', files: { 'a.jinja': 'A' } },
    'A',
    undefined,
  ],
  [
    'a Jinja file beside the tokens',
    {
      model: 'chat_template: model/a.jinja',
      files: { 'a.jinja': 'A', 'tokenizer_config.json': tokens },
    },
    'A',
    '<s>',
  ],
  [
    'a tokenizer config',
    {
      model: 'chat_template: model/tokenizer_config.json',
      files: { 'tokenizer_config.json': tokens },
    },
    'D',
    '<s>',
  ],
  [
    'another of its templates',
    {
      model: 'chat_template: model/tokenizer_config.json, chat_template_name: rag',
      files: { 'tokenizer_config.json': tokens },
    },
    'R{{ bos_token }}',
    '<s>',
  ],
  [
    'a tokenizer config beside the template',
    {
      model: 'chat_template: model/tokenizer_config.json',
      files: { 'tokenizer_config.json': '{"bos_token": "<b>"}', 'chat_template.jinja': 'J' },
    },
    'J',
    '<b>',
  ],
])('chat template: %s', async (_, parts, source, bos) => {
  const { format } = await side(parts);
  const template = format.type === 'chat-template' ? format.template : undefined;
  expect([
    template?.source,
    (template as ChatTemplate | undefined)?.specialTokens.bos_token,
  ]).toEqual([source, bos]);
});

test.each<[string, Parts, string, string]>([
  [
    'a missing file',
    { model: 'chat_template: model/no.jinja' },
    'chat_template.not_found',
    'models.0.chat_template',
  ],
  [
    'no JSON',
    { model: 'chat_template: model/x.json', files: { 'x.json': '{{ messages }}' } },
    'chat_template.not_json',
    'models.0.chat_template',
  ],
  [
    'a list',
    { model: 'chat_template: model/x.json', files: { 'x.json': '[]' } },
    'chat_template.not_json',
    'models.0.chat_template',
  ],
  [
    'no template in it',
    { model: 'chat_template: model/x.json', files: { 'x.json': '{}' } },
    'chat_template.missing',
    'models.0.chat_template',
  ],
  [
    'a chat endpoint applies its own',
    { model: 'type: OpenAI, chat_template: model/t.jinja', files: { 't.jinja': 'hi' } },
    'config.conflicting_keys',
    'models.0.chat_template',
  ],
  [
    'an unknown format, also for another system',
    { top: 'compat: aisbench', model: 'meta_template: chatlm' },
    'meta_template.unknown_name',
    'models.0.meta_template',
  ],
])('refused: %s', async (_, parts, code, path) => {
  const error = await side(parts).catch((thrown) => thrown);
  expect([error.code, error.path?.join('.')]).toEqual([code, path]);
});

test.each<[string, Parts, number | undefined]>([
  [
    'the seed of the retriever',
    { top: 'seed: 1', retriever: '{ type: RandomRetriever, seed: 2 }' },
    2,
  ],
  ['the seed of the config', { top: 'seed: 1', retriever: '{ type: RandomRetriever }' }, 1],
  [
    'not for other systems',
    { top: 'seed: 1\ncompat: opencompass', retriever: '{ type: RandomRetriever }' },
    undefined,
  ],
])('%s', async (_, parts, seed) => {
  const task = await setupOfConfig(await pairOf(parts));
  expect(task.retriever.seed).toBe(seed);
});

test('a model may have a mode of its own', async () => {
  const task = await setupOfConfig(
    await pairOf({ top: 'compat: opencompass', model: 'compat: aisbench' }),
  );
  expect(task.compat).toBe('aisbench');
});

describe('a retriever', () => {
  const fixtures = fileURLToPath(new URL('../model/local/fixtures/', import.meta.url));

  async function retrieverWith(embedder: string) {
    const top = `work_dir: ${await makeFolder()}`;
    const retriever = `{ type: TopkRetriever, embedder: ${embedder} }`;
    return (await setupOfConfig(await pairOf({ top, retriever }))).retriever;
  }

  it('has its condition and its embedder made ready', async () => {
    const settings = '{base_url: "http://127.0.0.1:1", model: e}, where: "level >= 3"';
    const { where, embedder } = await retrieverWith(settings);
    expect([where?.matches({ level: 2 }), where?.matches({ level: 3 })]).toEqual([false, true]);
    expect([...(where?.columns ?? [])]).toEqual(['level']);
    expect(embedder?.identity).toMatchObject({
      url: 'http://127.0.0.1:1/v1/embeddings',
      model: 'e',
    });
  });

  it('may have an encoder on this machine', async () => {
    const { embedder } = await retrieverWith(`{path: ${fixtures}encoder}`);
    const { signal } = new AbortController();
    const [cat, dog, again] = (await embedder?.embed(['cat', 'dog', 'cat'], { signal })) ?? [];
    expect(cat).toEqual(again);
    expect(cat).not.toEqual(dog);
    expect(embedder?.identity).toMatchObject({ type: 'local', sha256: expect.any(String) });
    await expect(retrieverWith(`{path: ${fixtures}causal}`)).rejects.toMatchObject({
      code: 'model.ability_missing',
    });
  });
});

describe('whether prompts say who speaks', () => {
  const spoken = (inferCfg: object) => {
    const inferencer = { type: 'GenInferencer' };
    const cfg = { inferencer, ...inferCfg };
    return isSpoken({ inferCfg: cfg } as unknown as Parameters<typeof isSpoken>[0]);
  };
  const template = (config: object) => ({ config, source: [] });
  const round = [{ role: 'HUMAN', prompt: '{q}' }];

  it.each<[string, object, boolean]>([
    ['a text', { promptTemplate: template({ template: '{q}' }) }, false],
    ['no template', {}, false],
    ['a dialogue', { promptTemplate: template({ template: { round } }) }, true],
    ['one for each label', { promptTemplate: template({ template: { A: { round } } }) }, true],
    ['texts for each label', { promptTemplate: template({ template: { A: 'x' } }) }, false],
    ['messages', { promptTemplate: template({ messages: [] }) }, true],
    ['a template of examples alone', { iceTemplate: template({ template: { round } }) }, true],
    ['examples as turns', { shotsAs: 'turns' }, true],
    ['examples in the system prompt', { shotsAs: 'system' }, true],
    ['examples as text', { shotsAs: 'text' }, false],
    ['a ChatInferencer', { inferencer: { type: 'ChatInferencer' } }, true],
  ])('%s', (_, inferCfg, expected) => {
    expect(spoken(inferCfg)).toBe(expected);
  });
});
