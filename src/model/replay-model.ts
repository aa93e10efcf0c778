import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { DataError, ModelError } from '../errors.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { readFinishReason } from './answer.ts';
import { asCount, asObject, asText, type JsonObject, parseJson } from './json-value.ts';
import type { Answer, GenerateRequest, Model } from './model.ts';
import type { Usage } from './usage.ts';

/**
 * A model that gives recorded answers: from a run log, or from a JSONL file whose lines have an
 * `answer` and a `key`, a `prompt` or an `id`.
 */
export async function replayModel(file: string): Promise<Model> {
  const text = await readText(file);
  const answers = parseReplayAnswers(text, file);
  return {
    name: basename(file),
    abilities: new Set(['generate']),
    identity: { type: 'replay', sha256: createHash('sha256').update(text).digest('hex') },
    target: { to: `the recorded answers ${basename(file)}` },
    encode: ({ prompt, id }) => JSON.stringify({ prompt, id }),
    // Answers are looked for by the key, then by the prompt, then by the number of the row.
    bodiesOf: async (request) =>
      'prompt' in request
        ? [JSON.stringify({ key: request.key, prompt: request.prompt, id: request.id })]
        : [],
    async generate(request, { signal }) {
      signal.throwIfAborted();
      const answer = answers.find(request);
      if (!answer) throw notRecorded(file, request);
      return { ...answer, totalMs: 0 };
    },
    close: async () => undefined,
  };
}

async function readText(file: string): Promise<string> {
  try {
    return await readTextFile(file);
  } catch (cause) {
    throw new DataError('model.replay_file', `the recorded answers cannot be read: ${cause}`, {
      cause,
      hint: 'Check the path of the file.',
    });
  }
}

function notRecorded(file: string, { id, prompt }: GenerateRequest): ModelError {
  const text =
    prompt.type === 'text' ? prompt.text : contentText(prompt.messages.at(-1)?.content ?? '');
  const row = id === undefined ? '' : ` of row ${JSON.stringify(id)}`;
  const shown = text.length > 80 ? `…${text.slice(-80)}` : text;
  // The same for all rows, so that reports count one reason.
  return new ModelError('model.not_recorded', `${basename(file)} holds no answer to the prompt`, {
    retryable: false,
    hint: `The prompt${row} is ${JSON.stringify(shown)}: record an answer, or ask a model.`,
  });
}

/** Recorded answers by what their requests are known by. Of two for the same, the later counts. */
class ReplayAnswers {
  readonly #byKey = new Map<string, Answer>();
  readonly #byPrompt = new Map<string, Answer>();
  readonly #byId = new Map<string, Answer>();

  find({ key, prompt, id }: GenerateRequest): Answer | undefined {
    return (
      (key === undefined ? undefined : this.#byKey.get(key)) ??
      this.#byPrompt.get(promptName(prompt)) ??
      (id === undefined ? undefined : this.#byId.get(String(id)))
    );
  }

  /** Takes a line of a run log, or one with `key`, `prompt` or `id` and an `answer`. */
  add(line: JsonObject): 'added' | 'no-answer' | 'no-name' {
    const answer = recordedAnswer(line);
    if (!answer) return 'no-answer';
    const key = asText(line.key);
    const { prompt, id } = line;
    // The prompt of a run log is a hash. There, rows are also known by id: keys name the model.
    const isLogged = line.outcome !== undefined;
    if (key !== undefined) this.#byKey.set(key, answer);
    else if (prompt !== undefined) this.#byPrompt.set(recordedPrompt(prompt), answer);
    const isNamed = key !== undefined || prompt !== undefined;
    if (id !== undefined && (isLogged || !isNamed)) this.#byId.set(String(id), answer);
    return isNamed || id !== undefined ? 'added' : 'no-name';
  }
}

/** Reads the lines of a file of recorded answers. */
function parseReplayAnswers(text: string, file: string): ReplayAnswers {
  const answers = new ReplayAnswers();
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const record = asObject(parseJson(line));
    // A line without an end was torn when its writer stopped.
    if (!record && index === lines.length - 1) break;
    const isLogged = record?.outcome !== undefined;
    const result = record ? answers.add(record) : 'no-answer';
    if (result === 'added' || (result === 'no-answer' && isLogged)) continue;
    throw new DataError(
      'model.bad_replay_line',
      `${file}, line ${index + 1}: ${problems[result]}`,
      {
        at: { file, line: index + 1, column: 1 },
        hint: 'Write lines such as {"prompt": "1 + 1 =", "answer": "2"}.',
      },
    );
  }
  return answers;
}

const problems = {
  'no-answer': 'not a JSON object with an `answer`',
  'no-name': 'has neither `key` nor `prompt` nor `id`',
} as const;

/** An answer as text, as an object like a result, or as the columns of a run log. */
function recordedAnswer(line: JsonObject): Answer | undefined {
  const parts = asObject(line.answer) ?? { ...line, text: line.answer };
  const text = asText(parts.text);
  if (text === undefined) return undefined;
  const finish = parts.finishReason ?? parts.finish;
  return {
    text,
    reasoning: asText(parts.reasoning),
    finishReason: finish === undefined ? 'stop' : readFinishReason(finish),
    usage: recordedUsage(parts),
  };
}

function recordedUsage({ usage, tokens }: JsonObject): Usage | undefined {
  if (Array.isArray(tokens)) {
    return { inputTokens: asCount(tokens[0]), outputTokens: asCount(tokens[1]) };
  }
  return asObject(usage) as Usage | undefined;
}

/** Text and a single user message with that text are one prompt: which is sent, the model decides. */
function promptName(prompt: Prompt): string {
  if (prompt.type === 'text') return prompt.text;
  const [only, ...others] = prompt.messages;
  if (only?.role === 'user' && others.length === 0) return contentText(only.content);
  return JSON.stringify(prompt.messages.map(({ role, content }) => [role, contentText(content)]));
}

function recordedPrompt(prompt: unknown): string {
  if (!Array.isArray(prompt)) return String(prompt);
  const messages = prompt.map((message) => ({
    role: String(asObject(message)?.role),
    content: String(asObject(message)?.content),
  }));
  return promptName({ type: 'messages', messages });
}
