import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readModelFolder } from './model-folder.ts';
import { openLocal } from './open-local.ts';

const fixtures = join(import.meta.dirname, 'fixtures');

async function copyOf(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'typecase-model-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(join(fixtures, name), folder, { recursive: true });
  return folder;
}

const writing = (file: string, text: string) => (folder: string) =>
  writeFile(join(folder, file), text);
const removing = (file: string) => (folder: string) => rm(join(folder, file), { recursive: true });

test.each([
  ['without config.json', removing('config.json'), 'model.folder_incomplete', 'no config.json'],
  ['without tokenizer', removing('tokenizer.json'), 'model.folder_incomplete', 'no tokenizer.json'],
  ['without weights', removing('onnx'), 'model.folder_incomplete', 'no ONNX weights'],
  [
    'with unknown weights',
    removing('onnx/model.onnx'),
    'model.folder_incomplete',
    'several weights files, and none is called model.onnx: model_a.onnx, model_b.onnx',
  ],
  ['with a torn config', writing('config.json', '{'), 'model.folder_unreadable', 'config.json is'],
  [
    'with a list for a config',
    writing('config.json', '[]'),
    'model.folder_unreadable',
    'contains no',
  ],
  [
    'with a folder for a settings file',
    async (folder: string) => {
      await rm(join(folder, 'generation_config.json'));
      await mkdir(join(folder, 'generation_config.json'));
    },
    'model.folder_unreadable',
    'generation_config.json cannot be read (EISDIR)',
  ],
  [
    'with another file for a tokenizer',
    writing('tokenizer.json', '{"a": 1}'),
    'model.tokenizer_unreadable',
    'tokenizer.json cannot be used',
  ],
  [
    'with torn weights',
    writing('onnx/model.onnx', 'no protobuf'),
    'model.weights_unusable',
    'onnx/model.onnx cannot be used: Protobuf parsing failed.',
  ],
  [
    'with empty weights',
    writing('onnx/model.onnx', ''),
    'model.weights_unusable',
    'onnx/model.onnx cannot be used: ModelProto does not have a graph.',
  ],
  [
    'with weights that git has not brought',
    writing('onnx/model.onnx', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\n'),
    'model.weights_unusable',
    'onnx/model.onnx cannot be used: they were not downloaded yet (`git lfs pull` does it)',
  ],
  [
    'with the tokenizer of an encoder',
    (folder: string) =>
      cp(join(fixtures, 'encoder/tokenizer.json'), join(folder, 'tokenizer.json')),
    'model.tokenizer_mismatch',
    'the model generates text, but the tokenizer changes',
  ],
])('a folder %s is refused', async (name, spoil, code, message) => {
  const folder = await copyOf('causal');
  if (name === 'with unknown weights') {
    await rename(join(folder, 'onnx/model_fp16.onnx'), join(folder, 'onnx/model_a.onnx'));
    await rename(join(folder, 'onnx/model_arange.onnx'), join(folder, 'onnx/model_b.onnx'));
  }
  await spoil(folder);
  await expect(openLocal({ path: folder, source: ['models', 0] })).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
    path: ['models', 0],
    hint: expect.any(String),
  });
});

test('a tokenizer with more tokens than the model is refused', async () => {
  const causal = await copyOf('causal');
  const text = JSON.stringify({
    ...(await readModelFolder({ path: causal })).tokenizer,
    added_tokens: [{ id: 265, content: '<new>', special: true }],
  });
  await writeFile(join(causal, 'tokenizer.json'), text);
  await expect(openLocal({ path: causal })).rejects.toMatchObject({
    code: 'model.tokenizer_mismatch',
    message: expect.stringContaining('266 tokens, the model only 265'),
  });
});

test.each([
  ['nowhere', 'the folder does not exist'],
  ['causal/onnx/model_q4.onnx', 'the file does not exist'],
  ['causal/config.json', 'neither a folder nor an .onnx file'],
])('%s is refused', async (path, message) => {
  await expect(readModelFolder({ path: join(fixtures, path) })).rejects.toMatchObject({
    code: 'model.folder_missing',
    message: expect.stringContaining(message),
  });
});

test('weights are found, or named', async () => {
  const folder = await copyOf('causal');
  const found = async (path: string) =>
    (await readModelFolder({ path })).weights.slice(folder.length);
  expect(await found(folder)).toBe('/onnx/model.onnx');
  expect(await found(join(folder, 'onnx/model_arange.onnx'))).toBe('/onnx/model_arange.onnx');
  await rename(join(folder, 'onnx/model.onnx'), join(folder, 'model.onnx'));
  expect(await found(folder)).toBe('/model.onnx');
  expect(await found(join(folder, 'model.onnx'))).toBe('/model.onnx');
  await rm(join(folder, 'model.onnx'));
  expect(await found(folder)).toBe('/onnx/model_fp16.onnx');
});

test('a chat template may have a file of its own', async () => {
  const folder = await copyOf('causal');
  await writeFile(join(folder, 'chat_template.jinja'), 'x');
  const { tokenizerConfig } = await readModelFolder({ path: folder });
  expect(tokenizerConfig).toMatchObject({ chat_template: 'x', bos_token: '<bos>' });
});
