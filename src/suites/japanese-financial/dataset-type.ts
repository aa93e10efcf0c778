import type { Dialect } from './templates/dialects.ts';

/** The `type` that datasets of the financial tasks have in configs and records. */
export const datasetType = 'JapaneseFinancial';

/** The release of the original that runs and sweeps agree with. */
export const defaultDialect: Dialect = 'main';
