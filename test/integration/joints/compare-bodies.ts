interface Sides {
  readonly shown: ReadonlySet<string>;
  readonly sent: ReadonlySet<string>;
}

const excerptBefore = 40;
const excerptAfter = 160;

/** How what was shown differs from what was sent, with the first body that does. */
export function compareBodies({ shown, sent }: Sides): string[] {
  const onlyShown = [...shown].filter((body) => !sent.has(body));
  const onlySent = [...sent].filter((body) => !shown.has(body));
  if (onlyShown.length === 0 && onlySent.length === 0) return [];
  const counts = `${onlyShown.length} of ${shown.size} bodies shown were not sent, ${onlySent.length} of ${sent.size} sent were not shown`;
  const [first] = onlyShown;
  if (first === undefined) return [`${counts}\n  sent: ${onlySent[0]}`];
  const near = closestTo(first, onlySent.length > 0 ? onlySent : [...sent]);
  return [`${counts}\n${describeDifference(first, near)}`];
}

/** The first body that was shown and not sent. */
export function findUnsent({ shown, sent }: Sides): string[] {
  const unsent = [...shown].find((body) => !sent.has(body));
  if (unsent === undefined) return [];
  return [`a body shown was not sent\n${describeDifference(unsent, closestTo(unsent, [...sent]))}`];
}

function closestTo(body: string, others: readonly string[]): string {
  const byShared = others.map((other) => ({ other, shared: sharedStart(body, other) }));
  return byShared.sort((a, b) => b.shared - a.shared)[0]?.other ?? '';
}

function sharedStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length++;
  return length;
}

/** Both bodies, and the place where they part. */
function describeDifference(shown: string, sent: string): string {
  const start = sharedStart(shown, sent);
  const excerpt = (body: string) =>
    JSON.stringify(body.slice(Math.max(0, start - excerptBefore), start + excerptAfter));
  return [
    `  they part at character ${start}:`,
    `    shown ${excerpt(shown)}`,
    `    sent  ${excerpt(sent)}`,
    `  shown: ${shown}`,
    `  sent:  ${sent}`,
  ].join('\n');
}
