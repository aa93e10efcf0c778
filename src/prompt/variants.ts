import type { Item, SingleBody, Turn } from './template.ts';
import type { Shots } from './trace.ts';
import type { Row } from './values.ts';

/** What of a template says nothing in some prompt. */
export interface Silent {
  /** Columns that are empty. */
  readonly columns: ReadonlySet<string>;
  /** Whether there are no examples. */
  readonly shots: boolean;
}

const nothing: Silent = { columns: new Set(), shots: false };

/** A program, or those for rows that leave something of it unsaid. */
export interface Varied<Program> {
  readonly variantOf?: ((row: Row, shots: Shots | undefined) => Program) | undefined;
}

export interface Compiled<Program> {
  readonly program: Program;
  /** The columns at the end of the prompt: where they are empty, it ends before them. */
  readonly tail: readonly string[];
}

/** The program, with those for rows that leave something of it unsaid. */
export function withVariants<Program extends object>(
  compile: (silent: Silent) => Compiled<Program>,
  { body }: { readonly body: SingleBody },
): Program & Varied<Program> {
  const { program, tail } = compile(nothing);
  const mayLack = body.type !== 'string' && itemsOf(body).some(isShotsAlone);
  if (tail.length === 0 && !mayLack) return program;
  const known = new Map<string, Program>([['false', program]]);
  return {
    ...program,
    variantOf(row: Row, examples: Shots | undefined) {
      const empty = tail.filter((name) => row[name] === '');
      const shots = mayLack && !examples?.rows.length;
      const key = [shots, ...empty].join('\0');
      const variant = known.get(key) ?? compile({ columns: new Set(empty), shots }).program;
      known.set(key, variant);
      return variant;
    },
  };
}

/** The program that makes the prompt of a row. */
export function programFor<Program extends Varied<Program>>(
  program: Program,
  row: Row,
  shots?: Shots,
): Program {
  return program.variantOf === undefined ? program : program.variantOf(row, shots);
}

/** A template without the turns that say nothing but examples. */
export function withoutShotTurns<Body extends SingleBody>(body: Body): Body {
  const said = (items: readonly Item[]) => items.filter((item) => !isShotsAlone(item));
  if (body.type === 'string') return body;
  if (body.type === 'messages') return { ...body, items: said(body.items) };
  return { ...body, begin: said(body.begin), round: said(body.round), end: said(body.end) };
}

function isShotsAlone(item: Item): item is Turn {
  if (item.type !== 'turn' || !item.prompt?.length) return false;
  return item.prompt.every(({ type }) => type === 'shots');
}

function itemsOf(body: Exclude<SingleBody, { type: 'string' }>): readonly Item[] {
  return body.type === 'dialogue' ? [...body.begin, ...body.round, ...body.end] : body.items;
}
