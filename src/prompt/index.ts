/**
 * Composes prompts from rows, templates, examples and a model's own dialogue format. Pure
 * functions on data; runs in Node and in browsers.
 *
 * @module
 */

export { type NamedFormat, namedFormats } from './catalogue.ts';
export {
  type ChatTemplate,
  loadChatTemplate,
  renderChatTemplate,
  traceChatTemplate,
} from './chat-template/index.ts';
export { checkFields, checkValues, type Diagnostic, fieldNames } from './diagnostics.ts';
export {
  type ChatTemplateFormat,
  chatApiFormat,
  type FormatSettings,
  formatOf,
  type ModelFormat,
  plainFormat,
} from './format.ts';
export type { Mode } from './lay-out.ts';
export { type MetaTemplate, parseMetaTemplate, type RoleFormat } from './meta-template.ts';
export { joinSpans, type Origin, type Place, type RowId, type Span, spansFrom } from './origin.ts';
export {
  type Content,
  type ContentPart,
  contentText,
  describeMedia,
  identifyMessages,
  type MediaContent,
  type MediaPart,
  type Modality,
  textOnly,
} from './parts/content.ts';
export {
  compileLabelPrompts,
  compilePrompt,
  type LabelProgram,
  type PromptProgram,
  type PromptSettings,
  showsMedia,
} from './program.ts';
export {
  type Message,
  type MessagesPrompt,
  type Prompt,
  type TextPrompt,
  type TracedMessage,
  type TracedMessages,
  type TracedPrompt,
  type TracedText,
  untrace,
} from './prompt.ts';
export {
  type PromptList,
  type PromptListItem,
  plainPromptList,
  tracePromptList,
} from './prompt-list.ts';
export { createShotPool, fillPrompt, tracePrompt } from './render.ts';
export type { ShotPool, Shots } from './shots.ts';
export type { TemplateConfig } from './template.ts';
export type { NamedRow, PositionedRow } from './trace.ts';
export {
  compileTurns,
  elementAt,
  rowOfTurns,
  type TurnsProgram,
  turnField,
} from './turns.ts';
export { Float, formatValue, type Row } from './values.ts';
