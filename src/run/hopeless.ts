import type { ModelError } from '../errors.ts';

/** How rows have ended so far. */
export interface Progress {
  /** By an answer that the server gave now. */
  readonly answered: number;
  /** By an answer that was there already. */
  readonly reused: number;
  /** Requests, each after its last attempt. */
  readonly failed: number;
  /** Rows; left out, each request is one. */
  readonly failedRows?: number | undefined;
  /** How many rows may fail by what is asked of the run. */
  readonly mayFail?: number | undefined;
}

const enoughFailures = 8;

/** Whatever was answered before. */
const endsAll: ReadonlySet<string> = new Set([
  'model.connection_refused',
  'model.logprobs_changed',
]);

const decisive: ReadonlySet<string> = new Set([
  'model.bad_request',
  'model.certificate',
  'model.not_found',
  'model.unknown_host',
]);

/**
 * Whether a failure will meet all other rows as well, so that the run had better stop: the server
 * is gone, or does not know the key; nothing works from the start; or several rows failed and none
 * was ever answered.
 */
export function isHopeless({ code, status }: ModelError, rows: Progress): boolean {
  if (endsAll.has(code) || status === 401) return true;
  if (rows.answered > 0) return false;
  const isEnough =
    rows.failed >= enoughFailures && (rows.failedRows ?? rows.failed) >= (rows.mayFail ?? 0);
  return decisive.has(code) || (rows.reused === 0 && isEnough);
}

/** Whether fewer requests at once may help. */
export function isOverload({ code, status = 0, retryable }: ModelError): boolean {
  return retryable && (status >= 429 || /connection|timeout/.test(code));
}
