import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { hideBase64In } from '../base/hidden-text.ts';
import type {
  Evaluation,
  MaybePromise,
  PlannedRequest,
  RowPlan,
} from '../evaluation/evaluation.ts';
import type { Content } from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import { AppendLog } from './store/log-file.ts';

/** What a request asked, as it is kept with the answers. */
export interface SavedPrompt {
  /** The key of the request. */
  readonly key: string;
  readonly id: number;
  readonly text?: string | undefined;
  readonly messages?: readonly { readonly role: string; readonly content: unknown }[] | undefined;
  /** Texts whose likelihood was asked for, with their labels. */
  readonly texts?: readonly { readonly label?: unknown; readonly text: string }[] | undefined;
}

/** Where the prompts of an evaluation are kept: beside its log. */
export function promptsFile(logFile: string): string {
  return `${logFile}.prompts`;
}

/** Keeps what an evaluation asks, each request once. */
export class PromptLog {
  readonly #log: AppendLog<SavedPrompt>;
  readonly #known: Set<string>;

  private constructor(log: AppendLog<SavedPrompt>, known: Set<string>) {
    this.#log = log;
    this.#known = known;
  }

  static async open(logFile: string): Promise<PromptLog> {
    const file = promptsFile(logFile);
    const known = new Set<string>();
    for await (const { key } of readSavedPrompts(file)) known.add(key);
    const size = known.size === 0 ? 0 : (await stat(file)).size;
    return new PromptLog(await AppendLog.open<SavedPrompt>(file, size), known);
  }

  /** The same evaluation; what it plans is kept. */
  watch(evaluation: Evaluation): Evaluation {
    const keep = (plan: RowPlan): RowPlan => {
      for (const request of plan.requests) this.#keep(request);
      return plan;
    };
    return {
      ...evaluation,
      plan: (row, answers): MaybePromise<RowPlan> => {
        const plan = evaluation.plan(row, answers);
        return plan instanceof Promise ? plan.then(keep) : keep(plan);
      },
    };
  }

  async close(): Promise<void> {
    await this.#log.close();
  }

  #keep({ key, id, asked }: PlannedRequest): void {
    if (this.#known.has(key)) return;
    this.#known.add(key);
    if (asked.type === 'loglikelihood') {
      const { texts, labels } = asked;
      const named = texts.map(({ text }, index) => ({ label: labels?.[index], text }));
      this.#log.append({ key, id, texts: named });
    } else if (asked.prompt.type === 'text') {
      this.#log.append({ key, id, text: asked.prompt.text });
    } else {
      const messages = asked.prompt.messages.map(({ role, content }) => ({
        role,
        content: plainContent(content),
      }));
      this.#log.append({ key, id, messages });
    }
  }
}

/** Media by their names: their bytes are in the data. */
function plainContent(content: Content): unknown {
  if (typeof content === 'string') return content;
  return content.map((part) =>
    part.type === 'text'
      ? { type: 'text', text: part.text }
      : { type: part.type, source: hideBase64In(part.source) },
  );
}

/** What a message says, with media by their names. */
export function savedText(content: unknown): string {
  if (typeof content === 'string') return content;
  const parts = content as readonly { readonly text?: string; readonly source?: string }[];
  return parts.map(({ text, source }) => text ?? `⟨${source}⟩`).join('');
}

/** The prompts that a run kept; a line that a crash tore ends them. */
export async function* readSavedPrompts(file: string): AsyncGenerator<SavedPrompt> {
  if (!(await stat(file).catch(() => undefined))) return;
  for await (const line of createInterface({ input: createReadStream(file, 'utf8') })) {
    try {
      yield JSON.parse(line) as SavedPrompt;
    } catch {
      return;
    }
  }
}

/** A kept prompt as it was asked; of texts whose likelihood was, the first. */
export function savedPrompt({ text, texts, messages = [] }: SavedPrompt): Prompt {
  if (text !== undefined || texts) return { type: 'text', text: text ?? texts?.[0]?.text ?? '' };
  const isMedia = (content: unknown): content is Content => Array.isArray(content);
  return {
    type: 'messages',
    messages: messages.map(({ role, content }) => ({
      role: role as Message['role'],
      content: isMedia(content) ? content : String(content),
    })),
  };
}

/** The prompts of some requests, in their order; only those that were kept. */
export async function findSavedPrompts(
  logFile: string,
  keys: readonly string[],
): Promise<SavedPrompt[]> {
  const wanted = new Set(keys);
  const found = new Map<string, SavedPrompt>();
  for await (const saved of readSavedPrompts(promptsFile(logFile))) {
    if (wanted.has(saved.key)) found.set(saved.key, saved);
    if (found.size === wanted.size) break;
  }
  return keys.flatMap((key) => found.get(key) ?? []);
}
