import { defineConfig } from 'tsdown';

const library = {
  index: 'src/index.ts',
  prompt: 'src/prompt/index.ts',
  retrieve: 'src/retrieve/index.ts',
  score: 'src/score/index.ts',
  report: 'src/report/index.ts',
};

export default defineConfig({
  entry: {
    ...library,
    cli: 'src/cli/main.ts',
    'local-worker': 'src/model/local/engine/worker.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  dts: { entry: Object.values(library) },
});
