import { isCancel, select } from '@clack/prompts';
import { Cancelled } from '../../terminal/cancelled.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

/** Asks which of several to take; asks nothing when there is one. */
export async function askWhich<Entry extends { readonly abbr: string } | undefined>(
  message: string,
  entries: readonly Entry[],
): Promise<Entry> {
  if (entries.length === 1) return entries[0] as Entry;
  const answer = await select({
    message,
    options: entries.map((entry, value) => ({ value, label: showControls(entry?.abbr ?? 'none') })),
    maxItems: 12,
  });
  if (isCancel(answer)) throw new Cancelled();
  return entries[answer] as Entry;
}
