import { formatValue } from '../../src/prompt/values.ts';
import { searchedTexts } from '../../src/report/snapshot/searched-texts.ts';
import type { HeldRow } from '../../src/report/snapshot/snapshot.ts';
import type { RowRecord } from '../../src/run/store/row-record.ts';

/** What a search looks through in a row. */
export function textsOfRow({ details, prompt, columns = {} }: HeldRow): string[] {
  const record = details.record as RowRecord | undefined;
  const values = [
    ...(record ? searchedTexts(record) : []),
    ...Object.values(prompt.row ?? columns),
  ];
  return values.flatMap((value) =>
    value === undefined || value === null ? [] : formatValue(value),
  );
}
