import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { localModel } from './local-model.ts';
import { unloadedModel } from './unloaded-model.ts';

const path = fileURLToPath(new URL('./fixtures/causal', import.meta.url));
const settings = { path, source: ['models', 0, 'path'], name: 'm', maxOutLen: 4, stop: ['.'] };
const prompt = { type: 'text', text: 'the cat' } as const;
const texts = [{ text: 'the cat sat', from: 4 }];
const options = { signal: new AbortController().signal };

it('stands for the loaded model in all that names a request', async () => {
  const loaded = await localModel(settings);
  const unloaded = await unloadedModel({ ...settings, identify: true });
  expect(unloaded.name).toBe(loaded.name);
  expect(unloaded.identity).toEqual(loaded.identity);
  expect(unloaded.target).toEqual(loaded.target);
  for (const request of [{ prompt }, { prompt, maxOutLen: 2, stop: ['x'], seed: 1 }]) {
    expect(unloaded.encode(request)).toBe(loaded.encode(request));
  }
  expect(unloaded.loglikelihoodModel?.encode({ texts })).toBe(
    loaded.loglikelihoodModel?.encode({ texts }),
  );
  expect(unloaded.countTokens?.('the cat')).toBe(loaded.countTokens?.('the cat'));
  expect([...unloaded.abilities].sort()).toEqual([...loaded.abilities].sort());
  await loaded.close();
  await unloaded.close();
});

it('without the weights has another identity, and the same requests', async () => {
  const known = await unloadedModel({ ...settings, identify: true });
  const unknown = await unloadedModel({ ...settings, identify: false });
  expect(unknown.identity).not.toEqual(known.identity);
  expect(unknown.encode({ prompt })).toBe(known.encode({ prompt }));
});

it('is asked nothing', async () => {
  const model = await unloadedModel({ ...settings, identify: false });
  const refusal = { code: 'model.unasked', retryable: false };
  await expect(model.generate({ prompt }, options)).rejects.toMatchObject(refusal);
  await expect(model.loglikelihoodModel?.measure({ texts }, options)).rejects.toMatchObject(
    refusal,
  );
});
