/**
 * Composes prompts from rows, templates, examples and a model's own dialogue format. Pure
 * functions on data; runs in Node and in browsers.
 *
 * @module
 */

export { loadChatTemplate } from '../chat-template/load.ts';
export { renderChatTemplate } from '../chat-template/render.ts';
export { traceChatTemplate } from '../chat-template/trace.ts';
export type { ChatTemplate } from '../chat-template/types.ts';
export { type NamedFormat, namedFormats } from '../prompt/catalogue.ts';
export { checkFields, checkValues, type Diagnostic, fieldNames } from '../prompt/diagnostics.ts';
export {
  type ChatTemplateFormat,
  chatApiFormat,
  type FormatSettings,
  formatOf,
  type ModelFormat,
  plainFormat,
} from '../prompt/format.ts';
export { formatStops } from '../prompt/format-stops.ts';
export type { Mode } from '../prompt/lay-out.ts';
export { type MetaTemplate, parseMetaTemplate, type RoleFormat } from '../prompt/meta-template.ts';
export {
  joinSpans,
  type Origin,
  type RowId,
  type Span,
  spansFrom,
  type TemplatePosition,
} from '../prompt/origin.ts';
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
} from '../prompt/parts/content.ts';
export {
  compileLabelPrompts,
  compilePrompt,
  type LabelProgram,
  type PromptProgram,
  type PromptSettings,
  showsMedia,
} from '../prompt/program.ts';
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
} from '../prompt/prompt.ts';
export {
  type PromptList,
  type PromptListItem,
  plainPromptList,
  tracePromptList,
} from '../prompt/prompt-list.ts';
export { createShotPool, fillPrompt, tracePrompt } from '../prompt/render.ts';
export type { ShotPool } from '../prompt/shots.ts';
export { shotsAs } from '../prompt/shots-as.ts';
export type { ShotsAs, TemplateConfig } from '../prompt/template.ts';
export type { ShotArrangement } from '../prompt/template-choice.ts';
export type { NamedRow, PositionedRow, Shots } from '../prompt/trace.ts';
export {
  compileTurns,
  elementAt,
  rowOfTurns,
  type TurnsProgram,
  turnField,
} from '../prompt/turns.ts';
export { Float, formatValue, type Row } from '../prompt/values.ts';
