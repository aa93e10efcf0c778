import type { TextPart } from '../../../chat-template/text-template.ts';
import { DataError } from '../../../errors.ts';
import type { Row } from '../../../prompt/values.ts';
import { isBlank } from '../../../python/text.ts';
import type { DocumentText, LmEvalTask } from '../tasks/task-config.ts';
import { type DocumentTexts, printed, type Target } from './document-texts.ts';

/** A stretch of a prompt, and the setting of the task that it comes from. */
export interface Piece extends TextPart {
  readonly key: string;
  /** The number of the example that it belongs to. */
  readonly shot?: number | undefined;
}

export interface BuiltMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly pieces: readonly Piece[];
  /** What stands after it in plain text. */
  readonly after: readonly Piece[];
}

/** What a row is asked: messages before the answer, one list for each choice where they differ. */
export interface BuiltPrompt {
  readonly contexts: readonly (readonly BuiltMessage[])[];
  /** The choices as they are; left out where nothing is chosen. */
  readonly choices?: readonly string[] | undefined;
  /** Whether the last message is the beginning of the answer. */
  readonly isOpen: boolean;
}

export interface PromptOptions {
  readonly systemInstruction?: string | undefined;
  /** Whether each choice is asked about in a context of its own. */
  readonly hasSeveralInputs: boolean;
}

/** How texts are made: with their origins, or quickly. */
type Mode = 'plain' | 'traced';

/** Puts the prompts of a task together. */
export class ContextBuilder {
  readonly #task: LmEvalTask;
  readonly #texts: DocumentTexts;
  readonly #options: PromptOptions;

  constructor(task: LmEvalTask, texts: DocumentTexts, options: PromptOptions) {
    this.#task = task;
    this.#texts = texts;
    this.#options = options;
  }

  build(row: Row, shots: readonly Row[], mode: Mode = 'plain'): BuiltPrompt {
    const { docToText, docToChoice, targetDelimiter, genPrefix } = this.#task;
    const before = [
      ...this.#systemMessage(row, mode),
      ...shots.flatMap((shot, index) => this.#shot(shot, index, mode)),
    ];
    const choices = docToChoice === undefined ? undefined : this.#texts.choices(docToChoice, row);
    const prefix = this.#field('gen_prefix', genPrefix, row, mode);
    const isOpen = lengthOf(prefix) > 0;
    if (this.#options.hasSeveralInputs) {
      const contexts = (choices ?? []).map((choice) => [
        ...before,
        ...turn({ question: [{ text: choice, key: 'doc_to_choice' }], prefix, between: [] }),
      ]);
      return { contexts, choices, isOpen };
    }
    const question = this.#question(docToText, row, mode);
    const between = [{ text: targetDelimiter, key: 'target_delimiter' }];
    return { contexts: [[...before, ...turn({ question, prefix, between })]], choices, isOpen };
  }

  #systemMessage(row: Row, mode: Mode): readonly BuiltMessage[] {
    const { description, fewshotDelimiter } = this.#task;
    const { systemInstruction = '' } = this.#options;
    const instruction = [{ text: systemInstruction, key: 'system_instruction' }];
    const described =
      mode === 'traced'
        ? keyed(this.#texts.traceField('description', description, row), 'description')
        : [{ text: this.#texts.field('description', description, row), key: 'description' }];
    const pieces = delimited(instruction, described, {
      text: fewshotDelimiter,
      key: 'fewshot_delimiter',
    });
    return lengthOf(pieces) === 0 ? [] : [{ role: 'system', pieces, after: [] }];
  }

  #shot(row: Row, shot: number, mode: Mode): readonly BuiltMessage[] {
    const { fewshot } = this.#task;
    const target = this.#texts.target(fewshot.docToTarget, row);
    const choices =
      fewshot.docToChoice === undefined ? undefined : this.#texts.choices(fewshot.docToChoice, row);
    const question = this.#options.hasSeveralInputs
      ? this.#chosenInput(fewshot.docToText, row, choices)
      : this.#question(fewshot.docToText, row, mode);
    const prefix = this.#field('gen_prefix', fewshot.genPrefix, row, mode);
    const answer = this.#answer(target, {
      choices: this.#options.hasSeveralInputs ? undefined : choices,
      row,
      mode,
    });
    const messages = turn({
      question,
      prefix,
      answer,
      between: [{ text: fewshot.targetDelimiter, key: 'target_delimiter' }],
      after: [{ text: fewshot.fewshotDelimiter, key: 'fewshot_delimiter' }],
    });
    const inShot = (pieces: readonly Piece[]) => pieces.map((piece) => ({ ...piece, shot }));
    return messages.map((message) => ({
      ...message,
      pieces: inShot(message.pieces),
      after: inShot(message.after),
    }));
  }

  #question(given: DocumentText, row: Row, mode: Mode): readonly Piece[] {
    if (mode === 'traced') return keyed(this.#texts.traceText(given, row), 'doc_to_text');
    const text = this.#texts.text(given, row);
    if (typeof text === 'string') return [{ text, key: 'doc_to_text' }];
    throw new DataError(
      'lm_eval.bad_text',
      `doc_to_text gives ${printed(text)}, which is not text`,
      {
        hint: 'A question must be text. A number is the index of a choice, if the first row has one.',
      },
    );
  }

