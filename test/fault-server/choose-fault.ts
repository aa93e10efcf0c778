import { keyedRandom } from '../../src/base/keyed-random.ts';
import type { Fault, PlainFaultServerOptions } from './options.ts';

/** The fault of a request, if it is to have one. `attempt` counts the requests for a prompt from 1. */
export function chooseFault(
  { rules = [], rates = [], seed = 0 }: PlainFaultServerOptions,
  { prompt, attempt }: { prompt: string; attempt: number },
): Fault | undefined {
  const rule = rules.find(
    ({ prompt: text = '', times = Number.POSITIVE_INFINITY }) =>
      prompt.includes(text) && attempt <= times,
  );
  if (rule) return rule.fault;
  let draw = keyedRandom(seed, `${attempt} ${prompt}`).next();
  for (const { rate, fault } of rates) {
    if (draw < rate) return fault;
    draw -= rate;
  }
  return undefined;
}
