import { defineConfig } from 'typecase';

/** A project's config, in TypeScript. */
export const config = defineConfig({
  models: [{ abbr: 'server', type: 'OpenAI', base_url: process.env.SERVER_URL ?? '', model: 'm' }],
  datasets: [
    {
      abbr: 'shouts',
      rows: [
        { word: 'hello', shouted: 'HELLO' },
        { word: 'world', shouted: 'WORLD' },
        { word: 'again', shouted: 'once more' },
      ],
      reader_cfg: { input_columns: ['word'], output_column: 'shouted' },
      infer_cfg: { prompt_template: { template: 'Shout: {word}' } },
      eval_cfg: { evaluator: { type: 'exact' } },
    },
  ],
});
