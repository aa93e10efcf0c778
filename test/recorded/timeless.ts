import { root } from '../integration/build-cli.ts';

const here = [root.replace(/\/$/, ''), 'ROOT'] as const;

const timely =
  /^(seconds|median|p9[59]|ms|key|scoring|firstMs|totalMs|configSha256|latencyMs|firstTokenMs|startedAt|finishedAt|at|time|typecase|version|node|platform|cpu|host|pid|longest|created|folderFromRun)$/;

/** The same without addresses and times; that there is a time stays. */
export function timeless(value: unknown, places: readonly (readonly [string, string])[]): unknown {
  if (typeof value === 'string') {
    const text = [...places, here].reduce(
      (said, [place, name]) => said.replaceAll(place, name),
      value,
    );
    return text
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')
      .replaceAll(/\b[\d.]+ (ms|s)\b/g, 'TIME')
      .replaceAll(/ at \S+\.ts:\d+:\d+/g, ' at PLACE')
      .replaceAll(/\b[\da-f]{32}\b/g, 'KEY');
  }
  if (Array.isArray(value)) return value.map((item) => timeless(item, places));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (/^(latency|tokensPerSecond)$/.test(key)) return [key, Object.keys(Object(item))];
      const isTime = timely.test(key) && (typeof item !== 'object' || Array.isArray(item));
      return [key, isTime ? typeof item : timeless(item, places)];
    }),
  );
}
