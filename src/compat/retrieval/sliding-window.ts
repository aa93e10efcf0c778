import type { Retriever } from '../../retrieve/retriever.ts';

/**
 * The windows of OpenCompass: by the place among the test rows, over the training rows. Numbers
 * below 0 count from the end there, and numbers beyond the pool fail when the example is made.
 */
export function openCompassWindow(poolSize: number, size: number): Retriever {
  return ({ position }) =>
    Array.from({ length: size }, (_, offset) => {
      const place = position - size + offset;
      return place < 0 ? poolSize + place : place;
    });
}
