import { countCharacters } from '../../python/text.ts';
import { type SavedPrompt, savedText } from '../../run/saved-prompts.ts';

/** Prompts that a run kept, in the form of those that are made again; where parts come from is not known. */
export function keptView(saved: readonly SavedPrompt[]): Record<string, unknown> {
  const isOnly = saved.length === 1;
  return {
    shots: [],
    diagnostics: [],
    prompts: saved.flatMap((one, index): object[] => {
      const part = isOnly ? {} : { turn: index + 1 };
      if (one.messages) return [{ ...part, ...messagesView(one.messages) }];
      const texts = one.texts ?? [{ text: one.text ?? '' }];
      return texts.map(({ text, ...label }) => ({ ...part, ...label, ...textView(text) }));
    }),
  };
}

function textView(text: string) {
  return {
    prompt: { type: 'text', text },
    spans: [span(text)],
    ...unknown,
    characters: countCharacters(text),
  };
}

function messagesView(messages: NonNullable<SavedPrompt['messages']>) {
  const said = messages.map(({ role, content }) => ({ role, text: savedText(content) }));
  return {
    prompt: { type: 'messages', messages },
    spans: said.map(({ role, text }) => ({ role, spans: [span(text)] })),
    ...unknown,
    characters: said.reduce((sum, { text }) => sum + countCharacters(text), 0),
  };
}

const unknown = { request: null, tokens: null };

function span(text: string) {
  return { text, origin: null, at: null };
}
