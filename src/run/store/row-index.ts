import { type FailureKind, failureKinds } from '../../model/failure-kind.ts';
import { Column } from './column.ts';
import { rowsEnd } from './record-fault.ts';

const wordsOfIdentity = 3;
const rowsOfPart = 8192;
const nowhere = -1;
/** In place of the kind of a failure that an older version wrote. */
const unknownKind = 1;
const zero = 0x30;
const nine = 0x39;
const letterA = 0x41;
const upperCase = 0xdf;

/**
 * Where the records of a log stand, by row and by key. Flat tables, about 32 bytes a record: they
 * are the only thing that grows with a run. Of a key the first 64 bits are held.
 */
export class RowIndex {
  /**
   * Two words of the key and one of the judgement of each record. Of a failure the key stands there
   * inverted, so that it answers nothing, and the kind of the failure in place of a judgement.
   */
  readonly #identities = new Column((length) => new Uint32Array(length));
  readonly #offsets = new Column((length) => new Float64Array(length));
  #records = 0;
  /** The record that counts for each row, plus one. */
  readonly #rows = new Column((length) => new Uint32Array(length));
  /** Records plus one, by key. */
  #slots = new Uint32Array(2048);
  #keys = 0;

  /** Remembers a record that answers a row; from now on it is the one that counts for the row. */
  set(id: number, key: string, offset: number, scoring = '0'): void {
    this.#identify(key, scoring);
    this.#append(offset);
    this.#rows.set(id, this.#records);
  }

  /** Remembers a record that answers a part of a row; the newest is found, by its key alone. */
  setPart(key: string, offset: number): void {
    this.#identify(key, '0');
    this.#moveTo(this.#records, key);
    this.#append(offset);
  }

  /** Remembers where a row failed, and how; it is not answered. */
  setFailed(id: number, key: string, { offset, kind }: Failure): void {
    const place = this.#records * wordsOfIdentity;
    this.#identities.set(place, invert(word(key, 0)));
    this.#identities.set(place + 1, invert(word(key, 8)));
    this.#identities.set(place + 2, kind ? failureKinds.indexOf(kind) + 2 : unknownKind);
    this.#append(offset);
    this.#rows.set(id, this.#records);
  }

  /** How this request failed, if the record that counts for the row says so. */
  failureOf(id: number, key: string): FailureKind | undefined {
    const record = this.#rows.get(id) - 1;
    if (record < 0 || !this.#hasKey(record, invert(word(key, 0)), invert(word(key, 8)))) return;
    return failureKinds[this.#identities.get(record * wordsOfIdentity + 2) - 2];
  }

  /** Whether the record that counts for a row holds an answer, to whatever request. */
  isAnswered(id: number): boolean {
    const record = this.#rows.get(id) - 1;
    if (record < 0) return false;
    const judgement = this.#identities.get(record * wordsOfIdentity + 2);
    return judgement === 0 || judgement > failureKinds.length + unknownKind;
  }

  /** Whether the record that counts for a row answers this request. */
  has(id: number, key: string): boolean {
    const record = this.#rows.get(id) - 1;
    return record >= 0 && this.#hasKey(record, word(key, 0), word(key, 8));
  }

  /** Whether the record that counts for a row was judged in this way. */
  hasScoring(id: number, scoring: string): boolean {
    const record = this.#rows.get(id) - 1;
    return this.#identities.get(record * wordsOfIdentity + 2) === word(scoring, 0);
  }

  /** From now on no record counts for this row. Its answers can still be found by their keys. */
  forget(id: number): void {
    if (this.#rows.get(id) !== 0) this.#rows.set(id, 0);
  }

  /** The same, and its answer is not found any more. */
  discard(id: number): void {
    const record = this.#rows.get(id) - 1;
    if (record < 0) return;
    const place = record * wordsOfIdentity;
    const first = this.#recordOf(this.#identities.get(place), this.#identities.get(place + 1));
    if (first !== undefined) this.#offsets.set(first, nowhere);
    this.forget(id);
  }

  offsetOf(id: number): number | undefined {
    const record = this.#rows.get(id) - 1;
    return record < 0 ? undefined : this.#offsets.get(record);
  }

  /** The place of the first record that answers this request, or of the newest if it is a part. */
  findByKey(key: string): number | undefined {
    const record = this.#recordOf(word(key, 0), word(key, 8));
    const offset = record === undefined ? nowhere : this.#offsets.get(record);
    return offset === nowhere ? undefined : offset;
  }

  /** The rows that a record counts for, in order. */
  ids(): Generator<number> {
    return this.#rows.indexes();
  }

  /** The places of the rows that count, a part at a time, to be kept beside the log. */
  *toParts(counts: (id: number) => boolean): Generator<Uint8Array> {
    let last = this.#rows.lastBelow(rowsEnd);
    // A wild number in a damaged line must not make the file long.
    while (last >= 0 && !counts(last)) last = this.#rows.lastBelow(last);
    const rows = last + 1;
    for (let start = 0; start < rows; start += rowsOfPart) {
      const places = new Float64Array(Math.min(rowsOfPart, rows - start));
      for (const index of places.keys()) {
        const id = start + index;
        // Plus one: zero means no record.
        if (counts(id)) places[index] = (this.offsetOf(id) ?? -1) + 1;
      }
      yield new Uint8Array(places.buffer);
    }
  }

  /** Keeps what the next record answers. */
  #identify(key: string, scoring: string): void {
    const record = this.#records;
    const first = word(key, 0);
    const second = word(key, 8);
    this.#identities.set(record * wordsOfIdentity, first);
    this.#identities.set(record * wordsOfIdentity + 1, second);
    this.#identities.set(record * wordsOfIdentity + 2, word(scoring, 0));
    if (this.#recordOf(first, second) === undefined) this.#insert(record);
  }

  #append(offset: number): void {
    this.#offsets.set(this.#records, offset);
    this.#records++;
  }

  #hasKey(record: number, first: number, second: number): boolean {
    const place = record * wordsOfIdentity;
    return this.#identities.get(place) === first && this.#identities.get(place + 1) === second;
  }

  #recordOf(first: number, second: number): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return undefined;
      if (this.#hasKey(entry - 1, first, second)) return entry - 1;
    }
  }

  /** Lets a key lead to a record. */
  #moveTo(record: number, key: string): void {
    const [first, second] = [word(key, 0), word(key, 8)];
    const mask = this.#slots.length - 1;
    let slot = first & mask;
    while (!this.#hasKey((this.#slots[slot] ?? 0) - 1, first, second)) slot = (slot + 1) & mask;
    this.#slots[slot] = record + 1;
  }

  #insert(record: number): void {
    if (++this.#keys > this.#slots.length * 0.7) {
      const entries = this.#slots;
      this.#slots = new Uint32Array(entries.length * 2);
      for (const entry of entries) if (entry !== 0) this.#place(entry);
    }
    this.#place(record + 1);
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = this.#identities.get((entry - 1) * wordsOfIdentity) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry;
  }
}

interface Failure {
  readonly offset: number;
  /** Left out in records of older versions. */
  readonly kind: FailureKind | undefined;
}

function invert(part: number): number {
  return ~part >>> 0;
}

/** Eight hexadecimal digits as a number. This is asked for several times a row. */
function word(key: string, start: number): number {
  const end = Math.min(start + 8, key.length);
  let value = 0;
  for (let place = start; place < end; place++) {
    const code = key.charCodeAt(place);
    value = (value << 4) | (code <= nine ? code - zero : (code & upperCase) - letterA + 10);
  }
  return value >>> 0;
}
