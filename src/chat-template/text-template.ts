import { dumpJson } from '../python/json.ts';
import { throwLoadError, throwRenderError } from './errors.ts';
import type { Dialect } from './jinja/dialect.ts';
import { parseTemplate } from './jinja/program.ts';
import { Rope } from './jinja/text.ts';
import { asPython, asString, isMissing, optionalInteger, takes, toText } from './jinja/values.ts';

/** A Jinja text whose variables are the columns of a row. */
export interface TextTemplate {
  readonly source: string;
  render(row: Readonly<Record<string, unknown>>): string;
  /** The same in parts: text of the template, or characters of a column. */
  trace(row: Readonly<Record<string, unknown>>): readonly TextPart[];
}

export interface TextPart {
  readonly text: string;
  /** The column that it was copied from; left out for what the template wrote. */
  readonly column?: string | undefined;
}

export interface TextTemplateOptions {
  /** What the template is called in messages, and the file it stands in. */
  readonly name: string;
  readonly file: string;
  /** What `regex_replace` does; it needs a bounded search, which browsers have none of. */
  readonly regexReplace: (text: string, pattern: string, by: string, count: number) => string;
}

const kind = {
  what: 'Template',
  code: 'jinja',
  failed: 'jinja.failed',
  tooMuch: 'jinja.too_much',
  hints: {
    syntax: 'Correct the template; Jinja 2 has the rules.',
    unknown: 'Rewrite this part of the template with what Jinja 2 has by itself.',
    tooMuch: 'A template is a program. Look at its loops.',
    failed: 'Check that the row has what the template reads there.',
  },
};

/** Parses a Jinja text as Python's `jinja2` does by default, where a missing name is an error. */
export function parseTextTemplate(source: string, options: TextTemplateOptions): TextTemplate {
  const { name, file } = options;
  const text = { kind, name, file, source: source.replace(/\r\n?/g, '\n') };
  const program = parsed(text, dialectOf(options));
  const run = (variables: Readonly<Record<string, unknown>>) =>
    program.run({ variables, now: new Date(0) }, (error, offset) =>
      throwRenderError(text, { error, offset }),
    );
  return {
    source,
    render: (row) => run(row).join(''),
    trace(row) {
      const columns = Object.keys(row);
      const variables = Object.entries(row).map(([column, value], index) => [
        column,
        typeof value === 'string' && value !== '' ? slotOf(value, index) : value,
      ]);
      return run(Object.fromEntries(variables)).map((part) =>
        typeof part === 'string'
          ? { text: part }
          : { text: part.text ?? '', column: columns[part.message] },
      );
    },
  };
}

function slotOf(text: string, message: number): Rope {
  const place = { message, from: 0, trimStart: false, trimEnd: false };
  return new Rope([{ ...place, text, answer: undefined }]);
}

function parsed(text: Parameters<typeof throwLoadError>[0], dialect: Dialect) {
  try {
    return parseTemplate(text.source, dialect);
  } catch (error) {
    return throwLoadError(text, error);
  }
}

function dialectOf({ regexReplace }: TextTemplateOptions): Dialect {
  const replace = takes(['pattern', 'repl', 'count?'], (self, [pattern, by, count]) =>
    regexReplace(
      asString(self),
      asString(pattern),
      toText(by ?? self).value,
      optionalInteger(count) ?? 0,
    ),
  );
  return {
    what: 'task templates',
    trimsBlocks: false,
    isStrict: true,
    filters: new Map([
      ['regex_replace', replace],
      ['tojson', toHtmlSafeJson],
    ]),
  };
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  "'": '\\u0027',
};

/** Keys are sorted, and what HTML gives a meaning is escaped. */
const toHtmlSafeJson = takes(['indent?'], (self, [indent]) => {
  const style = isMissing(indent)
    ? {}
    : { indent: ' '.repeat(Math.min(optionalInteger(indent) ?? 0, 100)) };
  const json = dumpJson(asPython(self), { ...style, ensureAscii: true, sortKeys: true });
  return json.replaceAll(/[<>&']/g, (mark) => escapes[mark] ?? mark);
});
