import type { ModelConfig } from '../config/config.ts';
import { ModelError } from '../errors.ts';

/** The same error of a model, saying which one of the config it is. */
export function ofModel<Thrown>(error: Thrown, model: ModelConfig | undefined): Thrown {
  if (!(error instanceof ModelError) || error.path || !model) return error;
  const { cause, stack } = error;
  const message = `\`${model.abbr}\`: ${error.message}`;
  const named = new Error(message, cause === undefined ? undefined : { cause });
  Object.setPrototypeOf(named, Object.getPrototypeOf(error));
  return Object.assign(named, { ...error, path: model.source, stack }) as unknown as Thrown;
}
