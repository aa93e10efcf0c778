const windowLength = 1000;

/**
 * The segments of a text, in order. Segmenters slow down out of all proportion on long texts, so
 * they see one window at a time; the last segment of a window is cut again with what follows.
 */
export function* segmentText(segmenter: Intl.Segmenter, text: string): Generator<string> {
  let start = 0;
  while (start < text.length) {
    const end = start + windowLength;
    const segments = Array.from(segmenter.segment(text.slice(start, end)), (data) => data.segment);
    const last = end < text.length && segments.length > 1 ? segments.pop() : undefined;
    yield* segments;
    start = Math.min(end, text.length) - (last?.length ?? 0);
  }
}
