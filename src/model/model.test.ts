import { expect, test } from 'vitest';
import { ModelError } from '../errors.ts';
import { type Ability, requireAbilities } from './model.ts';

const model = { name: 'm', abilities: new Set<Ability>(['generate', 'stream']) };

test('a model that can do it is taken', () => {
  expect(() => requireAbilities(model, ['generate'], 'GenInferencer')).not.toThrow();
});

test('a model that cannot is refused before anything is sent', () => {
  const refused = () => requireAbilities(model, ['generate', 'loglikelihood'], 'PPLInferencer');
  expect(refused).toThrow(ModelError);
  expect(refused).toThrow(
    expect.objectContaining({
      code: 'model.ability_missing',
      retryable: false,
      message: 'the model `m` has no `loglikelihood`, which PPLInferencer needs',
      hint: expect.stringContaining('OpenAICompletions'),
    }),
  );
});
