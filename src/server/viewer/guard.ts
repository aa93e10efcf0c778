import { hash, timingSafeEqual } from 'node:crypto';
import type { Context, MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { isOwnName, nameIn } from '../own-names.ts';
import { Refusal } from './refusal.ts';

export interface GuardSettings {
  /** The address that the server listens at. */
  readonly host: string;
  /** What a page shows that was loaded from here. */
  readonly pageToken: string;
  /** What everybody has to know, where others than this machine are let in. */
  readonly accessToken?: string | undefined;
}

const cookieName = 'typecase';

/** Nothing is loaded from elsewhere, and nothing but the page's own files runs. */
function policy(nonce: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "media-src 'self'",
    "connect-src 'self'",
    "font-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ');
}

/** Headers of every answer. */
export function securityHeaders(nonce: string): Readonly<Record<string, string>> {
  return {
    'content-security-policy': policy(nonce),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'x-frame-options': 'DENY',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  };
}

/**
 * Refuses requests that a web page elsewhere has made the browser send: under a name that leads here
 * (DNS rebinding), or from another origin. What writes or asks needs the token of a page of this
 * server as well; with an access token, everything does.
 */
export function guard({ host, pageToken, accessToken }: GuardSettings): MiddlewareHandler {
  return async (context, next) => {
    const { req } = context;
    checkHost(context, host);
    const site = req.header('sec-fetch-site');
    const isPage = req.header('sec-fetch-mode') === 'navigate' && req.method === 'GET';
    if (site !== undefined && site !== 'same-origin' && site !== 'none' && !isPage) {
      throw new Refusal(403, 'serve.origin_not_allowed', 'pages of other origins are not allowed');
    }
    if (accessToken !== undefined) {
      const redirect = checkAccess(context, accessToken);
      if (redirect) return redirect;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      if (!isEqual(req.header('x-typecase-token'), pageToken)) {
        throw new Refusal(403, 'serve.no_token', 'the request lacks the token of the page');
      }
      const type = req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
      if (type !== 'application/json') {
        throw new Refusal(415, 'serve.bad_request', 'the body must be application/json');
      }
    }
    return next();
  };
}

function checkHost({ req }: Context, boundTo: string): void {
  const host = req.header('host');
  const name = host === undefined ? undefined : nameIn(`http://${host}`);
  if (name === undefined || !isOwnName(name, boundTo)) {
    throw new Refusal(403, 'serve.host_not_allowed', `this server is not ${host ?? 'named'}`);
  }
  const origin = req.header('origin');
  if (origin !== undefined && origin.toLowerCase() !== `http://${host}`.toLowerCase()) {
    throw new Refusal(403, 'serve.origin_not_allowed', `pages of ${origin} are not allowed`);
  }
}

/** The token comes once in the address, and then as a cookie that scripts cannot read. */
function checkAccess(context: Context, accessToken: string): Response | undefined {
  const url = new URL(context.req.url);
  const given = url.searchParams.get('token');
  if (given !== null && isEqual(given, accessToken)) {
    setCookie(context, cookieName, accessToken, {
      httpOnly: true,
      sameSite: 'Strict',
      path: '/',
    });
    url.searchParams.delete('token');
    return context.redirect(`${url.pathname}${url.search}`, 303);
  }
  const bearer = /^Bearer (.+)$/.exec(context.req.header('authorization') ?? '')?.[1];
  if (isEqual(getCookie(context, cookieName), accessToken) || isEqual(bearer, accessToken)) {
    return undefined;
  }
  throw new Refusal(401, 'serve.no_access', 'open the address that `typecase serve` printed');
}

function isEqual(given: string | undefined, wanted: string): boolean {
  if (given === undefined) return false;
  const digest = (text: string) => Buffer.from(hash('sha256', text, 'hex'));
  return timingSafeEqual(digest(given), digest(wanted));
}
