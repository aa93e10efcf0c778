import type { MediaSettings } from '../../data/media/look-at-media.ts';
import { MediaLibrary } from '../../data/media/media-library.ts';
import { DataError } from '../../errors.ts';
import type {
  Content,
  MediaPart,
  Prompt,
  PromptList,
  Span,
  TracedPrompt,
} from '../../prompt/index.ts';
import type { Query } from '../../retrieve/index.ts';
import type { CompositeInference, PartRequest } from '../inference.ts';
import type { TaskPrompt, TaskPrompts } from '../prompt-task.ts';

/** Prompts whose media are known by what they hold, once `prepare` has looked at them. */
export function withMedia(prompts: TaskPrompts, settings: MediaSettings): TaskPrompts {
  const library = new MediaLibrary(settings);
  const settle = (prompt: Prompt) => settlePrompt(prompt, library);
  return {
    ...prompts,
    showsMedia: true,
    dialogue: prompts.dialogue && settleDialogue(prompts.dialogue, { prompts, library }),
    async prepare(queries) {
      await prompts.prepare?.(queries);
      await library.look(queries.flatMap((query) => mediaOfRow(prompts, query)));
    },
    promptOf: (query) => {
      const { prompt, dropped } = prompts.promptOf(query);
      return { prompt: settle(prompt), dropped };
    },
    fill: (index) => prompts.fill(index).map(settle),
    trace: (index) => prompts.trace(index).map((prompt) => settleTrace(prompt, library)),
  };
}

/** A row that no prompt can be made of says so when it is asked about. */
function mediaOfRow(prompts: TaskPrompts, query: Query): MediaPart[] {
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
  readonly prompts: TaskPrompts;
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
    next: (query, answered) => dialogue.next(query, answered).map(settlePart),
  };
}

function settlePrompt(prompt: Prompt, library: MediaLibrary): Prompt {
  if (prompt.type === 'text') return prompt;
  const settle = (content: Content): Content =>
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part : library.settle(part)));
  return {
    type: 'messages',
    messages: prompt.messages.map(({ role, content }) => ({ role, content: settle(content) })),
  };
}

function settleTrace(prompt: TaskPrompt, library: MediaLibrary): TaskPrompt {
  const settle = (spans: readonly Span[]) =>
    spans.map((span) => (span.media ? { ...span, media: library.settle(span.media) } : span));
  return {
    ...prompt,
    list: settleList(prompt.list, settle),
    prompt: settleTraced(prompt.prompt, settle),
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
  return { type: 'messages', messages };
}
