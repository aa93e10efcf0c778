import { defineConfig } from 'tsdown';
import { thirdPartyLicences } from './scripts/third-party-licences.ts';

const library = {
  index: 'src/index.ts',
  prompt: 'src/exports/prompt.ts',
  retrieve: 'src/exports/retrieve.ts',
  score: 'src/exports/score.ts',
  report: 'src/exports/report.ts',
  stats: 'src/exports/stats.ts',
  vitest: 'src/vitest/matchers.ts',
};

export default defineConfig({
  entry: {
    ...library,
    cli: 'src/cli/main.ts',
    'local-worker': 'src/model/local/engine/worker.ts',
    'digest-worker': 'src/import/digest-worker.ts',
    'scoring-process': 'src/run/scoring-process/process.ts',
  },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  deps: {
    // Packages of a hundred files: one file is loaded in half the time. Types name them as before.
    alwaysBundle: (id, importer) => /^(zod|yaml)$/.test(id) && !importer?.endsWith('.d.ts'),
    onlyBundle: ['zod', 'yaml'],
  },
  plugins: [thirdPartyLicences()],
  // The pages of the viewer stand in the same folder; vite makes them.
  clean: ['dist/*', '!dist/web', '!dist/web/**'],
  dts: { entry: Object.values(library) },
  outputOptions: {
    // Editors read doc comments from the declarations.
    comments: { jsdoc: false, annotation: true, legal: true },
    codeSplitting: {
      // Chat templates apart from the rest, so that bundlers, and runs, leave their interpreter out
      // where there are none. A group takes along what it imports; what both need comes first.
      groups: [
        { name: 'values', test: /src[\\/]prompt[\\/](values|origin)\.ts$/, priority: 1 },
        { name: 'jinja', test: /src[\\/]prompt[\\/]chat-template[\\/]jinja[\\/][^.]+\.ts$/ },
      ],
    },
  },
});
