import { CompatError } from '../../python/compat-error.ts';
import { pyEquals, pySubscript } from '../../python/operators.ts';
import { pyRepr, pyStr } from '../../python/repr.ts';
import type { Text } from '../../python/traced-text.ts';
import { isText, PyDict, type PyValue } from '../../python/values.ts';
import { failAs } from '../compat.ts';
import type { Dialect } from './meta-template.ts';

/** What a parser does with the parts of a `PromptList`. Each answers whether to go on. */
export interface SectionHandlers {
  readonly text: (text: Text) => void;
  /** A role item in a `begin` or `end` section. */
  readonly item: (item: PyValue) => boolean;
  /** All items of a `round` or `ice` section. */
  readonly dialogue: (items: readonly PyValue[], section: string) => boolean;
}

const sectionNames = ['begin', 'round', 'end', 'ice'];

/** Walks through the sections of a prompt. Answers whether the end was reached. */
export function walkSections(
  items: readonly PyValue[],
  { dialect, handlers }: { readonly dialect: Dialect; readonly handlers: SectionHandlers },
): boolean {
  const open: { readonly name: string; readonly start: number }[] = [];
  for (const [index, item] of items.entries()) {
    let goOn = true;
    if (isText(item)) {
      handlers.text(item);
    } else if (item instanceof PyDict && item.has('section')) {
      if (opensSection(item, dialect)) {
        open.push({ name: openedName(item, dialect), start: index + 1 });
      } else {
        const name = closeSection(item, { open: open.at(-1)?.name, dialect });
        const start = open.pop()?.start ?? 0;
        if (name === 'round' || name === 'ice') {
          goOn = handlers.dialogue(items.slice(start, index), name);
        }
      }
    } else if (isOutsideRound(open.at(-1)?.name, item)) {
      goOn = handlers.item(item);
    }
    if (!goOn) return false;
  }
  return true;
}

function opensSection(mark: PyDict, { compat }: Dialect): boolean {
  const position = pySubscript(mark, 'pos');
  if (pyEquals(position, 'end')) return false;
  if (pyEquals(position, 'begin')) return true;
  throw failAs(compat, {
    what: `a section mark has the position ${pyRepr(position)}`,
    hint: 'use begin or end',
    opencompass: ['ValueError', `Invalid pos ${pyStr(position)}`],
    aisbench: [
      'AISBenchValueError',
      'MODEL-UNK-001',
      `Invalid prompt template item pos ${pyStr(position)}, legal item pos are 'begin' or 'end'.`,
    ],
  });
}

function openedName(mark: PyDict, dialect: Dialect): string {
  const name = pySubscript(mark, 'section');
  const known = sectionNames.find((each) => pyEquals(name, each));
  if (known !== undefined) return known;
  throw failSection(dialect, {
    what: `unknown section ${pyRepr(name)}`,
    hint: `use one of ${sectionNames.join(', ')}`,
    message:
      `section ${pyStr(name)} in prompt template is not valid, ` +
      "it must be 'begin', 'round', 'end', or 'ice'",
  });
}

function closeSection(
  mark: PyDict,
  { open, dialect }: { readonly open: string | undefined; readonly dialect: Dialect },
): string {
  if (open === undefined) {
    throw new CompatError({
      type: 'IndexError',
      message: 'pop from empty list',
      what: 'a section ends that never began, as with every end section of a template',
      hint: 'leave out the end section: with a meta template the original cannot read it',
    });
  }
  const name = pySubscript(mark, 'section');
  if (pyEquals(name, open)) return open;
  throw failSection(dialect, {
    what: `the section ${pyRepr(name)} ends inside the section '${open}'`,
    message: `section ${pyStr(name)} in prompt template must match the last section ${open}`,
  });
}

function isOutsideRound(open: string | undefined, item: PyValue): boolean {
  if (open !== undefined) return open === 'begin' || open === 'end';
  throw new CompatError({
    type: 'IndexError',
    message: 'list index out of range',
    what: `a prompt list has an item outside all sections: ${pyRepr(item)}`,
    hint: 'put it into begin or round',
  });
}

function failSection(
  { compat, parser }: Dialect,
  failure: { readonly what: string; readonly hint?: string; readonly message: string },
): CompatError {
  const { message, ...rest } = failure;
  return failAs(parser === 'api' ? compat : 'opencompass', {
    ...rest,
    opencompass: ['AssertionError', ''],
    aisbench: ['AISBenchValueError', 'MODEL-UNK-001', message],
  });
}
