import type * as z from 'zod';
import { addProblem } from './schema-parts.ts';

/** What a request has from elsewhere. */
const ownKeys: ReadonlySet<string> = new Set(['messages', 'prompt', 'model']);

/** Refuses settings of generation that are not sent, or cannot be. */
export function checkKwargs(
  kwargs: Readonly<Record<string, unknown>>,
  context: z.RefinementCtx,
): void {
  for (const [key, value] of Object.entries(kwargs)) {
    if (ownKeys.has(key)) {
      addProblem(context, {
        code: 'config.conflicting_keys',
        path: ['generation_kwargs', key],
        message: `\`${key}\` is what Typecase writes into a request`,
        hint: 'Prompts come from templates and the name from `model`; leave it out here.',
      });
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      addProblem(context, {
        code: 'config.wrong_type',
        path: ['generation_kwargs', key],
        message: `is ${value}, which cannot be sent`,
      });
    }
  }
}
