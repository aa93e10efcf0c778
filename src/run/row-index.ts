/**
 * Where each row's record stands in a log, and under which key it was answered. Flat tables, 20
 * bytes a row: they are the only thing that grows with a run. Of a key the first 64 bits are held.
 */
export class RowIndex {
  /** Two words of the key of each row. */
  #keys = new Uint32Array(2048);
  /** Place in the log plus one; zero means no record. */
  #offsets = new Float64Array(1024);
  /** Row ids plus one, by key. */
  #slots = new Uint32Array(2048);
  #used = 0;

  /** Remembers the newest record of a row. */
  set(id: number, key: string, offset: number): void {
    this.#reserve(id);
    const known = this.#offsets[id] !== 0 && this.has(id, key);
    this.#keys[id * 2] = word(key, 0);
    this.#keys[id * 2 + 1] = word(key, 8);
    this.#offsets[id] = offset + 1;
    if (!known) this.#insert(id);
  }

  /** Whether a row's newest record was made under this key. */
  has(id: number, key: string): boolean {
    if (id >= this.#offsets.length || this.#offsets[id] === 0) return false;
    return this.#keys[id * 2] === word(key, 0) && this.#keys[id * 2 + 1] === word(key, 8);
  }

  /** Remembers where a row failed; it counts as not answered. */
  setFailed(id: number, offset: number): void {
    this.#reserve(id);
    this.#keys[id * 2] = 0;
    this.#keys[id * 2 + 1] = 0;
    this.#offsets[id] = offset + 1;
  }

  offsetOf(id: number): number | undefined {
    const offset = this.#offsets[id] ?? 0;
    return offset === 0 ? undefined : offset - 1;
  }

  /** A row that was answered under this key. */
  findByKey(key: string): number | undefined {
    const mask = this.#slots.length - 1;
    for (let slot = word(key, 0) & mask; ; slot = (slot + 1) & mask) {
      const entry = this.#slots[slot] ?? 0;
      if (entry === 0) return undefined;
      if (this.has(entry - 1, key)) return entry - 1;
    }
  }

  /** The table of places, to be kept beside the log. */
  toBytes(): Uint8Array {
    let rows = this.#offsets.length;
    while (rows > 0 && this.#offsets[rows - 1] === 0) rows--;
    return new Uint8Array(this.#offsets.buffer, 0, rows * 8);
  }

  #reserve(id: number): void {
    if (id < this.#offsets.length) return;
    const rows = Math.max(id + 1, Math.ceil(this.#offsets.length * 1.5));
    this.#offsets = grown(this.#offsets, new Float64Array(rows));
    this.#keys = grown(this.#keys, new Uint32Array(rows * 2));
  }

  #insert(id: number): void {
    if (++this.#used > this.#slots.length * 0.7) {
      const ids = this.#slots.filter((entry) => entry !== 0);
      this.#slots = new Uint32Array(this.#slots.length * 2);
      for (const entry of ids) this.#place(entry);
    }
    this.#place(id + 1);
  }

  #place(entry: number): void {
    const mask = this.#slots.length - 1;
    let slot = (this.#keys[(entry - 1) * 2] ?? 0) & mask;
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
    this.#slots[slot] = entry;
  }
}

function grown<T extends Float64Array | Uint32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

function word(key: string, start: number): number {
  return Number.parseInt(key.slice(start, start + 8), 16);
}
