/**
 * The switch between the changes that are compiled into the code: which one is active, and which
 * places were reached. It is shared by all copies of this module in a process.
 */
interface Switch {
  /** The number of the change that is made; 0 for none. */
  active: number;
  readonly reached: Uint8Array;
  steps: number;
  /** After so many places the code is taken to run for ever. */
  limit: number;
}

declare global {
  var typecaseSwitch: Switch | undefined;
}

function start(): Switch {
  const isServer = typeof process === 'object';
  return {
    active: Number((isServer && process.env.TYPECASE_MUTATION) || 0),
    reached: new Uint8Array(2 ** 16),
    steps: 0,
    limit: Number.POSITIVE_INFINITY,
  };
}

/** Processes that a test starts say at their end what they reached. */
function sayAtEnd(folder: string, reached: Uint8Array): void {
  process.on('exit', () => {
    const fs: typeof import('node:fs') = process.getBuiltinModule('node:fs');
    const places = [...reached.keys()].filter((change) => reached[change]);
    const name = `${process.pid}-${Math.random()}.json`;
    fs.mkdirSync(folder, { recursive: true });
    fs.writeFileSync(`${folder}/${name}`, JSON.stringify(places));
  });
}

if (globalThis.typecaseSwitch === undefined) {
  globalThis.typecaseSwitch = start();
  const folder = typeof process === 'object' ? process.env.TYPECASE_REACH : undefined;
  if (folder) sayAtEnd(folder, globalThis.typecaseSwitch.reached);
}
export const state: Switch = globalThis.typecaseSwitch;

export class EndlessError extends Error {}

/** Whether a change is made; takes note that its place was reached. */
export function $is(change: number): boolean {
  state.reached[change] = 1;
  state.steps += 1;
  if (state.steps > state.limit) throw new EndlessError(`change ${change} runs for ever`);
  return state.active === change;
}

type Value = number;

export function $not(change: number, value: unknown): unknown {
  return $is(change) ? value : !value;
}

export function $equal(change: number, left: unknown, right: unknown): boolean {
  return (left === right) !== $is(change);
}

export function $unequal(change: number, left: unknown, right: unknown): boolean {
  return (left !== right) !== $is(change);
}

export function $less(change: number, left: Value, right: Value): boolean {
  return $is(change) ? left <= right : left < right;
}

export function $lessOrEqual(change: number, left: Value, right: Value): boolean {
  return $is(change) ? left < right : left <= right;
}

export function $more(change: number, left: Value, right: Value): boolean {
  return $is(change) ? left >= right : left > right;
}

export function $moreOrEqual(change: number, left: Value, right: Value): boolean {
  return $is(change) ? left > right : left >= right;
}

export function $plus(change: number, left: Value, right: Value): Value {
  return $is(change) ? left - right : left + right;
}

export function $minus(change: number, left: Value, right: Value): Value {
  return $is(change) ? left + right : left - right;
}

export function $times(change: number, left: Value, right: Value): Value {
  return $is(change) ? left / right : left * right;
}

export function $divided(change: number, left: Value, right: Value): Value {
  return $is(change) ? left * right : left / right;
}

/** What `+=` and `-=` take. */
export function $sign(change: number, value: Value): Value {
  return $is(change) ? -value : value;
}
