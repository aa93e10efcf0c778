import { isCancel, select, text } from '@clack/prompts';
import { Cancelled } from '../../terminal/cancelled.ts';

/** Asks which of several to take; asks nothing when there is one. */
export async function askWhich<Entry extends { readonly abbr: string } | undefined>(
  message: string,
  entries: readonly Entry[],
): Promise<Entry> {
  if (entries.length === 1) return entries[0] as Entry;
  const answer = await select({
    message,
    options: entries.map((entry, value) => ({ value, label: entry?.abbr ?? 'none' })),
    maxItems: 12,
  });
  if (isCancel(answer)) throw new Cancelled();
  return entries[answer] as Entry;
}

export async function askRow(rowCount: number): Promise<number> {
  const last = rowCount - 1;
  const answer = await text({
    message: `Row (0 to ${last})`,
    defaultValue: '0',
    placeholder: '0',
    validate: (value = '') => {
      const isRow = value === '' || (/^\d+$/.test(value) && Number(value) <= last);
      return isRow ? undefined : `Enter a whole number from 0 to ${last}`;
    },
  });
  if (isCancel(answer)) throw new Cancelled();
  return Number(answer);
}
