import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { readTextFile } from '../base/files.ts';
import { DataError, ModelError } from '../errors.ts';
import { contentText } from '../prompt/parts/content.ts';
import type { Prompt } from '../prompt/prompt.ts';
import { readFinishReason } from './answer.ts';
import { chooseRecorded, identifyPart, partName, refuseMore } from './choose-recorded.ts';
import { asCount, asObject, asText, type JsonObject, parseJson } from './json-value.ts';
import type { Answer, GenerateRequest, Model } from './model.ts';
import { noUsage, type Usage } from './usage.ts';

/**
 * A model that replays recorded answers: from a run log, or from a JSONL file whose lines have an
 * `answer` and a `key`, a `prompt` or an `id`.
 */
export async function replayModel(file: string, name = basename(file)): Promise<Model> {
  const text = await readText(file);
  const answers = parseReplayAnswers(text, file);
  const recordedAnswer = (request: GenerateRequest): Answer => {
    const answer = answers.find(request);
    if (!answer) throw notRecorded(file, request);
    return answer;
  };
  return {
    name,
    abilities: new Set(['generate']),
    identity: { type: 'replay', sha256: createHash('sha256').update(text).digest('hex') },
    target: { to: `the recorded answers ${basename(file)}` },
    encode: ({ prompt, id, part }) => JSON.stringify({ prompt, id, ...identifyPart(part) }),
    // Answers are looked for by the key, then by the prompt, then by the number of the row.
    bodiesOf: async (request) =>
      'prompt' in request
        ? [
            JSON.stringify({
              key: request.key,
              prompt: request.prompt,
              id: request.id,
              ...identifyPart(request.part),
            }),
          ]
        : [],
    recordedAnswer,
    async generate(request, { signal }) {
      signal.throwIfAborted();
      return { ...recordedAnswer(request), totalMs: 0 };
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

function notRecorded(file: string, { id, prompt, part }: GenerateRequest): ModelError {
  const text =
    prompt.type === 'text' ? prompt.text : contentText(prompt.messages.at(-1)?.content ?? '');
  const row = id === undefined ? '' : ` of row ${JSON.stringify(id)}`;
  const shown = text.length > 80 ? `…${text.slice(-80)}` : text;
  // The same for all rows, so that reports count one reason.
  const missing = part ? partName(part) : 'the prompt';
  return new ModelError('model.not_recorded', `${basename(file)} has no answer to ${missing}`, {
    retryable: false,
    hint: `The prompt${row} is ${JSON.stringify(shown)}: record an answer, or use a model.`,
  });
}

/** What is recorded of a row by its number. */
interface RowAnswers {
  /** To the row itself, in the order in which it is asked. */
  whole: Answer[];
  /** To its turns or samples by their numbers. */
  readonly parts: Map<number, Answer>;
}

interface PromptAnswer {
  readonly id: string | undefined;
  readonly answer: Answer;
}

type LineProblem = keyof typeof problems;

/** Recorded answers by what their requests are known by. */
class ReplayAnswers {
  readonly #file: string;
  readonly #byKey = new Map<string, Answer>();
  readonly #byPrompt = new Map<string, PromptAnswer[]>();
  readonly #byId = new Map<string, RowAnswers>();

  constructor(file: string) {
    this.#file = basename(file);
  }

  find({ key, prompt, id, part }: GenerateRequest): Answer | undefined {
    const row = id === undefined ? undefined : String(id);
    return (
      (key === undefined ? undefined : this.#byKey.get(key)) ??
      this.#ofPrompt(promptName(prompt), { row, part }) ??
      (row === undefined ? undefined : this.#ofRow(row, part))
    );
  }

  /** Turns have prompts of their own; samples have one prompt. */
  #ofPrompt(
    name: string,
    { row, part }: { readonly row: string | undefined } & Pick<GenerateRequest, 'part'>,
  ): Answer | undefined {
    const all = this.#byPrompt.get(name);
    if (!all) return undefined;
    const own = all.filter(({ id }) => id !== undefined && id === row);
    const answers = (own.length > 0 ? own : all).map(({ answer }) => answer);
    return this.#choose(answers, part?.kind === 'sample' ? part : undefined);
  }

  #ofRow(row: string, part: GenerateRequest['part']): Answer | undefined {
    const recorded = this.#byId.get(row);
    if (!recorded) return undefined;
    const { whole, parts } = recorded;
    if (part && parts.size > 0) {
      // A run may have taken more samples than are asked for now; the first ones are what they were.
      if (part.kind === 'turn') refuseMore(Math.max(...parts.keys()), part, this.#file);
      return parts.get(part.name);
    }
    if (whole.length === 0) throw askedInParts(this.#file);
    return this.#choose(whole, part);
  }

  #choose(answers: readonly Answer[], part: GenerateRequest['part']): Answer | undefined {
    return chooseRecorded({ answers, part, textOf: ({ text }) => text, holder: this.#file });
  }

  /** Takes a line of a run log, or one with `key`, `prompt` or `id` and an `answer`. */
  add(line: JsonObject): LineProblem | undefined {
    return line.outcome === undefined ? this.#addWritten(line) : this.#addLogged(line);
  }

  /** The prompt of a run log is a hash, and its keys name the model. Of two for the same, the later counts. */
  #addLogged(line: JsonObject): undefined {
    const answer = recordedAnswer(line);
    // The line of a row in parts repeats one of their answers.
    if (!answer || line.parts !== undefined) return;
    const key = asText(line.key);
    if (key !== undefined) this.#byKey.set(key, answer);
    if (line.id === undefined) return;
    const row = this.#row(line.id);
    if (line.part === undefined) row.whole = [answer];
    else row.parts.set(Number(line.part), answer);
  }

  /** Several answers to the same are those to its samples, in their order. */
  #addWritten(line: JsonObject): LineProblem | undefined {
    const answers = recordedList(line);
    const [answer, ...more] = answers ?? [];
    if (!answers || !answer) return 'no-answer';
    const { prompt, id, part } = line;
    const key = asText(line.key);
    if (key === undefined && prompt === undefined && id === undefined) return 'no-name';
    if (key === undefined && part === undefined) {
      if (prompt === undefined) this.#row(id).whole.push(...answers);
      else this.#addPrompt(prompt, { id, answers });
      return;
    }
    if (more.length > 0) return 'bad-part';
    if (key !== undefined) return addOnce(this.#byKey, key, answer);
    const name = Number(part);
    const isPart = Number.isInteger(name) && name > 0 && id !== undefined && prompt === undefined;
    return isPart ? addOnce(this.#row(id).parts, name, answer) : 'bad-part';
  }

  #addPrompt(
    prompt: unknown,
    { id, answers }: { readonly id: unknown; readonly answers: readonly Answer[] },
  ): void {
    const name = recordedPrompt(prompt);
    const all = this.#byPrompt.get(name) ?? [];
    this.#byPrompt.set(name, all);
    for (const answer of answers) {
      all.push({ id: id === undefined ? undefined : String(id), answer });
    }
  }

  #row(id: unknown): RowAnswers {
    const name = String(id);
    const row = this.#byId.get(name) ?? { whole: [], parts: new Map() };
    this.#byId.set(name, row);
    return row;
  }
}

function addOnce<Name>(
  answers: Map<Name, Answer>,
  name: Name,
  answer: Answer,
): LineProblem | undefined {
  const before = answers.get(name);
  if (before && before.text !== answer.text) return 'twice';
  answers.set(name, answer);
}

function askedInParts(file: string): ModelError {
  return new ModelError(
    'model.not_recorded',
    `${file} has answers to turns or samples of the row, but it is asked once`,
    { retryable: false, hint: 'Ask the row as it was recorded: in turns, or with `n` samples.' },
  );
}

/** Reads the lines of a file of recorded answers. */
function parseReplayAnswers(text: string, file: string): ReplayAnswers {
  const answers = new ReplayAnswers(file);
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const record = asObject(parseJson(line));
    // A line without an end was torn when its writer stopped.
    if (!record && index === lines.length - 1) break;
    const problem = record ? answers.add(record) : 'no-answer';
    if (!problem) continue;
    throw new DataError(
      'model.bad_replay_line',
      `${file}, line ${index + 1}: ${problems[problem]}`,
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
  'bad-part': '`part` must number the turns or samples of an `id` from 1, each with one answer',
  twice: 'contradicts the answer of an earlier line',
} as const;

/** One answer, or a list with one for each turn or sample. */
function recordedList(line: JsonObject): readonly Answer[] | undefined {
  if (!Array.isArray(line.answer)) {
    const answer = recordedAnswer(line);
    return answer && [answer];
  }
  const answers = line.answer.map((answer) => recordedAnswer({ answer }));
  return answers.every((answer) => answer !== undefined) ? answers : undefined;
}

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
    usage: recordedUsage(parts) ?? noUsage,
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
