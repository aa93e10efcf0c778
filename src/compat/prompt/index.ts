export {
  type CompatTemplate,
  createTemplate,
  renderIceItem,
  renderItem,
  renderLabelItem,
} from './any-template.ts';
export {
  buildCompatPrompt,
  buildIce,
  buildPromptList,
  type CompatConfig,
  type CompatModel,
  type CompatPrompt,
  type CompatRequest,
  type CompatRow,
  type CompatSetup,
  compatLabels,
  type PromptListRequest,
  prepareCompat,
  toTracedPrompt,
} from './build.ts';
export { buildChat, type Chat, type ChatOptions } from './chat.ts';
export { type ChatModel, type ChatRunOptions, chatRequests, runChat } from './chat-inference.ts';
export { type ChatParser, createChatParser } from './chat-parser.ts';
export { contentPartSpans } from './content-parts.ts';
export type { Flavour } from './flavour.ts';
export { type Filling, safeFormat } from './format.ts';
export { type LabelOptions, type NormalizedPrompt, normalizePrompt } from './labels.ts';
export { toWireMessages } from './messages.ts';
export {
  type MultiTurnOptions,
  runMultiTurn,
  type TurnModel,
  type TurnRequest,
  turnRequests,
} from './multi-turn-inference.ts';
export { findRound } from './multi-turn-template.ts';
export { formatMultimodal, isMultimodalPrompt } from './multimodal-template.ts';
export {
  createParser,
  type ParseInput,
  type ParseMode,
  parsePrompt,
  type TemplateParser,
} from './parser.ts';
export {
  addPromptListTo,
  addToPromptList,
  extendPromptList,
  formatPromptList,
  promptListText,
  replaceToken,
} from './prompt-list.ts';
export { type Reader, readReader } from './reader.ts';
export { aisbenchRequest, type BodyRequest, type BodyResult } from './request-body.ts';
export {
  generateIce,
  type IceOptions,
  pickShots,
  type Shot,
  type TemplatePair,
} from './retriever.ts';
export { countTokens } from './token-length.ts';
export { type Text, TracedText, toTraced } from './traced-text.ts';
export { type FitOptions, type FittedPrompt, fitShots } from './truncate.ts';
