import type { Operation } from './values.ts';

/** What differs between the environments that templates are written for. */
export interface Dialect {
  /** What such templates are called in messages. */
  readonly what: string;
  /** White space before a block on its line, and the line end after it, are dropped. */
  readonly trimsBlocks: boolean;
  /** A name without a value is an error wherever it is used, and not nothing. */
  readonly isStrict: boolean;
  /** Filters beside those that all have, or in place of them. */
  readonly filters: ReadonlyMap<string, Operation>;
}

/** The environment of chat templates. */
export const chatDialect: Dialect = {
  what: 'chat templates',
  trimsBlocks: true,
  isStrict: false,
  filters: new Map(),
};
