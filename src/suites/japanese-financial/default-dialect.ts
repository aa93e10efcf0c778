import type { Dialect } from './templates/dialects.ts';

/** The release of the original that runs and sweeps agree with. */
export const defaultDialect: Dialect = 'main';