  /** Of tasks whose choices are the questions, the example shows the right one. */
  #chosenInput(
    given: DocumentText,
    row: Row,
    choices: readonly string[] | undefined,
  ): readonly Piece[] {
    const place = this.#texts.text(given, row);
    const text = choices?.at(Number(place));
    if (text !== undefined) return [{ text, key: 'doc_to_choice' }];
    throw new DataError('lm_eval.bad_text', `doc_to_text gives ${printed(place)}: no such choice`);
  }

  /** The answer that an example shows; nothing where it has none. */
  #answer(target: Target, { choices, row, mode }: AnswerParts): readonly Piece[] | undefined {
    if (target === null || target === undefined || target === '') return undefined;
    if (choices && typeof target === 'number') {
      const text = choices.at(target);
      if (text !== undefined) return [{ text, key: 'doc_to_choice' }];
      throw new DataError(
        'lm_eval.bad_target',
        `an example has the choice ${target}, of ${choices.length}`,
      );
    }
    const shown = Array.isArray(target) ? target[0] : target;
    if (typeof shown !== 'string') {
      throw new DataError(
        'lm_eval.bad_target',
        `the target ${printed(shown)} of an example is not text`,
        {
          hint: 'The original shows only text: make doc_to_target print it.',
        },
      );
    }
    const parts =
      mode === 'traced' ? this.#texts.traceTarget(this.#task.fewshot.docToTarget, row) : [];
    return parts.map(({ text }) => text).join('') === shown && parts.length > 0
      ? keyed(parts, 'doc_to_target')
      : [{ text: shown, key: 'doc_to_target' }];
  }

  #field(name: string, given: string | undefined, row: Row, mode: Mode): readonly Piece[] {
    if (mode === 'traced') return keyed(this.#texts.traceField(name, given, row), name);
    return [{ text: this.#texts.field(name, given, row), key: name }];
  }
}

interface AnswerParts {
  readonly choices: readonly string[] | undefined;
  readonly row: Row;
  readonly mode: Mode;
}

interface Turn {
  readonly question: readonly Piece[];
  readonly prefix: readonly Piece[];
  readonly answer?: readonly Piece[] | undefined;
  /** What stands between question and answer, */
  readonly between: readonly Piece[];
  /** and after the answer. */
  readonly after?: readonly Piece[] | undefined;
}

/** A question, with its answer or with the beginning of one. */
function turn({ question, prefix, answer, between, after = [] }: Turn): readonly BuiltMessage[] {
  const hasPrefix = lengthOf(prefix) > 0;
  const isDelimited = hasPrefix ? needsDelimiter(question, prefix) : answer !== undefined;
  const asked: BuiltMessage = { role: 'user', pieces: question, after: isDelimited ? between : [] };
  if (answer) {
    const said = delimited(prefix, answer, { text: ' ', key: 'gen_prefix' });
    return [asked, { role: 'assistant', pieces: said, after }];
  }
  return hasPrefix ? [asked, { role: 'assistant', pieces: prefix, after: [] }] : [asked];
}

/** Two texts with something between them, unless one is empty or there is white space already. */
function delimited(
  first: readonly Piece[],
  second: readonly Piece[],
  between: Piece,
): readonly Piece[] {
  if (lengthOf(first) === 0) return second;
  if (lengthOf(second) === 0) return first;
  return needsDelimiter(first, second) ? [...first, between, ...second] : [...first, ...second];
}

function needsDelimiter(first: readonly Piece[], second: readonly Piece[]): boolean {
  const last = [...textOf(first)].at(-1);
  const next = [...textOf(second).slice(0, 2)][0];
  return last !== undefined && !isBlank(last) && !(next !== undefined && isBlank(next));
}

function keyed(parts: readonly TextPart[], key: string): readonly Piece[] {
  return parts.map((part) => ({ ...part, key }));
}

export function textOf(pieces: readonly TextPart[]): string {
  return pieces.map(({ text }) => text).join('');
}

function lengthOf(pieces: readonly TextPart[]): number {
  return pieces.reduce((sum, { text }) => sum + text.length, 0);
}

/** All of a prompt as plain text. */
export function plainPieces(messages: readonly BuiltMessage[]): readonly Piece[] {
  return messages.flatMap(({ pieces, after }) => [...pieces, ...after]);
}

/** The messages that a chat template or a chat server is given. */
export function chatMessages(
  messages: readonly BuiltMessage[],
  { asTurns, isOpen }: { readonly asTurns: boolean; readonly isOpen: boolean },
): readonly Pick<BuiltMessage, 'role' | 'pieces'>[] {
  if (asTurns) return messages;
  const system = messages.filter(({ role }) => role === 'system');
  const others = messages.slice(system.length);
  const spoken = isOpen ? others.slice(0, -1) : others;
  const last = spoken.length - 1;
  const pieces = spoken.flatMap((message, index) =>
    index === last ? message.pieces : [...message.pieces, ...message.after],
  );
  return [...system, { role: 'user', pieces }, ...(isOpen ? others.slice(-1) : [])];
}
