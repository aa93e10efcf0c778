/**
 * Places in a file by key, in a flat table of 16 bytes a slot. Of a key the first 64 bits are held;
 * whoever reads the place compares the whole key.
 */
export class KeyOffsets {
  #size = 0;
  #keys = new Uint32Array(2048);
  /** Position plus one; zero means free. */
  #offsets = new Float64Array(1024);

  get(key: string): number | undefined {
    const offset = this.#offsets[this.#find(word(key, 0), word(key, 8))] ?? 0;
    return offset === 0 ? undefined : offset - 1;
  }

  set(key: string, offset: number): void {
    if (this.#size >= this.#offsets.length * 0.7) this.#grow();
    this.#put(word(key, 0), word(key, 8), offset + 1);
  }

  #put(first: number, second: number, entry: number): void {
    const slot = this.#find(first, second);
    if (this.#offsets[slot] === 0) this.#size++;
    this.#keys[slot * 2] = first;
    this.#keys[slot * 2 + 1] = second;
    this.#offsets[slot] = entry;
  }

  #find(first: number, second: number): number {
    const mask = this.#offsets.length - 1;
    for (let slot = first & mask; ; slot = (slot + 1) & mask) {
      if (this.#offsets[slot] === 0) return slot;
      if (this.#keys[slot * 2] === first && this.#keys[slot * 2 + 1] === second) return slot;
    }
  }

  #grow(): void {
    const keys = this.#keys;
    const offsets = this.#offsets;
    this.#keys = new Uint32Array(keys.length * 2);
    this.#offsets = new Float64Array(offsets.length * 2);
    this.#size = 0;
    for (const [slot, entry] of offsets.entries()) {
      if (entry !== 0) this.#put(keys[slot * 2] ?? 0, keys[slot * 2 + 1] ?? 0, entry);
    }
  }
}

function word(key: string, start: number): number {
  return Number.parseInt(key.slice(start, start + 8), 16);
}
