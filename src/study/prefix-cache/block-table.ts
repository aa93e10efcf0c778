const none = -1;

/**
 * Blocks by their hashes, in flat arrays: 32 bytes a block. Those that nobody holds stand in a line,
 * the one that was used longest ago first.
 */
export class BlockTable {
  /** How many blocks there are. */
  size = 0;
  /** How many of them are held. */
  held = 0;
  #heads = new Int32Array(1024).fill(none);
  #words = new Uint32Array(2048);
  #next = new Int32Array(1024);
  #holders = new Int32Array(1024);
  #older = new Int32Array(1024);
  #newer = new Int32Array(1024);
  #oldest = none;
  #newest = none;
  /** Places that became free, linked by `#next`. */
  #free = none;
  #used = 0;

  /** The place of a block, or -1. */
  find(high: number, low: number): number {
    let place = this.#heads[low & (this.#heads.length - 1)] as number;
    while (place !== none) {
      if (this.#words[place * 2] === high && this.#words[place * 2 + 1] === low) return place;
      place = this.#next[place] as number;
    }
    return none;
  }

  /** Adds a block that is not there, as the one used last. */
  add(high: number, low: number): void {
    const place = this.#takePlace();
    const bucket = low & (this.#heads.length - 1);
    this.#words[place * 2] = high;
    this.#words[place * 2 + 1] = low;
    this.#next[place] = this.#heads[bucket] as number;
    this.#heads[bucket] = place;
    this.#holders[place] = 0;
    this.#append(place);
    this.size++;
  }

  /** Marks a block as the one used last. */
  touch(place: number): void {
    if (this.#holders[place] !== 0) return;
    this.#unlink(place);
    this.#append(place);
  }

  /** Keeps a block from being removed until it is released. */
  hold(place: number): void {
    if (this.#holders[place] === 0) {
      this.#unlink(place);
      this.held++;
    }
    this.#holders[place] = (this.#holders[place] as number) + 1;
  }

  /** Lets go of a block; when nobody holds it any more, it is the one used last. */
  release(place: number): void {
    const left = (this.#holders[place] as number) - 1;
    this.#holders[place] = left;
    if (left > 0) return;
    this.#append(place);
    this.held--;
  }

  /** Removes the block that was used longest ago, of those that nobody holds. */
  removeOldest(): void {
    const place = this.#oldest;
    if (place === none) return;
    this.#unlink(place);
    const bucket = (this.#words[place * 2 + 1] as number) & (this.#heads.length - 1);
    let before = none;
    for (let at = this.#heads[bucket] as number; at !== place; at = this.#next[at] as number) {
      before = at;
    }
    const after = this.#next[place] as number;
    if (before === none) this.#heads[bucket] = after;
    else this.#next[before] = after;
    this.#next[place] = this.#free;
    this.#free = place;
    this.size--;
  }

  #takePlace(): number {
    if (this.#free !== none) {
      const place = this.#free;
      this.#free = this.#next[place] as number;
      return place;
    }
    if (this.#used === this.#next.length) this.#grow();
    return this.#used++;
  }

  #append(place: number): void {
    this.#older[place] = this.#newest;
    this.#newer[place] = none;
    if (this.#newest === none) this.#oldest = place;
    else this.#newer[this.#newest] = place;
    this.#newest = place;
  }

  #unlink(place: number): void {
    const older = this.#older[place] as number;
    const newer = this.#newer[place] as number;
    if (older === none) this.#oldest = newer;
    else this.#newer[older] = newer;
    if (newer === none) this.#newest = older;
    else this.#older[newer] = older;
  }

  /** Grows only while no place is free, so that every place holds a block. */
  #grow(): void {
    const length = this.#next.length * 2;
    this.#words = copied(new Uint32Array(length * 2), this.#words);
    this.#holders = copied(new Int32Array(length), this.#holders);
    this.#older = copied(new Int32Array(length), this.#older);
    this.#newer = copied(new Int32Array(length), this.#newer);
    this.#next = new Int32Array(length);
    this.#heads = new Int32Array(length).fill(none);
    for (let place = 0; place < this.#used; place++) {
      const bucket = (this.#words[place * 2 + 1] as number) & (length - 1);
      this.#next[place] = this.#heads[bucket] as number;
      this.#heads[bucket] = place;
    }
  }
}

function copied<Numbers extends Uint32Array | Int32Array>(to: Numbers, from: Numbers): Numbers {
  to.set(from);
  return to;
}
