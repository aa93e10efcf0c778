import { ConfigError, type ConfigPath } from '../../../errors.ts';
import type { ModelFormat } from '../../../prompt/format.ts';
import type { Origin, RowId, Span } from '../../../prompt/origin.ts';
import type { Prompt, TracedPrompt } from '../../../prompt/prompt.ts';
import type { PromptList } from '../../../prompt/prompt-list.ts';
import {
  type BuiltMessage,
  type BuiltPrompt,
  chatMessages,
  type Piece,
  plainPieces,
  textOf,
} from './build-context.ts';

/** How the messages of a prompt are sent. */
export interface RenderSettings {
  /** Left out: as plain text. */
  readonly chat?: ChatSettings | undefined;
  /** Where the config has the task. */
  readonly path: ConfigPath;
}

export interface ChatSettings {
  readonly format: ModelFormat;
  /** Whether the model takes messages itself. */
  readonly takesMessages: boolean;
  readonly asTurns: boolean;
}

/** The prompts of a row, one for each of its contexts. */
export function renderPrompts(
  { contexts, isOpen }: BuiltPrompt,
  { chat }: RenderSettings,
): readonly Prompt[] {
  return contexts.map((messages): Prompt => {
    if (!chat) return { type: 'text', text: textOf(plainPieces(messages)) };
    const spoken = chatMessages(messages, { asTurns: chat.asTurns, isOpen }).map(
      ({ role, pieces }) => ({ role, content: textOf(pieces) }),
    );
    if (chat.takesMessages) return { type: 'messages', messages: spoken, ...(isOpen && open) };
    const text = writerOf(chat).render({
      messages: spoken,
      addGenerationPrompt: !isOpen,
      isOpen,
    });
    return { type: 'text', text };
  });
}

const open = { isOpen: true } as const;

/** Whose texts are traced: the row, and the examples by their numbers in the prompt. */
export interface TracedRows {
  readonly row: RowId;
  readonly shots: readonly RowId[];
}

export interface TracedContext {
  readonly list: PromptList;
  readonly prompt: TracedPrompt;
}

/** The same with the origin of every character. */
export function tracePrompts(
  { contexts, isOpen }: BuiltPrompt,
  rows: TracedRows,
  { chat, path }: RenderSettings,
): readonly TracedContext[] {
  const spansOf = (pieces: readonly Piece[]) => pieces.map((piece) => spanOf(piece, rows, path));
  return contexts.map((messages): TracedContext => {
    if (!chat) {
      const spans = spansOf(plainPieces(messages));
      return { list: { type: 'text', spans }, prompt: { type: 'text', spans } };
    }
    const spoken = chatMessages(messages, { asTurns: chat.asTurns, isOpen }).map(
      ({ role, pieces }) => ({ role, spans: spansOf(pieces) }),
    );
    const list: PromptList = {
      type: 'list',
      items: spoken.map(({ role, spans }) => ({ type: 'turn', role: roleNames[role], spans })),
    };
    if (chat.takesMessages) {
      return { list, prompt: { type: 'messages', messages: spoken, ...(isOpen && open) } };
    }
    const spans = writerOf(chat).trace({ messages: spoken, addGenerationPrompt: !isOpen, isOpen });
    return { list, prompt: { type: 'text', spans } };
  });
}

const roleNames: Readonly<Record<BuiltMessage['role'], string>> = {
  system: 'SYSTEM',
  user: 'HUMAN',
  assistant: 'BOT',
};

function spanOf({ text, key, column, shot }: Piece, rows: TracedRows, path: ConfigPath): Span {
  const at = { path: [...path, 'lm_eval', 'config', key], start: 0 };
  const inShot = shot === undefined ? {} : { shot };
  const origin: Origin =
    column === undefined
      ? { type: 'literal', at, ...inShot }
      : {
          type: 'field',
          field: column,
          row: (shot === undefined ? rows.row : rows.shots[shot]) ?? rows.row,
          at,
          ...inShot,
        };
  return { text, origin };
}

function writerOf({ format }: ChatSettings) {
  if (format.type === 'chat-template') return format.template;
  throw new ConfigError('lm_eval.no_chat_template', 'the model has no chat template to apply', {
    hint: 'Give the model a `chat_template`, use a chat endpoint, or omit apply_chat_template.',
  });
}
