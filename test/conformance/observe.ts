import { CompatError } from '../../src/python/compat-error.ts';
import type { PyValue } from '../../src/python/values.ts';
import { encode } from './codec.ts';
import type { Json, JsonObject } from './json.ts';

/** What came out of a run: outputs by name, and the error that ended it, with its stage. */
export class Observation {
  readonly #outputs: Record<string, Json> = {};

  get outputs(): JsonObject {
    return this.#outputs;
  }

  set(name: string, value: PyValue): void {
    this.#outputs[name] = encode(value);
  }

  setJson(name: string, value: Json): void {
    this.#outputs[name] = value;
  }
}

class StageError extends Error {
  readonly stage: string;
  override readonly cause: CompatError;

  constructor(stage: string, cause: CompatError) {
    super(`${stage}: ${cause.message}`);
    this.stage = stage;
    this.cause = cause;
  }
}

/** Runs one stage of a vector; an error of the reproduced system is noted with its name. */
export async function inStage<Result>(
  stage: string,
  step: () => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof CompatError ? new StageError(stage, error) : error;
  }
}

/** Runs the stages of a vector and gives all outputs up to the first error. */
export async function observe(
  run: (observation: Observation) => Promise<void> | void,
): Promise<JsonObject> {
  const observation = new Observation();
  try {
    await run(observation);
  } catch (error) {
    if (error instanceof StageError) {
      const { stage, cause } = error;
      return { ...observation.outputs, error: { stage, ...describe(cause) } };
    }
    if (!(error instanceof CompatError)) throw error;
    return { ...observation.outputs, error: describe(error) };
  }
  return observation.outputs;
}

export function describe(error: CompatError): JsonObject {
  return {
    type: error.pythonType,
    ...(error.pythonCode === undefined ? {} : { code: error.pythonCode }),
  };
}
