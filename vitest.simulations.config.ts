import { defineConfig } from 'vitest/config';

const isWhole = !process.argv.some((word) => /^(-t|--testNamePattern)/.test(word));

/** Statistics on simulated data with known truth, minutes of it. */
export default defineConfig({
  test: {
    include: ['test/simulations/*.sim.ts'],
    testTimeout: 600_000,
    // A run of a few simulations by name leaves the tables of all as they are.
    env: { KEEP_TABLES: isWhole ? 'yes' : 'no' },
  },
});
