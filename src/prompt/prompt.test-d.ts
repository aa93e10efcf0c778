import { expectTypeOf } from 'vitest';
import { loadChatTemplate } from '../chat-template/load.ts';
import { renderChatTemplate } from '../chat-template/render.ts';
import { traceChatTemplate } from '../chat-template/trace.ts';
import type { ChatTemplate } from '../chat-template/types.ts';
import { chatApiFormat, formatOf, type ModelFormat } from './format.ts';
import { joinSpans, type Span } from './origin.ts';
import { compileLabelPrompts, compilePrompt, type PromptProgram } from './program.ts';
import type { MessagesPrompt, Prompt, TextPrompt, TracedPrompt } from './prompt.ts';
import { createShotPool, fillPrompt, tracePrompt } from './render.ts';
import type { ShotPool } from './shots.ts';

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
