import { defineConfig } from 'vitest/config';

// A worker keeps the modules that it has loaded from one file to the next: loading them takes longer than most tests.
// Commands are stricter where CI is set; those that are tested for it set it themselves.
const shared = { testTimeout: 60_000, isolate: false, env: { CI: '' } };
const throughTheCommandLine = 'test/integration/**/*.test.ts';

export default defineConfig({
  test: {
    // Much of the time goes into waiting for processes.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
          exclude: [throughTheCommandLine, 'test/package/project/**'],
        },
      },
      {
        test: {
          ...shared,
          name: 'integration',
          include: [throughTheCommandLine],
          globalSetup: ['test/integration/build-cli.ts'],
        },
      },
    ],
  },
});
