import { expect, it } from 'vitest';
import { requireAbilities } from './model.ts';
import { promptOnlyModel } from './prompt-only-model.ts';

const prompt = { type: 'text', text: 'hi' } as const;
const options = { signal: new AbortController().signal };

it('encodes what it would be asked, and is asked nothing', async () => {
  const model = promptOnlyModel('m', 'no endpoint is set');
  expect(JSON.parse(model.encode({ prompt }))).toEqual(prompt);
  const texts = [{ text: 'hi', from: 1 }];
  expect(JSON.parse(model.loglikelihoodModel?.encode({ texts }) ?? '')).toEqual(texts);
  const refusal = {
    code: 'model.unasked',
    retryable: false,
    message: expect.stringContaining('`m`'),
  };
  await expect(model.generate({ prompt }, options)).rejects.toMatchObject(refusal);
  await expect(model.loglikelihoodModel?.measure({ texts }, options)).rejects.toMatchObject(
    refusal,
  );
  await model.close();
});

it('shows the prompts of every inferencer', () => {
  const model = promptOnlyModel('m', 'no endpoint is set');
  requireAbilities(model, ['generate', 'loglikelihood', 'next-token', 'vision'], 'a prompt');
});
