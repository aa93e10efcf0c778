import { hideBase64 } from '../base/hidden-text.ts';
import { asObject, asText, parseJson } from './json-value.ts';
import { redact } from './secrets.ts';

const maxMessageLength = 2048;

/** What a server says in the body of an error, in its own words. */
export function serverMessage(body: string, secrets: readonly string[]): string {
  const json = asObject(parseJson(body));
  const message = json ? jsonMessage(json) : (pageTitle(body) ?? body);
  return cut(hideBase64(redact((message ?? body).trim(), secrets)));
}

/** Whether a body is a web page, such as that of a proxy or a login. */
export function isWebPage(body: string): boolean {
  return /^\s*<(!doctype|html|head|body|\?xml)/i.test(body);
}

function jsonMessage(json: Readonly<Record<string, unknown>>): string | undefined {
  const error = asObject(json.error);
  for (const message of [error?.message, json.error, json.message, json.detail]) {
    if (asText(message)) return asText(message);
  }
  const rest = error ?? json.detail ?? json.message;
  return rest === undefined ? undefined : JSON.stringify(rest);
}

function pageTitle(body: string): string | undefined {
  if (!isWebPage(body)) return undefined;
  const title = /<title[^>]*>([^<]+)/i.exec(body)?.[1]?.trim();
  return title ? `a web page, “${title}”` : 'a web page';
}

function cut(text: string): string {
  return text.length <= maxMessageLength ? text : `${text.slice(0, maxMessageLength - 1)}…`;
}
