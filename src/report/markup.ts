import { html as escapingHtml, raw } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

/** Markup in which all text is escaped. */
export type Html = HtmlEscapedString;

/** Text is escaped, markup is not; nothing is written for `false` and `undefined`. */
export type HtmlPart = string | number | Html | false | undefined | readonly HtmlPart[];

/** Makes markup: ``html`<b>${text}</b>` ``. */
export function html(strings: TemplateStringsArray, ...parts: readonly HtmlPart[]): Html {
  return escapingHtml(strings, ...parts) as Html;
}

/** Markup with each part on a line of its own. */
export function htmlLines(parts: readonly Html[]): Html {
  return raw(parts.join('\n'));
}
