import type {
  AnsweredPart,
  CombinedRow,
  CompositeInference,
  PartRequest,
} from '../infer/inference.ts';
import type { Prompt, Row } from '../prompt/index.ts';
import type { Query } from '../retrieve/index.ts';
import { shownPrompt } from './asked.ts';
import type { JobSource, NotedRow } from './job-source.ts';
import { requestKey, textHash } from './key.ts';
import type { RowRecord } from './row-log.ts';

interface ReadyPart {
  readonly place: number;
  readonly part: PartRequest;
}

type CaseSource = Pick<JobSource, 'inference' | 'modelIdentity' | 'stop' | 'maxOutLenOf'>;

/** The request of a part: its key, and what was spent on it. */
type SentPart = Pick<RowRecord, 'key' | 'tokens' | 'ms'>;

/** A row that takes several requests, and how far it has got. */
export class RowCase implements NotedRow {
  readonly id: number;
  readonly row: Row;
  readonly key: string;
  readonly prompt: string;
  readonly shown: Prompt;
  readonly leak: string | undefined;
  /** Keys of the answered parts, in the order of the parts. */
  readonly keys: string[] = [];
  readonly #inference: CompositeInference;
  readonly #query: Query;
  readonly #asked: PartRequest[] = [];
  readonly #answered: AnsweredPart[] = [];
  #ready: ReadyPart[];
  #waiting = 0;
  ms = 0;
  #inputTokens = 0;
  #outputTokens = 0;
  #isOver = false;

  constructor(task: CaseSource, query: Query) {
    const { inference, modelIdentity, stop } = task;
    if (inference.type !== 'composite') throw new TypeError('a row of a single request');
    this.id = Number(query.id);
    this.row = query.row;
    this.#query = query;
    this.#inference = inference;
    const identity = inference.identityOf(query);
    const settings = JSON.stringify([stop ?? null, task.maxOutLenOf(query.row) ?? null]);
    this.key = requestKey(`${settings}\n${identity}`, modelIdentity);
    this.prompt = textHash(identity);
    this.#ready = this.#next();
    const [first] = this.#ready;
    if (!first) throw new RangeError(`row ${query.id} asks nothing`);
    this.shown = shownPrompt(first.part.request);
    this.leak = this.#ready.find(({ part }) => part.leak)?.part.leak;
  }

  /** The parts that can be asked now. */
  takeReady(): readonly ReadyPart[] {
    const ready = this.#ready;
    this.#ready = [];
    this.#waiting += ready.length;
    return ready;
  }

  partAt(place: number): PartRequest {
    const part = this.#asked[place];
    if (!part) throw new RangeError(`no part ${place}`);
    return part;
  }

  /** Takes the answer to a part. Says what comes of it: more parts, the row's end, or a wait. */
  take(place: number, answered: AnsweredPart, sent: SentPart): 'wait' | 'more' | 'done' {
    this.#answered[place] = answered;
    this.keys[place] = sent.key;
    this.#inputTokens += sent.tokens?.[0] ?? 0;
    this.#outputTokens += sent.tokens?.[1] ?? 0;
    this.ms += sent.ms ?? 0;
    this.#waiting--;
    if (this.#isOver || this.#waiting > 0) return 'wait';
    this.#ready = this.#next();
    if (this.#ready.length > 0) return 'more';
    this.#isOver = true;
    return 'done';
  }

  combine(): CombinedRow {
    return this.#inference.combine(this.#answered, this.#query);
  }

  /** What was spent on its parts. */
  get tokens(): readonly [input: number, output: number] {
    return [this.#inputTokens, this.#outputTokens];
  }

  /** Ends the row. Whether it was under way. */
  fail(): boolean {
    const wasUnderWay = !this.#isOver;
    this.#isOver = true;
    return wasUnderWay;
  }

  #next(): ReadyPart[] {
    const first = this.#asked.length;
    const parts = this.#inference.next(this.#query, this.#answered);
    this.#asked.push(...parts);
    return parts.map((part, index) => ({ place: first + index, part }));
  }
}
