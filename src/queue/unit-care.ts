import { ModelError } from '../errors.ts';
import type { ModelLine } from './model-line.ts';
import type { CarriedRequest } from './wire.ts';

/** A request that waits for its answer. */
export interface PendingRequest {
  readonly line: ModelLine;
  readonly carried: CarriedRequest;
  readonly reject: (error: unknown) => void;
  /** The unit that it went out with. */
  unit?: string;
}

interface GoneUnit {
  readonly line: ModelLine;
  readonly requests: readonly CarriedRequest[];
}

type Send = (line: ModelLine, requests: readonly CarriedRequest[]) => void;

/** A unit that is gone from the queue is given this long for its answers to arrive. */
const lostAfterMs = 10_000;

/** Looks after units that went wrong: splits those that workers were lost with, and sends again what got lost itself. */
export class UnitCare {
  readonly #pending: ReadonlyMap<string, PendingRequest>;
  readonly #send: Send;
  /** Units that are not in the queue any more, though answers are missing, and since when. */
  readonly #missing = new Map<string, number>();
  #waitingUnits = 0;

  constructor(pending: ReadonlyMap<string, PendingRequest>, send: Send) {
    this.#pending = pending;
    this.#send = send;
  }

  /** How many units no worker had taken when it last looked. */
  get waitingUnits(): number {
    return this.#waitingUnits;
  }

  async look(lines: readonly ModelLine[]): Promise<void> {
    for (const line of lines) await this.#split(line);
    const gone = new Map<string, GoneUnit>();
    let waiting = 0;
    for (const line of lines) {
      const units = this.#unitsOf(line);
      for (const unit of await line.missing([...units.keys()])) {
        gone.set(unit, { line, requests: units.get(unit) ?? [] });
      }
      waiting += await line.countWaiting();
    }
    this.#waitingUnits = waiting;
    this.#sendLost(gone);
  }

  /** A unit that several workers were lost with goes out again request by request. */
  async #split(line: ModelLine): Promise<void> {
    for (const { job, requests } of await line.units(['failed'])) {
      await job.remove();
      const waiting = requests.filter(({ key }) => this.#pending.has(key));
      const [only] = waiting;
      if (requests.length === 1 && only) this.#pending.get(only.key)?.reject(poisoned());
      else for (const request of waiting) this.#send(line, [request]);
    }
  }

  /** The units of a line that answers are missing to, with these requests. */
  #unitsOf(line: ModelLine): ReadonlyMap<string, readonly CarriedRequest[]> {
    const units = new Map<string, CarriedRequest[]>();
    for (const { line: own, unit, carried } of this.#pending.values()) {
      if (own !== line || unit === undefined) continue;
      const requests = units.get(unit);
      if (requests) requests.push(carried);
      else units.set(unit, [carried]);
    }
    return units;
  }

  #sendLost(gone: ReadonlyMap<string, GoneUnit>): void {
    const now = performance.now();
    for (const unit of this.#missing.keys()) if (!gone.has(unit)) this.#missing.delete(unit);
    for (const [unit, { line, requests }] of gone) {
      const since = this.#missing.get(unit) ?? now;
      this.#missing.set(unit, since);
      if (now - since < lostAfterMs) continue;
      this.#missing.delete(unit);
      this.#send(line, requests);
    }
  }
}

function poisoned(): ModelError {
  return new ModelError('queue.poisoned', 'every worker that took this request was lost', {
    retryable: false,
    hint: 'See the logs of the workers; running out of memory is a common reason.',
  });
}
