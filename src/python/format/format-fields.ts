/** A template in pieces, as Python cuts it. */
export type FormatPiece =
  | { readonly type: 'text'; readonly text: string }
  | FormatField
  /** Where Python stops reading, once it gets there. */
  | { readonly type: 'problem'; readonly message: string; readonly start: number };

export interface FormatField {
  readonly type: 'field';
  /** Where the field begins in the template. */
  readonly start: number;
  /** What stands before the first `.` or `[`. */
  readonly name: string;
  /** The `.x` and `[0]` that follow the name. */
  readonly path: string;
  /** What follows a `!`; nothing if there is none. */
  readonly conversion: string;
  /** What follows the `:`. */
  readonly spec: string;
  /** The pieces of a specification that holds fields itself. */
  readonly specPieces?: readonly FormatPiece[];
}

const deepest = 2;

/** Cuts a template of `str.format_map` into pieces. */
export function parseFormat(template: string, depth = deepest): readonly FormatPiece[] {
  if (depth === 0) return [{ type: 'problem', message: 'fields are nested too deeply', start: 0 }];
  const pieces: FormatPiece[] = [];
  let offset = 0;
  while (offset < template.length) {
    const { text, end, next } = readText(template, offset);
    if (text !== '') pieces.push({ type: 'text', text });
    if (typeof next === 'string')
      return [...pieces, { type: 'problem', message: next, start: end }];
    offset = end;
    if (!next) continue;
    const field = readField(template, { start: offset, depth });
    pieces.push(field.piece);
    if (field.piece.type === 'problem') return pieces;
    offset = field.end;
  }
  return pieces;
}

interface TextPart {
  readonly text: string;
  readonly end: number;
  /** Whether a field follows, or what is wrong. */
  readonly next: boolean | string;
}

function readText(template: string, start: number): TextPart {
  const brace = template.slice(start).search(/[{}]/);
  if (brace < 0) return { text: template.slice(start), end: template.length, next: false };
  const end = start + brace;
  const mark = template[end];
  if (template[end + 1] === mark) {
    return { text: template.slice(start, end + 1), end: end + 2, next: false };
  }
  const text = template.slice(start, end);
  if (mark === '}' || end + 1 === template.length) {
    return { text, end, next: `a single \`${mark}\` stands in the text` };
  }
  return { text, end: end + 1, next: true };
}

interface FieldPart {
  readonly piece: FormatPiece;
  readonly end: number;
}

/** Reads a field from the character after its brace. */
function readField(
  template: string,
  { start, depth }: { readonly start: number; readonly depth: number },
): FieldPart {
  const problem = (message: string): FieldPart => ({
    piece: { type: 'problem', message, start: start - 1 },
    end: start,
  });
  const nameEnd = findNameEnd(template, start);
  const mark = template[nameEnd];
  if (mark === '{') return problem('a `{` stands inside the name of a field');
  if (mark === undefined) return problem('a `{` is never closed');
  const wholeName = template.slice(start, nameEnd);
  const pathStart = wholeName.search(/[.[]/);
  const name = pathStart < 0 ? wholeName : wholeName.slice(0, pathStart);
  const path = pathStart < 0 ? '' : wholeName.slice(pathStart);
  const field = { type: 'field', start: start - 1, name, path } as const;
  if (mark === '}') return { piece: { ...field, conversion: '', spec: '' }, end: nameEnd + 1 };
  let offset = nameEnd + 1;
  let conversion = '';
  if (mark === '!') {
    const [letter] = template.slice(offset);
    if (letter === undefined) return problem('a `!` is followed by nothing');
    conversion = letter;
    offset += letter.length;
    const after = template[offset];
    if (after === '}') return { piece: { ...field, conversion, spec: '' }, end: offset + 1 };
    if (after !== undefined && after !== ':')
      return problem(`\`!${letter}\` is not followed by \`:\``);
    offset++;
  }
  const specEnd = findSpecEnd(template, offset);
  if (specEnd === undefined) return problem('a `{` is never closed');
  const spec = template.slice(offset, specEnd);
  const specPieces = spec.includes('{') && { specPieces: parseFormat(spec, depth - 1) };
  return { piece: { ...field, conversion, spec, ...specPieces }, end: specEnd + 1 };
}

/** The name ends at `}`, `:` or `!`; what stands in brackets belongs to it. */
function findNameEnd(template: string, start: number): number {
  const name = /(?:[^{}:![]|\[[^\]]*)*/y;
  name.lastIndex = start;
  return start + (name.exec(template)?.[0].length ?? 0);
}

function findSpecEnd(template: string, start: number): number | undefined {
  let depth = 1;
  for (let index = start; index < template.length; index++) {
    if (template[index] === '{') depth++;
    else if (template[index] === '}') depth--;
    if (depth === 0) return index;
  }
  return undefined;
}
