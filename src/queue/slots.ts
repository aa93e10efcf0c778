/** Room for some things at once; the others wait, first come first served. */
export class Slots {
  readonly #most: number;
  #taken = 0;
  readonly #waiting: (() => void)[] = [];
  readonly #watching: (() => void)[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  get taken(): number {
    return this.#taken;
  }

  get free(): number {
    return this.#most - this.#taken;
  }

  /** Waits until nothing waits: what is fetched then is there when the next one ends. */
  async wanted(): Promise<void> {
    while (this.#waiting.length > 0) {
      await new Promise<void>((resolve) => this.#watching.push(resolve));
    }
  }

  async use<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#taken >= this.#most)
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#taken += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#taken -= 1;
      if (this.#waiting.length === 0) for (const look of this.#watching.splice(0)) look();
    }
  }
}
