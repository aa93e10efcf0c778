import { addMessage, fillMessages, fillText } from './fill.ts';
import type { Span } from './origin.ts';
import type { Plan } from './plan.ts';
import type { Message, TracedMessage } from './prompt.ts';
import type { SingleBody } from './template.ts';
import {
  addTraced,
  inShot,
  type NamedRow,
  type Shots,
  spanInShot,
  traceMessages,
  traceText,
} from './trace.ts';
import type { Row } from './values.ts';

export interface ShotForm {
  readonly body: SingleBody;
  readonly plan: Plan;
}

/** How examples are written and joined. */
export interface ShotStyle {
  /** The template of one example and its plan; with label templates they depend on the row. */
  readonly formOf: (row: Row) => ShotForm;
  /** Examples are dialogues, not text. */
  readonly turns: boolean;
  readonly separator: string;
  /** What follows the last example. */
  readonly tail: string;
  readonly merge: boolean;
  /** What stands between examples was written by the user, or is a line break between lines. */
  readonly separatorName: 'ice_separator' | 'line';
}

/** Renders each example of a pool once, and hands out any selection of them. */
export class ShotPool {
  readonly #style: ShotStyle;
  readonly #rows: readonly NamedRow[];
  readonly #texts: (string | undefined)[] = [];
  readonly #messages: (readonly Message[] | undefined)[] = [];
  readonly #spans: (readonly Span[] | undefined)[] = [];
  readonly #traced: (readonly TracedMessage[] | undefined)[] = [];
  #lastIndexes: readonly number[] | undefined;
  #lastShots: Shots | undefined;

  constructor(style: ShotStyle, rows: readonly NamedRow[]) {
    this.#style = style;
    this.#rows = rows;
  }

  /** The examples with these indexes into the pool, in this order. */
  take(indexes: readonly number[]): Shots {
    if (this.#lastShots && sameIndexes(indexes, this.#lastIndexes)) return this.#lastShots;
    const shots = new SelectedShots(this, this.#style, indexes);
    this.#lastIndexes = indexes;
    this.#lastShots = shots;
    return shots;
  }

  rowAt(index: number): NamedRow {
    const row = this.#rows[index];
    if (row) return row;
    throw new RangeError(`example ${index} is not among the ${this.#rows.length} rows of the pool`);
  }

  textAt(index: number): string {
    const known = this.#texts[index];
    if (known !== undefined) return known;
    const { row } = this.rowAt(index);
    const { plan } = this.#style.formOf(row);
    const text = plan.type === 'text' ? fillText(plan, row, undefined) : '';
    this.#texts[index] = text;
    return text;
  }

  messagesAt(index: number): readonly Message[] {
    const known = this.#messages[index];
    if (known) return known;
    const { row } = this.rowAt(index);
    const { plan } = this.#style.formOf(row);
    const messages = plan.type === 'messages' ? fillMessages(plan, row, undefined) : [];
    this.#messages[index] = messages;
    return messages;
  }

  /** Spans that do not know yet as which example they will stand. */
  spansAt(index: number): readonly Span[] {
    const known = this.#spans[index];
    if (known) return known;
    const named = this.rowAt(index);
    const { plan } = this.#style.formOf(named.row);
    const spans = plan.type === 'text' ? traceText(plan, named, undefined) : [];
    this.#spans[index] = spans;
    return spans;
  }

  tracedAt(index: number): readonly TracedMessage[] {
    const known = this.#traced[index];
    if (known) return known;
    const named = this.rowAt(index);
    const { plan } = this.#style.formOf(named.row);
    const traced = plan.type === 'messages' ? traceMessages(plan, named, undefined) : [];
    this.#traced[index] = traced;
    return traced;
  }
}

class SelectedShots implements Shots {
  readonly #pool: ShotPool;
  readonly #style: ShotStyle;
  readonly #indexes: readonly number[];
  #text: string | undefined;
  #spans: Span[] | undefined;
  #messages: Message[] | undefined;
  #tracedMessages: TracedMessage[] | undefined;

  constructor(pool: ShotPool, style: ShotStyle, indexes: readonly number[]) {
    this.#pool = pool;
    this.#style = style;
    this.#indexes = indexes;
  }

  get rows(): readonly NamedRow[] {
    return this.#indexes.map((index) => this.#pool.rowAt(index));
  }

  get text(): string {
    if (this.#text !== undefined) return this.#text;
    let text = '';
    this.#indexes.forEach((index, shot) => {
      if (this.#separatedAt(shot)) text += this.#style.separator;
      text += this.#pool.textAt(index);
    });
    if (this.#indexes.length > 0) text += this.#style.tail;
    this.#text = text;
    return text;
  }

  get spans(): readonly Span[] {
    if (this.#spans) return this.#spans;
    const { separator, separatorName, tail } = this.#style;
    const spans: Span[] = [];
    this.#indexes.forEach((index, shot) => {
      if (separator !== '' && this.#separatedAt(shot)) {
        spans.push({ text: separator, origin: { type: 'separator', name: separatorName } });
      }
      for (const span of this.#pool.spansAt(index)) spans.push(spanInShot(span, shot));
    });
    if (this.#indexes.length > 0 && tail !== '') {
      spans.push({ text: tail, origin: { type: 'separator', name: 'ice_eos_token' } });
    }
    this.#spans = spans;
    return spans;
  }

  /** Line breaks stand between lines that print something; a separator stands between all. */
  #separatedAt(shot: number): boolean {
    if (shot === 0) return false;
    if (this.#style.separatorName !== 'line') return true;
    const prints = (index: number) => this.#pool.textAt(index) !== '';
    return prints(this.#indexes[shot] ?? 0) && this.#indexes.slice(0, shot).some(prints);
  }

  get messages(): readonly Message[] {
    if (this.#messages) return this.#messages;
    const messages: Message[] = [];
    for (const index of this.#indexes) {
      for (const message of this.#pool.messagesAt(index))
        addMessage(messages, this.#style.merge ? '\n' : undefined, message);
    }
    this.#messages = messages;
    return messages;
  }

  get tracedMessages(): readonly TracedMessage[] {
    if (this.#tracedMessages) return this.#tracedMessages;
    const messages: TracedMessage[] = [];
    this.#indexes.forEach((index, shot) => {
      for (const { role, spans } of this.#pool.tracedAt(index)) {
        const glue = this.#style.merge ? '\n' : undefined;
        addTraced(messages, glue, { role, spans: inShot(spans, shot) });
      }
    });
    this.#tracedMessages = messages;
    return messages;
  }
}

function sameIndexes(a: readonly number[], b: readonly number[] | undefined): boolean {
  return (
    a === b || (b !== undefined && a.length === b.length && a.every((index, i) => index === b[i]))
  );
}
