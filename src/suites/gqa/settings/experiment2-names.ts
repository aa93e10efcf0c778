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
