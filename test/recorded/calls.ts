import { dataCalls } from './data-calls.ts';
import { evaluationCalls } from './evaluation-calls.ts';
import { refusal } from './lines.ts';
import { promptCalls } from './prompt-calls.ts';
import { runCalls } from './run-calls.ts';
import { totalCalls } from './total-calls.ts';

/** What is called, and with what. */
export type Call = readonly [name: string, ...args: readonly unknown[]];

const calls: Readonly<Record<string, unknown>> = {
  ...dataCalls,
  ...evaluationCalls,
  ...promptCalls,
  ...runCalls,
  ...totalCalls,
};

/** What comes of a call, or the message that refuses it. */
export async function call([name, ...args]: Call): Promise<unknown> {
  const called = calls[name] as (...given: readonly unknown[]) => unknown;
  try {
    return await called(...args);
  } catch (error) {
    return refusal(error);
  }
}
