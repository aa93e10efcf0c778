import { defineConfig } from 'vitest/config';

/** Tests that take minutes: `npx vitest run --config vitest.chaos.config.ts`. */
export default defineConfig({
  test: {
    include: ['test/chaos/*.chaos.ts'],
    globalSetup: ['test/integration/build-cli.ts'],
    testTimeout: 600_000,
    fileParallelism: false,
  },
});
