import { defineConfig } from 'vitest/config';
import { reachPlugin } from './test/mutate/reach-plugin.ts';

const notesReach = process.env.TYPECASE_REACH !== undefined;

/** All tests without the build before them, for `npm run mutate`; with TYPECASE_REACH set, what each of them calls is noted. */
export default defineConfig({
  plugins: notesReach ? [reachPlugin(import.meta.dirname)] : [],
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    setupFiles: notesReach ? ['test/mutate/note-reach.ts'] : [],
    maxWorkers: notesReach ? 2 : 1,
    testTimeout: 60_000,
    isolate: false,
  },
});
