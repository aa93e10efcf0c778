import type { RowRecord } from '../../run/store/row-record.ts';

/** What is not known of a number. */
export const unknown = 0xffff_ffff;

export const flags = { cutOff: 1, looser: 2, tie: 4, leak: 8, changed: 16, hidden: 128 } as const;

const makers = {
  ids: Uint32Array,
  offsets: Float64Array,
  verdicts: Uint8Array,
  flags: Uint8Array,
  scores: Float32Array,
  ms: Float32Array,
  tokensIn: Uint32Array,
  tokensOut: Uint32Array,
  lengths: Uint32Array,
  reasons: Uint16Array,
  checks: Uint16Array,
} as const;

type Name = keyof typeof makers;
type Typed = Uint8Array | Uint16Array | Uint32Array | Float32Array | Float64Array;

/** Columns as a page holds them; what is not known is `null`. */
export type HeldColumns = Readonly<Record<Exclude<Name, 'offsets'>, readonly (number | null)[]>>;

interface Facts {
  readonly offset: number;
  readonly verdict: number;
  readonly reason: number;
  readonly checks: number;
}

/** Numbers about rows, a typed array each, that grow together. */
export class RowColumns {
  length = 0;
  #capacity = 1024;
  readonly #arrays = Object.fromEntries(
    Object.entries(makers).map(([name, Maker]) => [name, new Maker(1024)]),
  ) as Record<Name, Typed>;

  get ids(): Typed {
    return this.#arrays.ids;
  }
  get offsets(): Typed {
    return this.#arrays.offsets;
  }
  get verdicts(): Typed {
    return this.#arrays.verdicts;
  }
  get flags(): Typed {
    return this.#arrays.flags;
  }
  get scores(): Typed {
    return this.#arrays.scores;
  }
  get ms(): Typed {
    return this.#arrays.ms;
  }
  get tokensIn(): Typed {
    return this.#arrays.tokensIn;
  }
  get tokensOut(): Typed {
    return this.#arrays.tokensOut;
  }
  get lengths(): Typed {
    return this.#arrays.lengths;
  }
  get reasons(): Typed {
    return this.#arrays.reasons;
  }
  get checks(): Typed {
    return this.#arrays.checks;
  }

  /** Makes room for one more, and gives its place. */
  add(): number {
    if (this.length === this.#capacity) this.#grow();
    return this.length++;
  }

  set(slot: number, record: RowRecord, { offset, verdict, reason, checks }: Facts): void {
    const { ids, offsets, verdicts, scores, ms, tokensIn, tokensOut } = this.#arrays;
    const { lengths, reasons } = this.#arrays;
    const [input, output] = record.tokens ?? [null, null];
    ids[slot] = record.id;
    offsets[slot] = offset;
    verdicts[slot] = verdict;
    this.#arrays.flags[slot] = flagsOf(record);
    scores[slot] = record.outcome === 'scored' ? (record.score ?? Number.NaN) : Number.NaN;
    ms[slot] = record.ms ?? Number.NaN;
    tokensIn[slot] = input ?? unknown;
    tokensOut[slot] = output ?? unknown;
    lengths[slot] = record.answer?.length ?? 0;
    reasons[slot] = reason;
    this.#arrays.checks[slot] = checks;
  }

  /** Marks a row that ended otherwise before. */
  markChanged(slot: number): void {
    this.#arrays.flags[slot] = (this.#arrays.flags[slot] ?? 0) | flags.changed;
  }

  /** Marks a row that does not count any more. */
  hide(slot: number): void {
    this.#arrays.flags[slot] = flags.hidden;
  }

  isHidden(slot: number): boolean {
    return ((this.#arrays.flags[slot] ?? 0) & flags.hidden) !== 0;
  }

  /** Some rows, for a page that stands alone. */
  pick(slots: readonly number[]): HeldColumns {
    const names = (Object.keys(makers) as Name[]).filter((name) => name !== 'offsets');
    return Object.fromEntries(
      names.map((name) => [name, slots.map((slot) => shortened(this.#arrays[name][slot]))]),
    ) as unknown as HeldColumns;
  }

  static from(held: HeldColumns): RowColumns {
    const columns = new RowColumns();
    for (let slot = 0; slot < held.ids.length; slot++) {
      columns.add();
      for (const [name, values] of Object.entries(held) as [Name, HeldColumns['ids']][]) {
        columns.#arrays[name][slot] = values[slot] ?? Number.NaN;
      }
    }
    return columns;
  }

  #grow(): void {
    this.#capacity *= 2;
    for (const name of Object.keys(makers) as Name[]) {
      const grown = new makers[name](this.#capacity);
      grown.set(this.#arrays[name]);
      this.#arrays[name] = grown;
    }
  }
}

/** The names of the checks that a row did not pass, each once. */
export function failedChecksOf({ checks = [] }: Pick<RowRecord, 'checks'>): readonly string[] {
  return [...new Set(checks.flatMap(({ name, passed }) => (passed ? [] : [name])))].sort();
}

/** Single precision has no more than seven digits to tell. */
function shortened(value = Number.NaN): number | null {
  if (Number.isNaN(value)) return null;
  return Number.isInteger(value) ? value : Number(value.toPrecision(7));
}

function flagsOf({ finish, finishes, looser, ties, leak }: RowRecord): number {
  const isCut = finish === 'length' || (finishes?.length ?? 0) > 0;
  return (
    (isCut ? flags.cutOff : 0) |
    (looser ? flags.looser : 0) |
    (ties ? flags.tie : 0) |
    (leak === undefined ? 0 : flags.leak)
  );
}
