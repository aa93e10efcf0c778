import { fail } from '../../python/compat-error.ts';
import { type Arguments, classes, type Value } from './library.ts';
import { equals } from './operators.ts';
import type { Part } from './text.ts';
import { makeFunction, missing, type Result, toValue, tuple } from './values.ts';

/** Thrown by `break` and `continue`, with what the iteration had printed. */
export class LoopExit extends Error {
  readonly kind: 'Break' | 'Continue';
  readonly printed: Part[] = [];

  constructor(kind: 'Break' | 'Continue') {
    super(kind);
    this.kind = kind;
  }
}

/** The methods that templates can call on `loop`. */
export const loopMethods = ['changed', 'cycle'];

/** The state of a `for` loop. As in Python, a filter only runs when an item is asked for. */
export class Loop extends Map<unknown, Value> {
  readonly #source: Iterator<Value>;
  readonly #items: Value[] = [];
  #index = -1;
  #changed: Value = missing;

  constructor(source: Iterator<Value>) {
    super();
    this.#source = source;
  }

  /** What templates see as `loop`. */
  readonly value: Value = new classes.Dict(this);

  /** Moves to the next item and gives it, if there is one. */
  next(): Value | undefined {
    this.#index += 1;
    return this.#at(this.#index);
  }

  #at(index: number): Value | undefined {
    while (this.#items.length <= index) {
      const { done, value } = this.#source.next();
      if (done) return undefined;
      this.#items.push(value);
    }
    return this.#items[index];
  }

  get #length(): number {
    this.#at(Number.POSITIVE_INFINITY);
    return this.#items.length;
  }

  override get(name: unknown): Value | undefined {
    const result = this.#attribute(name);
    return result === undefined ? undefined : toValue(result);
  }

  #attribute(name: unknown): Result {
    const index = this.#index;
    switch (name) {
      case 'index':
        return index + 1;
      case 'index0':
        return index;
      case 'first':
        return index === 0;
      case 'last':
        return this.#at(index + 1) === undefined;
      case 'length':
        return this.#length;
      case 'revindex':
        return this.#length - index;
      case 'revindex0':
        return this.#length - index - 1;
      case 'previtem':
        return this.#items[index - 1];
      case 'nextitem':
        return this.#at(index + 1);
      case 'depth':
        return 1;
      case 'depth0':
        return 0;
      case 'cycle':
        return makeFunction((args) => this.#cycle(args));
      case 'changed':
        return makeFunction((args) => this.#hasChanged(args));
      default:
        return undefined;
    }
  }

  #cycle({ positional }: Arguments): Result {
    if (positional.length === 0) fail('TypeError', 'loop.cycle needs something to cycle through');
    return positional[this.#index % positional.length];
  }

  #hasChanged({ positional }: Arguments): boolean {
    const value = tuple(positional);
    const isChanged = !equals(this.#changed, value);
    this.#changed = value;
    return isChanged;
  }
}
