import { ModelError } from '../../errors.ts';
import type { LoglikelihoodModel } from '../loglikelihood.ts';
import type { LikelihoodDialect } from './dialect.ts';

export interface DialectCheck {
  /** How the endpoint told log-probabilities when it was last asked about it. */
  readonly dialect: LikelihoodDialect;
  readonly url: string;
  readonly probe: (signal: AbortSignal) => Promise<LikelihoodDialect>;
}

/** A model that makes sure of how its endpoint tells log-probabilities, once it has to be asked. */
export function checkDialectFirst(
  model: LoglikelihoodModel,
  check: DialectCheck,
): LoglikelihoodModel {
  let checked: Promise<void> | undefined;
  return {
    ...model,
    async measure(request, options) {
      checked ??= requireDialect(check, options.signal).catch((error) => {
        checked = undefined;
        throw error;
      });
      await checked;
      return model.measure(request, options);
    },
  };
}

async function requireDialect(
  { dialect, url, probe }: DialectCheck,
  signal: AbortSignal,
): Promise<void> {
  const { how, takesLists } = await probe(signal).catch((error) => {
    const isRefusal = error instanceof ModelError && error.code === 'model.no_logprobs';
    throw isRefusal ? changed(url, error) : error;
  });
  if (how !== dialect.how || takesLists !== dialect.takesLists) throw changed(url);
}

function changed(url: string, cause?: ModelError): ModelError {
  return new ModelError(
    'model.logprobs_changed',
    `${url} changed how it returns log-probabilities`,
    { url, retryable: false, hint: 'Run the command again.', ...(cause && { cause }) },
  );
}
