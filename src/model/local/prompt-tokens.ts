import { loadChatTemplate } from '../../chat-template/load.ts';
import { renderChatTemplate } from '../../chat-template/render.ts';
import type { ChatTemplate } from '../../chat-template/types.ts';
import { ModelError } from '../../errors.ts';
import type { Prompt } from '../../prompt/prompt.ts';
import type { LocalTokenizer } from './local-tokenizer.ts';
import type { ModelFolder } from './model-folder.ts';

/** Turns prompts into tokens, as the model's folder says. */
export class PromptTokens {
  readonly #folder: ModelFolder;
  readonly #tokenizer: LocalTokenizer;
  #template: ChatTemplate | undefined;

  constructor({ folder, tokenizer }: { folder: ModelFolder; tokenizer: LocalTokenizer }) {
    this.#folder = folder;
    this.#tokenizer = tokenizer;
  }

  /** Messages become one text by the model's own chat template. */
  textOf(prompt: Prompt): string {
    if (prompt.type === 'text') return prompt.text;
    this.#template ??= loadChatTemplate(this.#folder.tokenizerConfig, {
      file: `${this.#folder.folder}/tokenizer_config.json`,
    });
    return renderChatTemplate(this.#template, {
      messages: prompt.messages,
      addGenerationPrompt: true,
      isOpen: prompt.isOpen,
    });
  }

  idsOf(prompt: Prompt): Int32Array {
    const ids = this.#encode(prompt);
    if (ids.length > 0) return Int32Array.from(ids);
    throw new ModelError('model.bad_request', 'the prompt is empty', {
      retryable: false,
      hint: 'This model has no beginning-of-text token, so a prompt needs at least one character.',
    });
  }

  #encode(prompt: Prompt): readonly number[] {
    // Chat templates write the tokens that begin a text themselves.
    if (prompt.type === 'messages') return this.#tokenizer.encode(this.textOf(prompt));
    if (!prompt.pieces) return this.#tokenizer.encodePrompt(prompt.text);
    const ids = prompt.pieces.flatMap((piece) =>
      typeof piece === 'string' ? this.#tokenizer.encode(piece) : piece,
    );
    return this.#tokenizer.withPrefix(ids);
  }
}

/** Refuses texts that do not fit, with room for one more token where an answer is to follow. */
export function checkLength(
  ids: ArrayLike<number>,
  { contextLength, room }: { readonly contextLength: number; readonly room: number },
): void {
  if (ids.length + room <= contextLength) return;
  throw new ModelError(
    'model.context_exceeded',
    `the text has ${ids.length} tokens, but the model takes at most ${contextLength - room}`,
    { retryable: false, hint: 'Use fewer or shorter examples, or set `max_seq_len` to drop some.' },
  );
}
