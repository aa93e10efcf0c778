import * as z from 'zod';

/** A mapping with the given keys only; what is said of others is the list of those it knows. */
export function strictMapping<Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : 'a mapping',
  });
}
