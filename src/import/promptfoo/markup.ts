/** What an answer in HTML or XML is, as promptfoo sees it. */

const nameStart = /[\p{L}_:]/u;
const tag =
  /<(?<close>\/)?(?<name>[\p{L}_:][\p{L}\p{N}_:.\-·]*)(?<attributes>(?:\s+[\p{L}_:][\p{L}\p{N}_:.-]*\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(?<empty>\/)?>/uy;
const skipped = /<!--(?:(?!--)[\s\S])*-->|<\?[\s\S]*?\?>/y;
const space = /\s*/y;
const cdata = /<!\[CDATA\[[\s\S]*?\]\]>/y;
const doctype = /<!DOCTYPE\s[^[<>]*>/y;
const badText = /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)|\]\]>/i;

/** An answer with more tags than this is not looked at any further. */
const mostTags = 200_000;

interface Element {
  readonly name: string;
  readonly children: Element[];
}

interface ReadElement {
  readonly element: Element;
  readonly end: number;
}

function matchAt(pattern: RegExp, text: string, place: number): RegExpExecArray | null {
  pattern.lastIndex = place;
  return pattern.exec(text);
}

/** The element that begins at a place, if all of it is well formed; two attributes of one name may pass. */
function elementAt(
  text: string,
  start: number,
  { mayRepeat = false, work = { left: mostTags } } = {},
): ReadElement | undefined {
  const open: Element[] = [];
  let place = start;
  for (;;) {
    const other = matchAt(skipped, text, place) ?? matchAt(cdata, text, place);
    if (other && open.length > 0) {
      place += other[0].length;
      continue;
    }
    const found = matchAt(tag, text, place);
    if (!found?.groups || work.left-- <= 0) return undefined;
    const { close, name = '', attributes = '', empty } = found.groups;
    place += found[0].length;
    let ended: Element | undefined;
    if (close) {
      ended = open.pop();
      if (ended?.name !== name || attributes !== '' || empty) return undefined;
    } else {
      if (badText.test(attributes) || (!mayRepeat && repeats(attributes))) return undefined;
      const element = { name, children: [] };
      open.at(-1)?.children.push(element);
      if (empty) ended = element;
      else open.push(element);
    }
    if (ended && open.length === 0) return { element: ended, end: place };
    const next = text.indexOf('<', place);
    if (next < 0 || badText.test(text.slice(place, next))) return undefined;
    place = next;
  }
}

