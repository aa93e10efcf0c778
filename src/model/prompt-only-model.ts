import { ModelError } from '../errors.ts';
import type { Model } from './model.ts';

/** A model that prompts can be made for, and that cannot be asked. */
export function promptOnlyModel(name: string, reason: string): Model {
  const refuse = async (): Promise<never> => {
    throw new ModelError('model.unasked', `\`${name}\` cannot be asked: ${reason}`, {
      retryable: false,
    });
  };
  return {
    name,
    abilities: new Set(['generate', 'loglikelihood', 'next-token', 'vision']),
    identity: { type: 'none', name },
    facts: { reason },
    encode: ({ prompt }) => JSON.stringify(prompt),
    generate: refuse,
    loglikelihoodModel: { encode: ({ texts }) => JSON.stringify(texts), measure: refuse },
    close: async () => undefined,
  };
}
