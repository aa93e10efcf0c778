import stringWidth from 'fast-string-width';

/** Rows of a table as lines: the first columns stand to the left, the others to the right. */
export function alignColumns(rows: readonly (readonly string[])[], leftColumns = 1): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => stringWidth(row[column] ?? ''))),
  );
  return rows.map((row) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - stringWidth(cell));
        return column < leftColumns ? cell + space : space + cell;
      })
      .join('  ')
      .trimEnd(),
  );
}
