import { keyedRandom } from '../base/keyed-random.ts';
import type { Model } from './model.ts';

/** A model that answers by chance, the same to the same text: for trying things out. */
export function dummyModel(name = 'dummy'): Model {
  return {
    name,
    abilities: new Set(['generate', 'loglikelihood']),
    identity: { type: 'dummy' },
    encode: ({ prompt }) => JSON.stringify(prompt),
    generate: () => Promise.resolve({ text: '', finishReason: 'stop', totalMs: 0 }),
    loglikelihoodModel: {
      encode: ({ texts }) => JSON.stringify(texts),
      measure: ({ texts }) =>
        Promise.resolve({
          logprobs: texts.map(({ text, from }) => ({
            starts: [from],
            values: [-20 * keyedRandom(0, text).next()],
          })),
          totalMs: 0,
        }),
    },
    close: () => Promise.resolve(),
  };
}
