// The pool alone: all of the package, which has much that is not needed, takes longer to load than
// the rest of a run does. The path is there in the pinned version, and has no types of its own.
declare module 'undici/lib/dispatcher/pool.js' {
  import type { Pool as WholePool } from 'undici';

  type Pool = Pick<WholePool, 'dispatch' | 'close'>;
  const Pool: new (...args: ConstructorParameters<typeof WholePool>) => Pool;
  export = Pool;
}
