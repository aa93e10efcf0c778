import { isLoopback, isOwnName, nameIn } from '../own-names.ts';
import { ApiError } from './api-error.ts';

export interface Caller {
  /** The headers of the request. */
  readonly host: string | undefined;
  readonly origin: string | undefined;
}

/**
 * Refuses requests that a web page elsewhere has made the browser send: under a name that leads here
 * (DNS rebinding), or from another origin.
 */
export function checkCaller({ host, origin }: Caller, boundTo: string): void {
  const name = host === undefined ? undefined : nameIn(`http://${host}`);
  if (name === undefined || !isOwnName(name, boundTo)) {
    throw new ApiError(403, `this server is not ${host ?? 'named in the request'}`, {
      code: 'host_not_allowed',
    });
  }
  if (origin === undefined) return;
  const page = nameIn(origin);
  if (page !== undefined && (page === name || isLoopback(page) || page === boundTo)) return;
  throw new ApiError(403, `pages of ${origin} are not allowed to call this server`, {
    code: 'origin_not_allowed',
  });
}
