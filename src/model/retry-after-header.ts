/** HTTP headers with names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** No server is waited for longer before it is asked again, whatever it asks for. */
const longestWaitMs = 600_000;

/** How long a server asks to wait, from the headers that are in use for it; 10 minutes at most. */
export function retryAfterMs(headers: Headers, now = Date.now()): number | undefined {
  const waitMs =
    parseNumber(header(headers, 'retry-after-ms')) ??
    parseRetryAfter(header(headers, 'retry-after'), now) ??
    limitReset(headers) ??
    parseReset(header(headers, 'x-ratelimit-reset'), now);
  return waitMs === undefined ? undefined : Math.min(waitMs, longestWaitMs);
}

function header(headers: Headers, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'object' ? value[0] : value;
}

function parseNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s*\d+(\.\d+)?\s*$/.test(value) ? Number(value) : undefined;
}

/** Seconds, or a date. */
function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const seconds = parseNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

/** Until the limit that is used up is lifted; if none says so, until the later of the two. */
function limitReset(headers: Headers): number | undefined {
  const resets = ['requests', 'tokens'].flatMap((limit) => {
    const waitMs = parseDuration(header(headers, `x-ratelimit-reset-${limit}`));
    if (waitMs === undefined) return [];
    return [{ waitMs, usedUp: header(headers, `x-ratelimit-remaining-${limit}`) === '0' }];
  });
  const usedUp = resets.filter((reset) => reset.usedUp);
  const waits = (usedUp.length > 0 ? usedUp : resets).map(({ waitMs }) => waitMs);
  return waits.length === 0 ? undefined : Math.max(...waits);
}

const unitMs: Readonly<Record<string, number>> = { h: 3_600_000, m: 60_000, s: 1000, ms: 1 };

/** Durations such as `6m0s` or `20ms`, or plain seconds. */
function parseDuration(value: string | undefined): number | undefined {
  const seconds = parseNumber(value);
  if (seconds !== undefined) return seconds * 1000;
  if (value === undefined || !/^(\d+(\.\d+)?(ms|h|m|s))+$/.test(value)) return undefined;
  let total = 0;
  for (const [, amount, unit = ''] of value.matchAll(/(\d+(?:\.\d+)?)(ms|h|m|s)/g)) {
    total += Number(amount) * (unitMs[unit] ?? 0);
  }
  return total;
}

/** Seconds to wait, or a point in time in seconds or milliseconds. */
function parseReset(value: string | undefined, now: number): number | undefined {
  const number = parseNumber(value);
  if (number === undefined) return parseDuration(value);
  if (number > 1e11) return Math.max(0, number - now);
  return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000;
}
