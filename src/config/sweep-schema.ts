import * as z from 'zod';
import { getKey } from '../prompt/mapping.ts';
import { shotForms } from '../prompt/template.ts';
import { fewValues, schemaProblems } from '../schema/schema-problems.ts';
import type { LoadedConfig } from './loaded-config.ts';
import { problemsError } from './problems.ts';
import { anyMapping, component, mapping, text, texts } from './schema-parts.ts';

const wholeFromZero = z.int({ error: 'a whole number' }).min(0, { error: 'a whole number from 0' });

const inlineTemplate = mapping({
  name: text.describe('Name of the template in results'),
  prompt_template: anyMapping.optional().describe('Template of the question'),
  ice_template: anyMapping.optional().describe('Template of an example'),
});

export const sweepSchema = mapping({
  templates: z
    .union([z.literal('all'), z.array(z.union([text, inlineTemplate]))], {
      error: '`all`, or a list of versions, task files and templates with a `name`',
    })
    .optional()
    .describe('Versions of the task, task files, or templates with a `name`; all versions'),
  shots: z
    .array(wholeFromZero, { error: 'a list of whole numbers' })
    .optional()
    .describe('Numbers of examples'),
  retrievers: z
    .array(z.union([text, component]), { error: 'a list of retrievers' })
    .optional()
    .describe('How examples are chosen: types, or retrievers with their settings'),
  seeds: z
    .array(z.int({ error: 'a whole number' }), { error: 'a list of whole numbers' })
    .optional()
    .describe('Seeds of random examples'),
  meta_templates: texts.optional().describe('Model formats by name; `own` is that of the model'),
  shots_as: z
    .array(z.enum(shotForms, { error: '`turns`, `text` or `system`' }), { error: 'a list' })
    .optional()
    .describe('Shows examples as turns, as text, or in the system text'),
  option_orders: z
    .array(z.union([text, wholeFromZero]), { error: 'a list of orders' })
    .optional()
    .describe('`original`, how many places options move up, or `rotations` for all'),
});

/** What a config says under `sweep`, checked. */
export function readSweep(loaded: LoadedConfig): z.output<typeof sweepSchema> {
  const written = getKey(loaded.value, 'sweep') ?? {};
  const result = sweepSchema.safeParse(written, fewValues);
  if (result.success) return result.data;
  const issues = result.error.issues.map((issue) => ({ ...issue, path: ['sweep', ...issue.path] }));
  throw problemsError(loaded, schemaProblems(issues));
}
