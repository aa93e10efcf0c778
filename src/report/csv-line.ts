export type CsvCell = string | number | undefined;

/** A line of a CSV file, with its end. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(quote).join(',')}\r\n`;
}

function quote(cell: CsvCell = ''): string {
  const text = String(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
