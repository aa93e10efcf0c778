/** What a reader of XML meets: a tag that opens, text, a tag that closes. */
export type XmlEvent =
  | { readonly type: 'open'; readonly name: string; attribute(name: string): string | undefined }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'close'; readonly name: string };

const piece =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([^\s/>]+)([^>]*?)(\/?)>|([^<]+)/g;

/** Reads the XML of office files: names without their prefixes, no document types. */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  for (const [, data, slash, tag, attributes = '', isEmpty, text] of xml.matchAll(piece)) {
    if (data !== undefined) yield { type: 'text', text: data };
    if (text !== undefined) yield { type: 'text', text: decode(text) };
    if (tag === undefined) continue;
    const name = tag.slice(tag.indexOf(':') + 1);
    if (!slash) yield { type: 'open', name, attribute: (key) => attributeOf(attributes, key) };
    if (slash || isEmpty) yield { type: 'close', name };
  }
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  const value = found?.[1] ?? found?.[2];
  return value === undefined ? undefined : decode(value);
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  gt: '>',
  lt: '<',
  quot: '"',
};

function decode(text: string): string {
  return text.replaceAll(/&(?:#x([\da-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (hex) return String.fromCodePoint(Number.parseInt(hex, 16));
    return decimal ? String.fromCodePoint(Number(decimal)) : (entities[name] ?? whole);
  });
}
