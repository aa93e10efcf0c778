import { expect, onTestFinished, test, vi } from 'vitest';
import { openLmEvalModel } from './open-model.ts';

async function open(model: string, model_args = '', rest = {}) {
  const opened = await openLmEvalModel({ model, model_args, ...rest });
  onTestFinished(() => opened.model.close());
  return opened;
}

const address = 'model=org/m,base_url=http://127.0.0.1:9/v1';

test.each([
  ['local-chat-completions', 'OpenAI', 'http://127.0.0.1:9/v1/chat/completions'],
  ['self-hosted-1', 'OpenAICompletions', 'http://127.0.0.1:9/v1/completions'],
])('%s is a model of type %s', async (kind, type, url) => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model, config, mode } = await open(kind, address, { batch_size: 'auto', retries: 2 });
  expect(config).toEqual({
    source: ['--model_args'],
    abbr: 'org/m',
    type,
    model: 'org/m',
    baseUrl: 'http://127.0.0.1:9/v1',
    generationKwargs: { temperature: 0 },
    batchSize: 16,
    retries: 2,
  });
  expect(mode).toBe('gen');
  expect(model.name).toBe('org/m');
  expect(model.identity).toEqual({
    type: 'openai',
    ...{ url, model: 'org/m', generationKwargs: { temperature: 0 } },
  });
});

test('a local model goes by the name of its folder, and knows how much fits', async () => {
  const { model, mode, limit } = await open('hf', 'pretrained=typecase-tiny');
  expect([model.name, mode]).toEqual(['typecase-tiny', 'ppl']);
  expect(limit?.maxTokens).toBe(model.facts?.contextLength);
  const short = await open('hf', 'pretrained=typecase-tiny,max_length=7');
  expect(short.limit?.maxTokens).toBe(7);
});

test.each([
  ['num_concurrent=0', '--model_args.num_concurrent must be a whole number above 0, not 0'],
  ['max_length=long', '--model_args.max_length must be a whole number above 0, not a string'],
])('%s is refused', async (args, message) => {
  await expect(open('dummy', args)).rejects.toThrow(message);
});

test('a folder that is none', async () => {
  await expect(open('hf', 'pretrained=/no/such')).rejects.toMatchObject({
    code: 'model.folder_missing',
  });
});
