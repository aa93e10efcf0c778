import { createHash, hash } from 'node:crypto';
import { joinedBytes } from '../base/text-bytes.ts';
import type {
  LoglikelihoodModel,
  LoglikelihoodRequest,
  LoglikelihoodText,
} from '../model/loglikelihood.ts';
import type { SentBody } from '../model/model.ts';
import { identifyMessages } from '../prompt/parts/content.ts';
import type { Message, Prompt } from '../prompt/prompt.ts';
import { formatValue, type Row } from '../prompt/values.ts';
import type { Evaluation, RowPlan } from './evaluation.ts';
import { abilityFor } from './inference.ts';

/** Changes when the harness would send other bytes, or read the answer otherwise, for one prompt. */
export const harness = 'typecase 1';

/**
 * The identity of a request: what is sent, to which model, and which of several repeats it is.
 * Answers are looked up, resumed and compared by it, never by position.
 */
export function requestKey(body: SentBody, modelIdentity: string, repeat = 0): string {
  return hashOf([`${harness}\n${modelIdentity}\n${repeat}\n`, body]).slice(0, 32);
}

/** Changes when what is kept of an answer to such a request is something else. */
const keptLoglikelihoods = 'logprobs of tokens 1';

/**
 * The same for loglikelihoods. Where an answer begins is no part of it, unless only the answer is
 * asked about: that is applied to what is kept.
 */
export function loglikelihoodKey(
  model: LoglikelihoodModel,
  request: LoglikelihoodRequest,
  modelIdentity: string,
): string {
  const sent = request.body ?? model.encode(request);
  return requestKey(`${beforeBody(model, request)}${sent}`, modelIdentity);
}

/** What stands before the body in what the key of a request for loglikelihoods is a hash of. */
export function beforeBody(model: LoglikelihoodModel, request: LoglikelihoodRequest): string {
  return identifyKept(`${model.identify?.(request) ?? ''}\n`);
}

/** What a key of loglikelihoods is the hash of, so that it is none of what was kept otherwise. */
export function identifyKept(identity: string): string {
  return `${keptLoglikelihoods}\n${identity}`;
}

/** Hash of a prompt alone, to tell whether two models or runs were asked the same. */
export function promptHash(prompt: Prompt): string {
  if (prompt.type === 'text') return textHash(prompt.text);
  return hashOf(messagesTexts(prompt.messages)).slice(0, 16);
}

/** Messages as texts in a row. Those with media only are written as JSON, which takes longer. */
function messagesTexts(messages: readonly Message[]): string[] {
  const texts = ['messages'];
  for (const { role, content } of messages) {
    if (typeof content !== 'string') return [JSON.stringify(identifyMessages(messages))];
    texts.push(`\0${role}\0${content.length}\0`, content);
  }
  return texts;
}

/** Hash of texts whose loglikelihoods are asked for. */
export function textsHash(texts: readonly LoglikelihoodText[]): string {
  return textHash(JSON.stringify(texts.map(({ text, from }) => [text, from])));
}

/** Where texts are longer, to put them together takes more time than to hash them one by one. */
const longestJoined = 4096;

/** Hash of texts in a row. */
function hashOf(texts: readonly SentBody[]): string {
  let length = 0;
  for (const text of texts) length += text.length;
  if (length <= longestJoined) {
    let joined = '';
    for (const text of texts) joined += text;
    return hash('sha256', joined, 'hex');
  }
  const bytes = joinedBytes(texts);
  if (bytes) return hash('sha256', bytes, 'hex');
  const sum = createHash('sha256');
  for (const text of texts) sum.update(text);
  return sum.digest('hex');
}

export function textHash(text: string): string {
  return hashOf([text]).slice(0, 16);
}

/** A record and its score ask for the hash of a row one after the other; of no more rows it is kept. */
let latest: { readonly row: Row; readonly hash: string } | undefined;

/** What columns begin with that say what became of a row elsewhere, and are no part of it. */
export const besideRow = 'recorded:';

/** Hash of what a row holds, in the order in which it holds it. */
export function rowHash(row: Row): string {
  if (latest?.row === row) return latest.hash;
  const texts: string[] = [];
  for (const key of Object.keys(row)) {
    if (!key.startsWith(besideRow)) texts.push(key, '\0', formatValue(row[key]), '\0');
  }
  latest = { row, hash: hashOf(texts).slice(0, 12) };
  return latest.hash;
}

/** Hash of all that a row's score depends on beside the answer. */
export function scoringOf(
  { task, scorerIdentity, seenOf }: Pick<Evaluation, 'task' | 'scorerIdentity' | 'seenOf'>,
  { row, promptHash }: Pick<RowPlan, 'row' | 'promptHash'>,
  gold: unknown,
): string {
  const scoring = { inferencer: task.inferencer, scorerIdentity, gold };
  const seen = seenOf?.(row) ?? '';
  return scoringOfRecord({ row: rowHash(row) + seen, prompt: promptHash }, scoring);
}

/** The same by what the log says of a row. */
export function scoringOfRecord(
  { row, prompt }: { readonly row: string; readonly prompt: string },
  scoring: {
    readonly inferencer: string | undefined;
    readonly scorerIdentity: string;
    readonly gold: unknown;
  },
): string {
  const { inferencer, scorerIdentity, gold } = scoring;
  // Loglikelihoods are read by where answers begin, which is no part of what is asked.
  const isRead = inferencer !== undefined && abilityFor(inferencer) !== 'generate';
  return scoringHash(scorerIdentity + (isRead ? prompt : ''), gold, row);
}

/** Hash of what an answer is judged by: the scorer, the right answer, and by its hash the row that a scorer may read. */
export function scoringHash(scorerIdentity: string, gold: unknown, contentHash: string): string {
  const right = gold === undefined ? '' : formatValue(gold);
  return hash('sha256', `${scorerIdentity}\n${right}\n${contentHash}`, 'hex').slice(0, 8);
}
