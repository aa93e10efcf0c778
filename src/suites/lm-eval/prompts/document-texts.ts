import {
  parseTextTemplate,
  type TextPart,
  type TextTemplate,
} from '../../../chat-template/text-template.ts';
import { DataError } from '../../../errors.ts';
import { entriesOf, isMapping } from '../../../prompt/mapping.ts';
import { Float, type Row } from '../../../prompt/values.ts';
import { toPython } from '../../../python/convert.ts';
import { literalEval } from '../../../python/literal.ts';
import { pyStr } from '../../../python/repr.ts';
import {
  isList,
  isText,
  listItems,
  PyDict,
  PyTuple,
  type PyValue,
} from '../../../python/values.ts';
import type { DocumentText, FunctionName, LmEvalTask } from '../tasks/task-config.ts';
import { regexReplace } from './regex-replace.ts';

/** The functions of a task, by their names in its YAML. */
export type TaskFunctions = (name: string) => (...given: readonly unknown[]) => unknown;

/** What a document's target is: a text, the number of a choice, or several. */
export type Target = string | number | null | readonly unknown[];

/** A text, with where its parts come from. */
export interface TracedValue<Value> {
  readonly value: Value;
  readonly parts: readonly TextPart[];
}

/** Turns documents into texts as a task says. */
export class DocumentTexts {
  readonly #columns: ReadonlySet<string>;
  readonly #hasChoices: boolean;
  readonly #functions: TaskFunctions;
  readonly #file: string;
  readonly #templates = new Map<string, TextTemplate>();

  constructor(
    task: Pick<LmEvalTask, 'docToChoice' | 'name'>,
    parts: { readonly columns: Iterable<string>; readonly functions: TaskFunctions },
  ) {
    this.#columns = new Set(parts.columns);
    this.#hasChoices = task.docToChoice !== undefined;
    this.#functions = parts.functions;
    this.#file = task.name;
  }

  text(given: DocumentText, row: Row): string | number {
    if (typeof given === 'number') return given;
    if (isFunction(given)) return fromPlain(this.#call(given, row)) as string | number;
    if (typeof given !== 'string') throw notText('doc_to_text', given);
    if (this.#columns.has(given)) return scalarOf(row[given]) as string | number;
    const text = this.#render('doc_to_text', given, row);
    return this.#hasChoices && isDigits(text) ? Number(text) : text;
  }

  /** The parts of that text, where it is one. */
  traceText(given: DocumentText, row: Row): readonly TextPart[] {
    if (typeof given !== 'string') return [{ text: String(this.text(given, row)) }];
    if (this.#columns.has(given)) return [{ text: String(row[given]), column: given }];
    return this.#template('doc_to_text', given).trace(row);
  }

  target(given: DocumentText, row: Row): Target {
    if (typeof given === 'number' || Array.isArray(given)) return given as number | unknown[];
    if (isFunction(given)) return fromPlain(this.#call(given, row)) as Target;
    if (typeof given !== 'string') throw notText('doc_to_target', given);
    if (this.#columns.has(given)) return scalarOf(row[given]) as Target;
    const text = this.#render('doc_to_target', given, row);
    if (this.#hasChoices && isDigits(text)) return Number(text);
    if (text.length >= 2 && text.startsWith('[') && text.endsWith(']')) {
      const read = literalEval(text);
      if (read) return plainOf(read.value) as Target;
    }
    return text;
  }

  traceTarget(given: DocumentText, row: Row): readonly TextPart[] {
    if (typeof given !== 'string') return [];
    if (this.#columns.has(given)) {
      const value = row[given];
      return typeof value === 'string' ? [{ text: value, column: given }] : [];
    }
    return this.#template('doc_to_target', given).trace(row);
  }

  choices(given: DocumentText, row: Row): readonly string[] {
    const found = this.#choices(given, row);
    if (!Array.isArray(found) || found.length === 0) {
      throw new DataError('lm_eval.no_choices', 'doc_to_choice does not give a list of choices', {
        hint: 'It must be a list, a column with one, or a template that prints one.',
      });
    }
    return found.map(printed);
  }

  #choices(given: DocumentText, row: Row): unknown {
    if (Array.isArray(given)) return given;
    if (isFunction(given)) return fromPlain(this.#call(given, row));
    if (isMapping(given)) return entriesOf(given).map(([, value]) => value);
    if (typeof given !== 'string') return undefined;
    if (this.#columns.has(given)) return row[given];
    const text = this.#render('doc_to_choice', given, row);
    const read = literalEval(text);
    return read && plainOf(read.value);
  }

  /** A description or prefix: the column of that name, or else a template. */
  field(name: string, given: string | FunctionName | undefined, row: Row): string {
    if (given === undefined || given === '') return '';
    if (typeof given !== 'string') return String(this.#call(given, row));
    return Object.hasOwn(row, given) ? printed(row[given]) : this.#render(name, given, row);
  }

  traceField(
    name: string,
    given: string | FunctionName | undefined,
    row: Row,
  ): readonly TextPart[] {
    if (typeof given !== 'string' || given === '') return [{ text: this.field(name, given, row) }];
    if (Object.hasOwn(row, given)) return [{ text: printed(row[given]), column: given }];
    return this.#template(name, given).trace(row);
  }

  #call({ function: name }: FunctionName, row: Row): unknown {
    return this.#functions(name)(row);
  }

  #render(name: string, source: string, row: Row): string {
    return this.#template(name, source).render(row);
  }

  #template(name: string, source: string): TextTemplate {
    const known = this.#templates.get(source);
    if (known) return known;
    const options = { name, file: this.#file, regexReplace };
    const template = parseTextTemplate(source, options);
    this.#templates.set(source, template);
    return template;
  }
}

export function isFunction(given: unknown): given is FunctionName {
  return isMapping(given) && 'function' in given && typeof given.function === 'string';
}

function notText(key: string, given: unknown): DataError {
  return new DataError('lm_eval.bad_text', `${key} is ${JSON.stringify(given)}: it must be text`);
}

/** Python's `str.isdigit` as far as a number can be read from it. */
function isDigits(text: string): boolean {
  return /^\d+$/.test(text) && !/^0\d*[1-9]/.test(text);
}

/** Truth values are whole numbers, as in Python. */
function scalarOf(value: unknown): unknown {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return Number(value);
  return value;
}

function fromPlain(value: unknown): unknown {
  return scalarOf(value);
}

/** What Python prints for a value. */
export function printed(value: unknown): string {
  return typeof value === 'string' ? value : pyStr(toPython(value));
}

/** A value of Python as data have it. */
function plainOf(value: PyValue): unknown {
  if (isText(value)) return String(value);
  if (isList(value)) return listItems(value).map(plainOf);
  if (value instanceof PyTuple) return value.items.map(plainOf);
  if (value instanceof PyDict) {
    return Object.fromEntries(
      [...value.entries()].map(([key, item]) => [String(key), plainOf(item)]),
    );
  }
  if (value instanceof Float && !Number.isInteger(value.value)) return value.value;
  return value;
}
