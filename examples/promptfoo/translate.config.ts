// In a project of your own: import { defineConfig } from 'typecase';
import { defineConfig } from '../../src/config/define-config.ts';

const base_url = process.env.BASE_URL ?? 'http://127.0.0.1:8000/v1';

const rows = [
  {
    language: 'French',
    input: 'Hello world',
    checks: [
      { type: 'contains', value: 'Bonjour' },
      { type: 'not-contains', value: 'AI language model' },
    ],
  },
  {
    language: 'Spanish',
    input: 'Hello world',
    checks: [
      { type: 'equals', value: 'Hola mundo' },
      { type: 'regex', value: '^[A-Z]' },
      { type: 'length', max: 19 },
    ],
  },
  { language: 'JSON', input: 'a person', checks: [{ type: 'is-json' }] },
];

/** Holds for Spanish alone: `null` leaves the check out. */
const isShort = (answer: string, { row }: { row: { language?: unknown } }) =>
  row.language === 'Spanish'
    ? { score: answer.length < 20, reason: `${answer.length} characters` }
    : null;

export default defineConfig({
  models: [
    {
      abbr: 'good',
      type: 'OpenAI',
      base_url,
      model: 'good',
      generation_kwargs: { temperature: 0 },
    },
    { abbr: 'sloppy', type: 'OpenAI', base_url, model: 'sloppy' },
  ],
  datasets: [
    {
      abbr: 'translate',
      rows,
      reader_cfg: { input_columns: ['language', 'input'], output_column: null },
      infer_cfg: { prompt_template: { template: 'Translate to {language}: {input}' } },
      eval_cfg: { evaluator: [{ type: 'function', name: 'short', score: isShort }] },
    },
  ],
  sweep: {
    templates: [
      { name: 'plain', prompt_template: { template: 'Translate to {language}: {input}' } },
      { name: 'polite', prompt_template: { template: 'Please translate to {language}: {input}' } },
    ],
  },
});
