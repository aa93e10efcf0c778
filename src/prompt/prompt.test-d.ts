import { expectTypeOf } from 'vitest';
import {
  type ChatTemplate,
  chatApiFormat,
  compileLabelPrompts,
  compilePrompt,
  createShotPool,
  fillPrompt,
  formatOf,
  joinSpans,
  loadChatTemplate,
  type MessagesPrompt,
  type ModelFormat,
  type Prompt,
  type PromptProgram,
  renderChatTemplate,
  type ShotPool,
  type Span,
  type TextPrompt,
  type TracedPrompt,
  traceChatTemplate,
  tracePrompt,
} from './index.ts';

const program = compilePrompt({ promptTemplate: { template: '{q}' } });
expectTypeOf(program).toEqualTypeOf<PromptProgram>();
expectTypeOf(compileLabelPrompts).returns.items.toHaveProperty('program');
expectTypeOf(createShotPool(program, [])).toEqualTypeOf<ShotPool | undefined>();
// @ts-expect-error a mode is one of two
compilePrompt({}, 'chat');
// @ts-expect-error programs are frozen data
program.mode = 'ppl';

const prompt = fillPrompt(program, { q: 1 });
expectTypeOf(prompt).toEqualTypeOf<Prompt>();
if (prompt.type === 'text') expectTypeOf(prompt).toEqualTypeOf<TextPrompt>();
else expectTypeOf(prompt).toEqualTypeOf<MessagesPrompt>();

const traced = tracePrompt(program, { id: 0, row: {} });
expectTypeOf(traced).toEqualTypeOf<TracedPrompt>();
if (traced.type === 'text') expectTypeOf(traced.spans).toEqualTypeOf<readonly Span[]>();
// @ts-expect-error messages have spans of their own
joinSpans(traced.spans);

const template = loadChatTemplate('');
expectTypeOf(template).toEqualTypeOf<ChatTemplate>();
expectTypeOf(template.render).toBeCallableWith({ messages: [], addGenerationPrompt: true });
expectTypeOf(renderChatTemplate).returns.toBeString();
expectTypeOf(traceChatTemplate).returns.toEqualTypeOf<Span[]>();

expectTypeOf(formatOf({ takes: 'text', path: [] })).toEqualTypeOf<ModelFormat>();
expectTypeOf(chatApiFormat).toEqualTypeOf<ModelFormat>();
formatOf({ takes: 'text', chatTemplate: { template }, path: ['models', 0] });
// @ts-expect-error models take text or messages
formatOf({ takes: 'tokens', path: [] });
