/** Whether an error says that there is no such file or folder. */
export function isFileMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === 'ENOENT' || code === 'ENOTDIR';
}

/** The system's own code of an error, such as `EEXIST`. */
export function codeOf(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code === undefined ? undefined : String(code);
}
