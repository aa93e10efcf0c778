import { join } from 'node:path';
import { contentHash } from '../base/content-hash.ts';
import type { OpenOptions } from '../evaluation/opening.ts';
import type { OnUnknown } from './remember-loglikelihoods.ts';
import { modelFolder } from './store/run-folder.ts';

type Remember = NonNullable<OpenOptions['rememberLoglikelihoods']>;

/** Keeps in the folder of a run what models say when they choose examples. */
export function keepLikelihoods(folder: string): {
  readonly remember: Remember;
  readonly close: () => Promise<void>;
} {
  const closers: (() => Promise<void>)[] = [];
  return {
    async remember(model, loglikelihoodModel, { abbr }) {
      const { rememberLoglikelihoods } = await import('./remember-loglikelihoods.ts');
      const modelIdentity = contentHash(model.identity);
      const kept = rememberLoglikelihoods(loglikelihoodModel, {
        folder: memoryFolder(folder, abbr),
        modelIdentity,
      });
      closers.push(kept.close);
      return kept.loglikelihoodModel;
    },
    close: async () => {
      for (const close of closers.splice(0)) await close();
    },
  };
}

/** Knows what a run kept, if there is one. Only a model on this machine may be asked for the rest. */
export function recallLoglikelihoodsOf(
  folder: string | undefined,
  onUnknown?: OnUnknown,
): Remember {
  return async (model, loglikelihoodModel, { abbr, type }) => {
    const { recallLoglikelihoods } = await import('./remember-loglikelihoods.ts');
    return recallLoglikelihoods(loglikelihoodModel, {
      folder: folder && memoryFolder(folder, abbr),
      modelIdentity: contentHash(model.identity),
      mayAsk: type === 'Local',
      onUnknown,
    });
  };
}

function memoryFolder(folder: string, abbr: string): string {
  return join(folder, modelFolder(abbr), 'loglikelihoods');
}
