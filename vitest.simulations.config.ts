import { defineConfig } from 'vitest/config';

/** Statistics on simulated data with known truth, minutes of it. */
export default defineConfig({
  test: {
    include: ['test/simulations/*.sim.ts'],
    testTimeout: 600_000,
  },
});
