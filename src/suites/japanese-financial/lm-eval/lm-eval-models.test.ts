import { expect, onTestFinished, test, vi } from 'vitest';
import { openEvaluations } from '../../../evaluation/open-evaluations.ts';
import { spellFoundModel, spellNamedTask } from '../../evaluate-spelled.ts';
import { registerSuites } from '../../index.ts';
import { taskOf } from './task-evaluation.ts';

registerSuites();

async function open(model: string, model_args = '', rest = {}) {
  const named = { task: 'fp2', version: '0.2', dialect: undefined };
  const spelled = spellNamedTask('fp2', { ...named, numFewshot: 0, dataDir: undefined, model });
  const models = [spellFoundModel({ model, model_args, ...rest })];
  const evaluations = await openEvaluations({ models, datasets: [spelled] } as never);
  onTestFinished(() => evaluations.close());
  const [evaluation] = evaluations;
  if (!evaluation) throw new RangeError('nothing was opened');
  return { ...evaluation, limit: taskOf(evaluation)?.limit };
}

const address = 'model=org/m,base_url=http://127.0.0.1:9/v1';

test.each([
  ['local-chat-completions', 'OpenAI', 'http://127.0.0.1:9/v1/chat/completions'],
  ['self-hosted-1', 'OpenAICompletions', 'http://127.0.0.1:9/v1/completions'],
])('%s is a model of type %s that writes', async (kind, type, url) => {
  vi.stubEnv('OPENAI_API_KEY', undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { model, modelConfig, task, pace } = await open(kind, address, {
    batch_size: 'auto',
    retries: 2,
  });
  expect(modelConfig).toMatchObject({ abbr: 'org/m', type });
  expect(pace).toMatchObject({ maxConcurrency: 16, maxAttempts: 2 });
  expect(task).toMatchObject({ mode: 'gen', inferencer: 'GenInferencer' });
  expect(model.identity).toEqual({
    type: 'openai',
    ...{ url, model: 'org/m', generationKwargs: { temperature: 0 } },
  });
});

test('a local model goes by the name of its folder, and knows how much fits', async () => {
  const { model, task, limit } = await open('hf', 'pretrained=typecase-tiny');
  expect([model.name, task.mode]).toEqual(['typecase-tiny', 'ppl']);
  expect(limit?.maxTokens).toBe(model.facts?.contextLength);
  const short = await open('hf', 'pretrained=typecase-tiny,max_length=7');
  expect(short.limit?.maxTokens).toBe(7);
});

test('a length without tokens to count is said to mean nothing', async () => {
  const { diagnostics } = await open('dummy', 'max_length=7');
  expect(diagnostics.map(({ code }) => code)).toContain('task.uncounted_length');
});

test('a folder that is none', async () => {
  await expect(open('hf', 'pretrained=/no/such')).rejects.toMatchObject({
    code: 'model.folder_missing',
  });
});
