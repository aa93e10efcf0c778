import { isIP } from 'node:net';
import { hostname } from 'node:os';
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
  throw new ApiError(403, `pages of ${origin} may not ask this server`, {
    code: 'origin_not_allowed',
  });
}

function nameIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}

/** An address cannot be rebound; where others are let in, all of this machine's are good. */
function isOwnName(name: string, boundTo: string): boolean {
  if (isLoopback(name) || name === boundTo.toLowerCase()) return true;
  return !isLoopback(boundTo) && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/.test(name);
}
