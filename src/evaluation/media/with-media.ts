import { MediaLibrary } from '../../data/media/media-library.ts';
import type { MediaSettings } from '../../data/media/read-media.ts';
import { DataError } from '../../errors.ts';
import type { Span } from '../../prompt/origin.ts';
import type { Content, MediaPart } from '../../prompt/parts/content.ts';
import { showPromptTags, showTags } from '../../prompt/parts/hidden-tags.ts';
import type { Prompt, TracedPrompt } from '../../prompt/prompt.ts';
import type { PromptList } from '../../prompt/prompt-list.ts';
import type { Query } from '../../retrieve/retriever.ts';
import type { CompositeInference, PartRequest, TracedRequestText } from '../inference.ts';
import type { EvaluationPrompts } from '../prompt-setup.ts';

/** Prompts whose media are known by what they hold, once `prepare` has looked at them. */
export function withMedia(prompts: EvaluationPrompts, settings: MediaSettings): EvaluationPrompts {
  const library = new MediaLibrary(settings);
  return {
    ...prompts,
    showsMedia: true,
    dialogue: prompts.dialogue && settleDialogue(prompts.dialogue, { prompts, library }),
    async prepare(queries) {
      await prompts.prepare?.(queries);
      await library.look(queries.flatMap((query) => mediaOfRow(prompts, query)));
    },
    promptOf: (row) => {
      const { prompt, ...fitted } = prompts.promptOf(row);
      return { ...fitted, prompt: settlePrompt(prompt, library) };
    },
    traceOf: (row, shots) => settleText(prompts.traceOf(row, shots), library),
  };
}

/** Looks at the media of prompts as they come, and puts in what they hold. */
export function mediaSettler(settings: MediaSettings): (prompt: Prompt) => Promise<Prompt> {
  const library = new MediaLibrary(settings);
  return async (prompt) => {
    await library.look(mediaOf(prompt));
    return settlePrompt(prompt, library);
  };
}

/** A row that no prompt can be made of says so when it is asked about. */
function mediaOfRow(prompts: EvaluationPrompts, query: Query): MediaPart[] {
  try {
    const made = prompts.turnsOf?.(query) ?? [prompts.promptOf(query).prompt];
    return made.flatMap(mediaOf);
  } catch (error) {
    if (error instanceof DataError) return [];
    throw error;
  }
}

function mediaOf(prompt: Prompt): MediaPart[] {
  if (prompt.type === 'text') return [];
  return prompt.messages.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => part.type !== 'text'),
  );
}

interface DialogueParts {
  readonly prompts: EvaluationPrompts;
  readonly library: MediaLibrary;
}

function settleDialogue(
  dialogue: CompositeInference,
  { prompts, library }: DialogueParts,
): CompositeInference {
  const settlePart = (part: PartRequest): PartRequest => {
    const { request } = part;
    if (request.type !== 'generate') return part;
    return { ...part, request: { ...request, prompt: settlePrompt(request.prompt, library) } };
  };
  return {
    ...dialogue,
    identityOf: (query) => {
      const media = mediaOfRow(prompts, query).map((part) => library.settle(part).content?.sha256);
      return JSON.stringify([dialogue.identityOf(query), media]);
    },
    next: (row, answers) => dialogue.next(row, answers).map(settlePart),
    traceNext: (row, answers) =>
      dialogue.traceNext(row, answers).map((part) => ({
        ...settlePart(part),
        examples: part.examples,
        texts: part.texts.map((text) => settleText(text, library)),
      })),
  };
}

function settlePrompt(prompt: Prompt, library: MediaLibrary): Prompt {
  if (prompt.type === 'text') return prompt;
  const settle = (content: Content): Content =>
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part : library.settle(part)));
  return showPromptTags({
    ...prompt,
    messages: prompt.messages.map(({ role, content }) => ({ role, content: settle(content) })),
  });
}

function settleText(text: TracedRequestText, library: MediaLibrary): TracedRequestText {
  const settle = (spans: readonly Span[]) =>
    spans.map((span) =>
      span.media
        ? { ...span, media: library.settle(span.media) }
        : { ...span, text: showTags(span.text) },
    );
  return {
    ...text,
    list: settleList(text.list, settle),
    prompt: settleTraced(text.prompt, settle),
  };
}

type SettleSpans = (spans: readonly Span[]) => readonly Span[];

function settleList(list: PromptList, settle: SettleSpans): PromptList {
  if (list.type === 'text') return { ...list, spans: settle(list.spans) };
  return { ...list, items: list.items.map((item) => ({ ...item, spans: settle(item.spans) })) };
}

function settleTraced(traced: TracedPrompt, settle: SettleSpans): TracedPrompt {
  if (traced.type === 'text') return traced;
  const messages = traced.messages.map(({ role, spans }) => ({ role, spans: settle(spans) }));
  return { ...traced, messages };
}
