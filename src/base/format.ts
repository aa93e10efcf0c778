/** A whole number with separators: `12,345`. */
export function formatCount(count: number): string {
  // `Intl` takes a dozen milliseconds to load.
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 row`, `2 rows`. */
export function countOf(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** An amount of money, in any currency: `12.34`; of small ones two digits: `0.0012`. */
export function formatAmount(amount: number): string {
  return amount === 0 || amount >= 1 ? amount.toFixed(2) : String(Number(amount.toPrecision(2)));
}

/** `42 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatSeconds(seconds: number): string {
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** A time stamp to the minute: `2025-03-01 10:00 UTC`. What is none stays as it is. */
export function formatTime(timestamp: string): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

/**
 * Control characters, marks that turn the direction of writing, and invisible characters: a terminal
 * would obey the first two and hide the rest. Tag characters are among these, so a flag that is made
 * of them shows what it is made of. What joins emoji and picks their form is not.
 */
export const unsafeRun =
  /[\p{Cc}\p{Cs}\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e00ff}]+/gu;

/** The text on one line, without characters that a terminal or a page would obey or hide. */
export function oneLine(text: string): string {
  return text.replaceAll(unsafeRun, ' ');
}
