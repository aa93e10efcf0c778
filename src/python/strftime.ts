import { fail } from './compat-error.ts';

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const months = [
  ...['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September'],
  ...['October', 'November', 'December'],
];

const dayMs = 24 * 60 * 60 * 1000;

function dayOfYear(date: Date): number {
  const midnight = Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  return (midnight - Date.UTC(date.getFullYear(), 0, 1)) / dayMs + 1;
}

/** Number of the week in the year; days before the first `firstDay` are in week 0. */
function weekOfYear(date: Date, firstDay: 0 | 1): number {
  const weekday = (date.getDay() - firstDay + 7) % 7;
  return Math.floor((dayOfYear(date) + 6 - weekday) / 7);
}

function isoWeek(date: Date): { year: number; week: number } {
  const thursday = new Date(date.getFullYear(), date.getMonth(), date.getDate());
  thursday.setDate(thursday.getDate() + 4 - (date.getDay() || 7));
  return { year: thursday.getFullYear(), week: Math.ceil(dayOfYear(thursday) / 7) };
}

const two = (value: number) => String(value).padStart(2, '0');
const spaced = (value: number) => String(value).padStart(2, ' ');
const name = (names: readonly string[], index: number) => names[index] ?? '';
const hour12 = (date: Date) => date.getHours() % 12 || 12;

const codes: Readonly<Record<string, (date: Date) => string>> = {
  '%': () => '%',
  A: (date) => name(days, date.getDay()),
  B: (date) => name(months, date.getMonth()),
  C: (date) => two(Math.floor(date.getFullYear() / 100)),
  D: (date) => strftime(date, '%m/%d/%y'),
  F: (date) => strftime(date, '%Y-%m-%d'),
  G: (date) => String(isoWeek(date).year),
  H: (date) => two(date.getHours()),
  I: (date) => two(hour12(date)),
  M: (date) => two(date.getMinutes()),
  R: (date) => strftime(date, '%H:%M'),
  S: (date) => two(date.getSeconds()),
  T: (date) => strftime(date, '%H:%M:%S'),
  U: (date) => two(weekOfYear(date, 0)),
  V: (date) => two(isoWeek(date).week),
  W: (date) => two(weekOfYear(date, 1)),
  X: (date) => strftime(date, '%H:%M:%S'),
  Y: (date) => String(date.getFullYear()),
  Z: () => '',
  a: (date) => name(days, date.getDay()).slice(0, 3),
  b: (date) => name(months, date.getMonth()).slice(0, 3),
  c: (date) => strftime(date, '%a %b %e %H:%M:%S %Y'),
  d: (date) => two(date.getDate()),
  e: (date) => spaced(date.getDate()),
  f: (date) => String(date.getMilliseconds() * 1000).padStart(6, '0'),
  h: (date) => strftime(date, '%b'),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  k: (date) => spaced(date.getHours()),
  l: (date) => spaced(hour12(date)),
  m: (date) => two(date.getMonth() + 1),
  n: () => '\n',
  p: (date) => (date.getHours() < 12 ? 'AM' : 'PM'),
  t: () => '\t',
  u: (date) => String(date.getDay() || 7),
  w: (date) => String(date.getDay()),
  x: (date) => strftime(date, '%m/%d/%y'),
  y: (date) => two(date.getFullYear() % 100),
  z: () => '',
};

/** Python's `datetime.strftime` of a local time without a zone, in the C locale. */
export function strftime(date: Date, format: string): string {
  return format.replace(/%(-?)(.)/gs, (code, unpadded: string, letter: string) => {
    const write = codes[letter] ?? fail('ValueError', `strftime does not know ${code}`);
    const text = write(date);
    return unpadded === '' ? text : text.replace(/^[0 ]+(?=.)/, '');
  });
}
