/** A string in the text of a file: where its content starts, its value, and a character of it. */
export interface StringLocation {
  readonly text: string;
  readonly start: number;
  readonly value: string;
  readonly index: number;
}

const escapeSequence =
  /\\(?:x[\da-fA-F]{2}|u\{(?<braced>[\da-fA-F]+)\}|u[\da-fA-F]{4}|U(?<long>[\da-fA-F]{8})|.)/y;

/** Offset of a character in content with backslash escapes, unless lines are joined before it. */
export function offsetInEscaped({ text, start, value, index }: StringLocation): number | undefined {
  let offset = start;
  let units = 0;
  while (units < index) {
    if (text[offset] === '\\') {
      escapeSequence.lastIndex = offset;
      const match = escapeSequence.exec(text);
      if (match === null) return undefined;
      const codePoint = match.groups?.braced ?? match.groups?.long ?? '0';
      units += Number.parseInt(codePoint, 16) > 0xffff ? 2 : 1;
      offset += match[0].length;
    } else {
      if (text[offset] !== value[units]) return undefined;
      units += 1;
      offset += 1;
    }
  }
  return units === index ? offset : undefined;
}

/** Offset of a character in content whose only escape is a doubled quote. */
export function offsetInQuoted({ text, start, value, index }: StringLocation): number | undefined {
  const before = value.slice(0, index).replaceAll("'", "''");
  return text.startsWith(before, start) ? start + before.length : undefined;
}

/** Offset of a character in content without escapes. */
export function offsetInPlain({ text, start, value, index }: StringLocation): number | undefined {
  return text.startsWith(value.slice(0, index), start) ? start + index : undefined;
}

/** Offset of a character in an indented block whose header (`|`) is at `start`. */
export function offsetInBlock({ text, start, value, index }: StringLocation): number | undefined {
  const before = value.slice(0, index);
  const lineNumber = before.split('\n').length - 1;
  const column = index - (before.lastIndexOf('\n') + 1);
  const lines = value.split('\n');
  let lineStart = text.indexOf('\n', start) + 1;
  const sourceLines = text.slice(lineStart).split('\n').slice(0, lines.length);
  const written = sourceLines.map((line) => line.replace(/\r$/, ''));
  const firstText = lines.findIndex((line) => line !== '');
  const indent = (written[firstText]?.length ?? 0) - (lines[firstText]?.length ?? 0);
  for (let number = 0; number <= lineNumber; number += 1) {
    if (written[number]?.slice(indent) !== lines[number]) return undefined;
    if (number < lineNumber) lineStart += (sourceLines[number]?.length ?? 0) + 1;
  }
  return lineStart + indent + column;
}
