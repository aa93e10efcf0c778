import { SaxesParser } from 'saxes';
import { DataError } from '../../../errors.ts';

/** What a reader of XML meets: a tag that opens, text, a tag that closes. */
export type XmlEvent =
  | {
      readonly type: 'open';
      readonly name: string;
      readonly attributes: Readonly<Record<string, string | undefined>>;
    }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'close'; readonly name: string };

/** Reads the XML of office files: tags without their prefixes, attributes with them. */
export function xmlEvents({ name: file, xml }: { name: string; xml: string }): XmlEvent[] {
  const events: XmlEvent[] = [];
  const addText = (text: string) => events.push({ type: 'text', text });
  const parser = new SaxesParser();
  parser.on('opentag', ({ name, attributes }) =>
    events.push({ type: 'open', name: withoutPrefix(name), attributes }),
  );
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', ({ name }) => events.push({ type: 'close', name: withoutPrefix(name) }));
  parser.on('error', ({ message }) => {
    throw new DataError('task.bad_archive', `${file} cannot be read: ${message}`, {
      hint: 'Download the file again.',
    });
  });
  parser.write(xml).close();
  return events;
}

function withoutPrefix(tag: string): string {
  return tag.slice(tag.indexOf(':') + 1);
}
