import { defineConfig } from 'vitest/config';

/** Judges changes that are compiled into a copy of the project, for `npm run mutate`. */
export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    exclude: ['test/package/project/**'],
    runner: './test/mutate/judge-runner.ts',
    globalSetup: process.env.TYPECASE_BUILD ? ['test/integration/build-cli.ts'] : [],
    pool: 'forks',
    maxWorkers: 1,
    // A test is run again and again; what takes too long is told by its usual time.
    testTimeout: 3_600_000,
    isolate: false,
    env: { CI: '' },
  },
});
