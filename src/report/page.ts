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

export { raw };

export interface Page {
  readonly title: string;
  readonly style: string;
  readonly body: Html;
  /** What the page runs, and the data for it, which the script finds in `#rows`. */
  readonly script?: { readonly code: string; readonly rows: unknown };
}

/** A page that stands alone: it loads nothing, and runs nothing but its own script. */
export function page({ title, style, body, script }: Page): string {
  const policy = `default-src 'none'; style-src 'unsafe-inline'${script ? "; script-src 'unsafe-inline'" : ''}`;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${raw(policy)}">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}${
  script &&
  html`
<script type="application/json" id="rows">${embedJson(script.rows)}</script>
<script>${raw(script.code)}</script>`
}
</body>
</html>
`.toString();
}

// Without `<` no text can end the script element that holds it.
function embedJson(value: unknown): Html {
  return raw(JSON.stringify(value).replaceAll('<', '\\u003c'));
}
