import type { CarriedRequest } from './wire.ts';

/** The most requests of a unit, and about how much they may cost, in characters. */
const mostRequests = 16;
/** A worker holds several units at once, so that the last ones of a run are spread over all. */
const unitsAtOnce = 4;
const mostCharacters = 48_000;
/** What a request costs beside its text: its answer. */
const answerCharacters = 2000;
/** How long a unit waits for further requests. */
const waitMs = 2;

type Send = (requests: readonly CarriedRequest[]) => void;

/**
 * Gathers requests that come in one after the other into units: short ones together, long ones alone. Neighbours stay
 * together, so that one worker's server sees prompts that begin alike.
 */
export class UnitBatch {
  #requests: CarriedRequest[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Adds a request; what is gathered is handed on when it is enough for a worker with so many slots, or soon. */
  add(
    request: CarriedRequest,
    { slots, send }: { readonly slots: number; readonly send: Send },
  ): void {
    const cost = costOf(request);
    if (this.#requests.length > 0 && this.#characters + cost > mostCharacters) send(this.clear());
    this.#requests.push(request);
    this.#characters += cost;
    if (this.#requests.length >= Math.min(mostRequests, slots / unitsAtOnce)) send(this.clear());
    else this.#timer ??= setTimeout(() => send(this.clear()), waitMs);
  }

  /** Takes everything out that is gathered. */
  clear(): readonly CarriedRequest[] {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#characters = 0;
    return this.#requests.splice(0);
  }
}

function costOf({ body, texts = [], request }: CarriedRequest): number {
  const length = texts.reduce((sum, { text }) => sum + text.length, body?.length ?? 0);
  return answerCharacters + length + (request ? JSON.stringify(request).length : 0);
}
