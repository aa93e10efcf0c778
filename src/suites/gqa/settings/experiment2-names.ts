import type { DatasetName } from './settings.ts';

/** What the datasets are called here, by the names of the original. */
export const originalDatasets: ReadonlyMap<string, DatasetName> = new Map([
  ['gqa', 'gqa'],
  ['llava150k', 'llava'],
  ['synthetic', 'synthetic'],
  ['video_frames', 'video'],
]);

/** What the original calls a dataset. */
export function originalDatasetName(dataset: DatasetName): string {
  return [...originalDatasets].find(([, own]) => own === dataset)?.[0] ?? dataset;
}

/** A text as part of a file name. */
export function slug(text: string): string {
  return (
    text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/-+/g, '-')
      .replaceAll(/^-|-$/g, '') || 'run'
  );
}

/** A cache size of an experiment in bytes; null is no limit. */
export function cacheBytes(gigabytes: number | null): number | null {
  return gigabytes === null ? null : Math.max(0, Math.trunc(gigabytes * 2 ** 30));
}
