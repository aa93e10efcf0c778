import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** The name of a machine in an address; nothing if it is no address. */
export function nameIn(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  return new URL(address).hostname.replace(/^\[|\]$/g, '');
}

/**
 * Whether a name is one that a server at `boundTo` goes by. An address cannot be rebound; where others
 * are let in, all of this machine's are good.
 */
export function isOwnName(name: string, boundTo: string): boolean {
  if (isLoopback(name) || name === boundTo.toLowerCase()) return true;
  return !isLoopback(boundTo) && (isIP(name) !== 0 || name === hostname().toLowerCase());
}

export function isLoopback(name: string): boolean {
  return /^(?:(?:.+\.)?localhost|127(?:\.\d+){3}|::1)$/.test(name);
}
