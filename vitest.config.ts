import { defineConfig } from 'vitest/config';

const shared = { testTimeout: 30_000 };
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
          exclude: [throughTheCommandLine],
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
