import { defineConfig } from 'tsdown';
import { chunkGroups } from './scripts/chunk-groups.ts';
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

const programs = {
  cli: 'src/cli/main.ts',
  'local-worker': 'src/model/local/engine/worker.ts',
  'digest-worker': 'src/import/digest-worker.ts',
  'lock-keeper': 'src/queue/lock-keeper.ts',
  'scoring-process': 'src/run/scoring-process/process.ts',
};

/** What starts often for a small thing, and shall not load a run for it. */
const small = { values: 'src/cli/import/import-command.ts' };

// What all of the library loads is a run and more.
const { index: _, ...parts } = library;

/** Packages of many files that most commands load. */
const bundled =
  /^(?:zod|yaml|commander|eventsource-parser|hono\/html|picocolors|fast-string-width|fast-string-truncated-width)$/;

export default defineConfig({
  entry: { ...library, ...programs },
  format: 'esm',
  platform: 'node',
  target: 'node20',
  fixedExtension: false,
  deps: {
    // Every file takes a while to load. Types name the packages as before.
    alwaysBundle: (id, importer) => bundled.test(id) && !importer?.endsWith('.d.ts'),
    onlyBundle: [bundled, 'hono'],
  },
  plugins: [thirdPartyLicences()],
  // The pages of the viewer stand in the same folder; vite makes them.
  clean: ['dist/*', '!dist/web', '!dist/web/**'],
  dts: { entry: Object.values(library) },
  banner: { dts: '/// <reference path="./globals.d.ts" />' },
  copy: 'scripts/globals.d.ts',
  outputOptions: {
    // Editors read doc comments from the declarations.
    comments: { jsdoc: false, annotation: true, legal: true },
    codeSplitting: { groups: chunkGroups({ ...parts, ...programs, ...small }) },
  },
});
