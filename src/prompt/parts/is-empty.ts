/** Whether a column names no medium. */
export function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isEmpty);
  return value === undefined || value === null || value === '';
}
