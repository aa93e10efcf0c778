/**
 * Chat templates as models bring them: Jinja templates that turn a conversation into one text.
 *
 * @module
 */
export { loadChatTemplate } from './load.ts';
export { renderChatTemplate } from './render.ts';
export { startsWithBos } from './special-tokens.ts';
export { traceChatTemplate } from './trace.ts';
export type {
  ChatTemplate,
  ChatTemplateInput,
  ChatTemplateMessage,
  LoadOptions,
  NamedTemplate,
  TokenizerConfig,
  TracedChatMessage,
} from './types.ts';
