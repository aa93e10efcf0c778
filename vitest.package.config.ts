import { defineConfig } from 'vitest/config';

/** The package as others install it. */
export default defineConfig({
  test: {
    include: ['test/package/*.package.ts'],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
});