function repeats(attributes: string): boolean {
  const names = Array.from(
    attributes.matchAll(/([^\s=]+)\s*=\s*(?:"[^"]*"|'[^']*')/g),
    ([, name]) => name,
  );
  return new Set(names).size < names.length;
}

/** Whether a text is one XML document, with these elements in it. */
export function isXml(text: string, required: readonly string[]): boolean {
  let place = 0;
  if (/^<\?xml\s/.test(text)) place = text.indexOf('?>') + 2;
  const skip = () => {
    for (;;) {
      place += matchAt(space, text, place)?.[0].length ?? 0;
      const other = matchAt(skipped, text, place) ?? matchAt(doctype, text, place);
      if (!other) return;
      place += other[0].length;
    }
  };
  skip();
  const read = elementAt(text, place);
  if (!read) return false;
  place = read.end;
  skip();
  return place === text.length && holdsAll(read.element, required);
}

/** Whether some part of a text is an XML element, with these elements in it. */
export function containsXml(text: string, required: readonly string[]): boolean {
  const work = { left: mostTags };
  for (let place = text.indexOf('<'); place >= 0; place = text.indexOf('<', place)) {
    if (work.left <= 0) return false;
    const read = nameStart.test(text[place + 1] ?? '')
      ? elementAt(text, place, { mayRepeat: true, work })
      : undefined;
    if (read && holdsAll(read.element, required)) return true;
    place = read ? read.end : place + 1;
  }
  return false;
}

/** Elements are named by their path from the root: `analysis.result`. */
function holdsAll(root: Element, required: readonly string[]): boolean {
  return required.every((path) => {
    let found: readonly Element[] = [{ name: '', children: [root] }];
    for (const name of path.split('.'))
      found = found.flatMap(({ children }) => children.filter((child) => child.name === name));
    return found.length > 0;
  });
}

const htmlNames = new Set(
  (
    'html head title base link meta style body article section nav aside h1 h2 h3 h4 h5 h6 header footer address ' +
    'p hr pre blockquote ol ul li dl dt dd figure figcaption main div a em strong small s cite q dfn abbr ruby rt rp ' +
    'data time code var samp kbd sub sup i b u mark bdi bdo span br wbr img iframe embed object param picture source ' +
    'video audio track map area svg math script noscript canvas ins del table caption colgroup col tbody thead tfoot ' +
    'tr td th form label input button select datalist optgroup option textarea output progress meter fieldset legend ' +
    'details summary dialog menu slot template'
  ).split(' '),
);
const voidNames = new Set(
  'area base br col embed hr img input link meta param source track wbr'.split(' '),
);
const htmlTag = /<(\/)?([a-z][^\s/>]*)((?:"[^"]*"|'[^']*'|[^"'<>])*)>/gi;

/** Whether a text is HTML: known elements, and no text outside of them unless there is a `<body>`. */
export function isHtml(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed === '' || /^<\?xml/i.test(trimmed)) return false;
  const plain = withoutRawText(
    trimmed.replace(/<!--[\s\S]*?(?:-->|$)/g, '').replace(/<!doctype[^<>]*>/gi, ''),
  );
  const open: string[] = [];
  let [end, isKnown, hasText] = [0, false, false];
  for (const found of plain.matchAll(htmlTag)) {
    const [whole, close, written = '', rest = ''] = found;
    const name = written.toLowerCase();
    if (!open.some(holdsText) && plain.slice(end, found.index).trim() !== '') hasText = true;
    end = found.index + whole.length;
    if (close) {
      const at = open.lastIndexOf(name);
      if (at >= 0) open.length = at;
      continue;
    }
    isKnown ||= htmlNames.has(name) || name.includes('-');
    if (!voidNames.has(name) && !rest.endsWith('/')) open.push(name);
  }
  hasText ||= !open.some(holdsText) && plain.slice(end).trim() !== '';
  const hasBody = /<body[\s>/]/i.test(plain);
  return isKnown && (hasBody || !hasText);
}

const rawTag = /<(script|style|textarea|title)\b[^<>]*>/gi;

/** What stands in elements whose text is no markup is left out. */
function withoutRawText(text: string): string {
  const lower = text.toLowerCase();
  let [kept, from] = ['', 0];
  for (const found of text.matchAll(rawTag)) {
    const after = found.index + found[0].length;
    if (found.index < from) continue;
    const end = lower.indexOf(`</${(found[1] ?? '').toLowerCase()}`, after);
    kept += text.slice(from, after);
    if (end < 0) return kept;
    from = end;
  }
  return kept + text.slice(from);
}

/** Text directly in these stands in the body all the same. */
function holdsText(name: string): boolean {
  return name !== 'html' && name !== 'head';
}

/** What speaks for HTML in a text, and how much. */
const signs: readonly (readonly [RegExp, number])[] = [
  [/<[a-z][a-z0-9-]*(?:\s[^<>]*)?>/i, 1],
  [/<\/[a-z][a-z0-9-]*\s*>/i, 1],
  [/<[a-z][a-z0-9-]*(?:\s[^<>]*)?\/>/i, 1],
  [/&(?:[a-z]+|#\d+|#x[\da-f]+);/i, 1],
  [/<!doctype\s+html/i, 2],
  [/<!--[^-]*(?:-[^-]+)*-->/, 1],
  [/\s[a-z-]+=\s*["'][^"']*["']/i, 1],
  [
    /<(?:html|head|body|div|span|p|a|img|h[1-6]|[uo]l|li|table|t[rdh]|form|input|button|script|style|link|meta|[bh]r)\b/i,
    2,
  ],
];

/** Whether some of a text is HTML: two signs of it, or one that is plain. */
export function containsHtml(text: string): boolean {
  return signs.reduce((sum, [sign, worth]) => sum + (sign.test(text) ? worth : 0), 0) >= 2;
}
