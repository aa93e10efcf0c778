import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Price } from '../config/config.ts';
import type { AskJudge } from '../evaluation/judges.ts';
import type { KeptVerdict, VerdictMemory } from './ask-judge.ts';
import { costOf } from './cost.ts';
import type { ResponseCache } from './response-cache.ts';
import { addSpent, type Spent } from './spent.ts';
import { modelFolder } from './store/run-folder.ts';

/** What judges said, kept in the folder of a run. */
export interface RunVerdicts {
  /** What a judge said, by its `abbr`. */
  readonly of: (judge: string) => VerdictMemory;
  /** What judges were asked since this was opened. */
  readonly spent: () => Spent;
  /** Asks a judge for what it has not said yet. */
  readonly ask: AskJudge;
  /** Verdicts are put into the cache of all runs from now on and, unless it is ignored, looked for there. */
  readonly share: (cache: ResponseCache | undefined, options?: ShareOptions) => void;
  readonly close: () => Promise<void>;
}

export interface ShareOptions {
  /** Everything is to be asked again. */
  readonly ignoresCached?: boolean | undefined;
}

export interface VerdictOptions {
  /** Asks for everything again: what was kept before does not count. */
  readonly fresh?: boolean | undefined;
}

/** Keeps in the folder of a run what judges say, so that it is asked for once. */
export function keepVerdicts(folder: string, { fresh = false }: VerdictOptions = {}): RunVerdicts {
  const judges = new Map<string, JudgeVerdicts>();
  let cache: ResponseCache | undefined;
  let ignoresCached = false;
  const memoryOf = (judge: string) => {
    const known =
      judges.get(judge) ??
      new JudgeVerdicts({
        folder: verdictFolder(folder, judge),
        cache: () => cache,
        isRead: () => !ignoresCached,
        fresh,
      });
    judges.set(judge, known);
    return known;
  };
  return {
    of: memoryOf,
    spent: () => addSpent(Array.from(judges.values(), (judge) => judge.spent)),
    async ask(model, judge) {
      const { askJudge } = await import('./ask-judge.ts');
      const memory = memoryOf(judge.name);
      memory.price = judge.price;
      return askJudge(model, judge, memory);
    },
    share(shared, options = {}) {
      cache = shared;
      ignoresCached = options.ignoresCached ?? false;
    },
    async close() {
      for (const judge of judges.values()) await judge.close();
      judges.clear();
    },
  };
}

/** Where the verdicts of a judge are kept. */
export function verdictFolder(folder: string, judge: string): string {
  return join(folder, modelFolder(judge), 'verdicts');
}

interface VerdictPlaces {
  readonly folder: string;
  readonly cache: () => ResponseCache | undefined;
  readonly isRead: () => boolean;
  readonly fresh: boolean;
}

class JudgeVerdicts implements VerdictMemory {
  readonly #places: VerdictPlaces;
  /** Of a fresh start: what was asked since. */
  readonly #own: Set<string> | undefined;
  #opened: Promise<ResponseCache> | undefined;
  price: Price | undefined;
  #sent = 0;
  readonly #tokens = { input: 0, output: 0, untold: 0 };
  #writing: Promise<void> = Promise.resolve();

  constructor(places: VerdictPlaces) {
    this.#places = places;
    this.#own = places.fresh ? new Set() : undefined;
  }

  readonly find: VerdictMemory['find'] = async (key) => {
    if (this.#own && !this.#own.has(key)) return undefined;
    return (await this.#kept(key)) ?? (await this.#shared(key));
  };

  get spent(): Spent {
    const cost = costOf(this.#tokens, this.price);
    return { sent: this.#sent, tokens: { ...this.#tokens }, ...(cost !== undefined && { cost }) };
  }

  readonly noteSent = (): void => {
    this.#sent++;
  };

  readonly keep: VerdictMemory['keep'] = (key, result) => {
    const { inputTokens, outputTokens } = result.usage ?? {};
    this.#tokens.input += inputTokens ?? 0;
    this.#tokens.output += outputTokens ?? 0;
    if (inputTokens === undefined || outputTokens === undefined) this.#tokens.untold++;
    this.#own?.add(key);
    this.#places.cache()?.put(key, result);
    this.#put(key, { result });
  };

  async close(): Promise<void> {
    await this.#writing;
    await (await this.#opened)?.close();
    this.#opened = undefined;
  }

  async #kept(key: string): Promise<KeptVerdict | undefined> {
    await this.#writing;
    // A folder that holds nothing is left as it is.
    if (!this.#opened && !existsSync(this.#places.folder)) return undefined;
    const found = await (await this.#open()).find(key);
    if (!found || !('text' in found.result)) return undefined;
    return { result: found.result, ...(found.from && { from: found.from }) };
  }

  async #shared(key: string): Promise<KeptVerdict | undefined> {
    const { cache, isRead } = this.#places;
    const result = isRead() ? await cache()?.get(key) : undefined;
    if (!result || !('text' in result)) return undefined;
    const kept = { result, from: 'cache' } as const;
    this.#put(key, kept);
    return kept;
  }

  #open(): Promise<ResponseCache> {
    const { folder } = this.#places;
    this.#opened ??= import('./response-cache.ts').then(({ ResponseCache }) =>
      ResponseCache.open(folder),
    );
    return this.#opened;
  }

  #put(key: string, { result, from }: KeptVerdict): void {
    this.#writing = this.#writing.then(async () => (await this.#open()).put(key, result, { from }));
    // Whoever waits for it next is told.
    this.#writing.catch(() => undefined);
  }
}
