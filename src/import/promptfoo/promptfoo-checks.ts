import { type ConfigPath, formatPath, TypecaseError } from '../../errors.ts';
import {
  compileSchema,
  type JsonSchema,
  loadSchemaValidator,
} from '../../score/checks/schema-validator.ts';
import {
  outputOf,
  outputText,
  type TransformFunction,
} from '../../score/checks/transform-answer.ts';
import type { FunctionInput, ScoreFunction } from '../../score/evaluators/function-evaluator.ts';
import { notAsked } from '../../score/row-score.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { type Code, compileCode, importCode, isCodeFile } from './import-code.ts';
import { type Finding, measures, type Seen, turned } from './measured-assertions.ts';
import { ownColumns, testColumn, thresholdColumn } from './own-columns.ts';
import type { WrittenAssertion } from './promptfoo-assertions.ts';
import { makers } from './promptfoo-makers.ts';
import { rawPrompt, readProvider } from './promptfoo-providers.ts';
import type { ReadTest } from './promptfoo-tests.ts';
import { changedBy, readTransform, type WrittenTransform } from './promptfoo-transforms.ts';
import {
  codeAt,
  filePath,
  type Reading,
  readValue,
  refuse,
  refuseKeys,
  renderAll,
} from './reading.ts';

/** What the providers say that assertions need to know. */
export interface OfProviders {
  /** What changes every answer before anything else does. */
  readonly transform?: WrittenTransform | undefined;
  readonly tools: readonly unknown[];
}

/** Makes checks of assertions: those of data stand in rows, those of code in the list of the dataset. */
export class CheckMaker {
  readonly #reading: Reading;
  readonly #ofProviders: OfProviders;
  readonly #judges = new Map<string, Plain>();
  readonly #code = new Map<WrittenAssertion['value'], CodeCheck>();
  readonly #transforms = new Map<unknown, { readonly name: string; readonly code: Code }>();
  readonly #sets = new Map<Plain, string>();

  constructor(reading: Reading, ofProviders: OfProviders) {
    this.#reading = reading;
    this.#ofProviders = ofProviders;
  }

  /** The models that only judge. */
  get judges(): readonly Plain[] {
    return [...this.#judges.values()];
  }

  /** The evaluator of the datasets: checks of code, each for the tests that have it, and what holds for all. */
  evaluator(tests: readonly ReadTest[]): unknown {
    const checks = [...this.#code.values()].map(({ written, set, byTest }) => ({
      ...named(written),
      ...(set !== undefined && { set }),
      type: 'function',
      name: written.metric ?? written.type,
      score: scoreOf(byTest, written, tests),
    }));
    const sets = Array.from(this.#sets, ([written, name]) => [name, setOf(written)] as const);
    const transforms = Array.from(this.#transforms.values(), ({ name, code }) => [
      name,
      transformOf(code),
    ]);
    const more = {
      whole_reply: true,
      ...(sets.length > 0 && { sets: Object.fromEntries(sets) }),
      ...(transforms.length > 0 && { transforms: Object.fromEntries(transforms) }),
      ...(tests.some(({ threshold }) => threshold !== undefined) && {
        threshold_column: thresholdColumn,
      }),
      ...(this.#ofProviders.tools.length > 0 && { tool_calls_as_answer: true }),
    };
    return { type: 'checks', checks, ...more };
  }

  /** The checks that the row of a test brings. */
  async ofTest(test: ReadTest, index: number): Promise<readonly Plain[]> {
    const checks: Plain[] = [];
    let isCounted = false;
    for (const assertion of test.assertions) {
      const { value: written } = assertion;
      isCounted ||= written.weight !== 0;
      const check = await this.#checkOf(assertion, { test, index });
      if (check) checks.push(check);
    }
    if (isCounted) return checks;
    // A test without assertions that count passes there wherever there is an answer.
    const transforms = await this.#transformsOf({}, { type: '', test, path: test.path });
    const transform = transforms.map(({ name }) => name);
    const answered = { type: 'length', min: 0, name: 'answered' };
    return [...checks, { ...answered, ...(transform.length > 0 && { transform }) }];
  }

  async #checkOf(
    { value: written, path, set: inSet }: WrittenAssertion,
    { test, index }: { readonly test: ReadTest; readonly index: number },
  ): Promise<Plain | undefined> {
    const type = String(written.type ?? '').replace(/^not-/, '');
    const transforms = await this.#transformsOf(written, { type, test, path });
    const set = inSet && this.#setName(inSet);
    const code = await this.#codeOf(written, { type, test, path });
    if (code === 'data') {
      const check = await this.#dataCheck(written, { type, test, path });
      const transform = transforms.map(({ name }) => name);
      return (
        check && {
          ...check,
          ...(set !== undefined && { set }),
          ...(transform.length > 0 && { transform }),
        }
      );
    }
    const byTest = this.#code.get(written)?.byTest ?? new Map<number, Code>();
    this.#code.set(written, { written, set, byTest });
    const changes = transforms.map((one) => one.code);
    if (code) byTest.set(index, changedBy(changes, code));
    return undefined;
  }

  #setName(written: Plain): string {
    const known = this.#sets.get(written);
    if (known !== undefined) return known;
    const plain = String(written.metric ?? 'assert-set');
    const taken = [...this.#sets.values()];
    let name = plain;
    for (let number = 2; taken.includes(name); number++) name = `${plain}-${number}`;
    this.#sets.set(written, name);
    return name;
  }

  /** What changes the answer before an assertion sees it: that of the provider, of the test, its own. */
  async #transformsOf(
    written: Plain,
    { type, test, path }: { type: string; test: ReadTest; path: ConfigPath },
  ): Promise<readonly { readonly name: string; readonly code: Code }[]> {
    if (untouched.has(type)) return [];
    const own = { value: written.transform, path: [...path, 'transform'] };
    const { transform, postprocess } = test.options;
    const general = {
      value: transform ?? postprocess,
      path: [...test.path, 'options', 'transform'],
    };
    const found: { readonly name: string; readonly code: Code }[] = [];
    for (const one of [this.#ofProviders.transform, general, own]) {
      if (one?.value === undefined) continue;
      const known = this.#transforms.get(one.value);
      const code = known?.code ?? (await readTransform(this.#reading, one));
      if (!code) continue;
      const read = known ?? { name: `transform-${this.#transforms.size + 1}`, code };
      this.#transforms.set(one.value, read);
      found.push(read);
    }
    return found;
  }

  /** The code of an assertion, with its variables filled in; `data` where it is none. */
  async #codeOf(
    written: Plain,
    { type, test, path }: { type: string; test: ReadTest; path: ConfigPath },
  ): Promise<Code | 'data' | undefined> {
    if (type === 'javascript') {
      const code = await this.#writtenCode(written, { test, path });
      return code && (async (...given) => graded(await code(...given), written.threshold));
    }
    const measure = Object.hasOwn(measures, type) ? measures[type] : undefined;
    if (!measure) return 'data';
    const reading = this.#reading;
    refuseKeys(reading, written, { path, known: assertionKeys });
    const made = this.#filledIn(written, { test, path });
    if (hasDataForm(type, made.value)) return 'data';
    reading.unwritten.push(`\`${written.type}\` in ${formatPath(path)}`);
    const find = measure({ ...made, tools: this.#ofProviders.tools });
    if (!find) return undefined;
    return async (output, _, __, facts) => {
      const text = outputText(output) ?? '';
      return find({ output, text, facts: facts as Seen['facts'] });
    };
  }

  #filledIn(written: Plain, { test, path }: { test: ReadTest; path: ConfigPath }) {
    const reading = this.#reading;
    const at = [...path, 'value'];
    const file = filePath(written.value);
    const loaded = file === undefined ? written.value : readValue(reading, file, at);
    const value = renderAll(reading, loaded, { vars: test.vars, path: at });
    return { value, written, reading, path: at };
  }

  async #writtenCode(
    written: Plain,
    { test, path }: { test: ReadTest; path: ConfigPath },
  ): Promise<Code | undefined> {
    const reading = this.#reading;
    refuseKeys(reading, written, { path, known: [...assertionKeys, 'config'] });
    const file = filePath(written.value);
    const at = [...path, 'value'];
    reading.unwritten.push(codeAt(at));
    if (file !== undefined) {
      if (isCodeFile(file)) return reading.isAsked ? importCode(reading, file, at) : () => null;
      refuse(reading, at, { what: `names code of an unsupported kind: ${file}` });
      return undefined;
    }
    if (typeof written.value === 'function') return written.value as Code;
    if (typeof written.value !== 'string') {
      refuse(reading, at, { what: 'is not code' });
      return undefined;
    }
    const code = renderAll(reading, written.value, { vars: test.vars, path: at }) as string;
    return compileCode(reading, code, { names: ['output', 'context'], path: at });
  }

  async #dataCheck(
    written: Plain,
    { type, test, path }: { type: string; test: ReadTest; path: ConfigPath },
  ): Promise<Plain | undefined> {
    const reading = this.#reading;
    const make = Object.hasOwn(makers, type) ? makers[type] : undefined;
    if (!make) {
      const isNamed = typeof written.type === 'string';
      refuse(reading, path, {
        what: isNamed
          ? `is an assertion of the type \`${written.type}\`, which is not supported`
          : 'has no `type` that is a text',
      });
      return undefined;
    }
    refuseKeys(reading, written, { path, known: assertionKeys });
    const not = String(written.type).startsWith('not-') ? 'not-' : '';
    if (not !== '' && unnegated.has(type)) {
      refuse(reading, path, {
        what: `is \`${written.type}\`, which promptfoo takes for \`${type}\``,
        hint: `Say what is wanted as an \`llm-rubric\`.`,
      });
    }
    const made = make(this.#filledIn(written, { test, path }));
    if (!made) return undefined;
    if (made.type === 'json-schema') await this.#checkSchema(made.schema, [...path, 'value']);
    const more = await this.#asked(made.type, { written, test, path });
    return {
      ...made,
      ...more,
      type: `${not}${made.type}`,
      ...named(written),
      name: written.metric ?? written.type,
    };
  }

  async #checkSchema(schema: unknown, path: ConfigPath): Promise<void> {
    await loadSchemaValidator();
    try {
      compileSchema(schema as JsonSchema, path);
    } catch (error) {
      if (!TypecaseError.isInstance(error)) throw error;
      const { code, cause } = error;
      const reason = cause instanceof Error ? cause.message : error.message;
      const message = `is not a JSON Schema: ${reason}`;
      this.#reading.problems.push({ code, path, message, hint: undefined });
    }
  }

  /** Who is asked for a verdict or for vectors. */
  async #asked(
    type: string,
    { written, test, path }: { written: Plain; test: ReadTest; path: ConfigPath },
  ): Promise<Plain> {
    if (type !== 'judge' && type !== 'similar') return {};
    const kind = type === 'similar' ? 'embedding' : 'text';
    const general = asPlain(test.options.provider)?.[kind] ?? test.options.provider;
    const given = written.provider ?? general;
    const hint = `Set \`provider\` of the assertion, or \`defaultTest.options.provider${kind === 'text' ? '' : '.embedding'}\`.`;
    if (given === undefined) {
      refuse(this.#reading, path, {
        what: `is \`${written.type}\` but names no provider to ask`,
        hint,
      });
      return {};
    }
    return kind === 'text' ? this.#judge(given, path) : this.#embedder(given, path);
  }

  async #judge(given: unknown, path: ConfigPath): Promise<Plain> {
    const key = JSON.stringify(given);
    const known = this.#judges.get(key);
    if (known) return { model: known.abbr };
    const read = await readProvider(this.#reading, given, path);
    if (!read) return {};
    const taken = this.judges.map((judge) => judge.abbr);
    const plain = `judge-${read.model.abbr}`;
    let abbr = plain;
    for (let number = 2; taken.includes(abbr); number++) abbr = `${plain}-${number}`;
    const judge = { ...read.model, abbr, judge: true };
    this.#judges.set(key, judge);
    return { model: judge.abbr };
  }

  async #embedder(given: unknown, path: ConfigPath): Promise<Plain> {
    const id = asPlain(given)?.id ?? given;
    const name = /^openai:embeddings?:(.+)$/.exec(String(id))?.[1];
    if (name === undefined) {
      refuse(this.#reading, path, {
        what: `asks \`${String(id)}\` for embeddings, which is not supported`,
        hint: 'Only openai:embedding:NAME is supported.',
      });
      return {};
    }
    const chat =
      typeof given === 'string'
        ? `openai:chat:${name}`
        : { ...asPlain(given), id: `openai:chat:${name}` };
    const read = await readProvider(this.#reading, chat, path);
    const { base_url, api_key_env } = read?.model ?? {};
    return {
      embedder: { base_url, model: name, ...(api_key_env !== undefined && { api_key_env }) },
    };
  }
}

const assertionKeys = [
  ...['type', 'value', 'threshold', 'weight', 'metric', 'provider', 'description'],
  'transform',
];

/** Assertions that do not look at the answer. */
const untouched = new Set(['latency', 'cost', 'finish-reason']);

/** Assertions of which promptfoo does not read `not-`. */
const unnegated = new Set(['factuality', 'model-graded-factuality', 'model-graded-closedqa']);

/** Assertions that are measured here for some values only: those of which checks of data think otherwise. */
function hasDataForm(type: string, value: unknown): boolean {
  if (type === 'contains-json') return value === undefined || value === null || value === '';
  if (type === 'equals') return value !== '';
  return /^i?contains-any$/.test(type) && !(Array.isArray(value) && value.includes(''));
}

/** What every check says beside its type; bounds of time and cost are no shares. */
function named(written: Plain): Plain {
  const type = String(written.type).replace(/^not-/, '');
  const isShare = /^(?:similar(?::cosine)?|llm-rubric)$/.test(type);
  return {
    ...(written.weight !== undefined && { weight: written.weight }),
    ...(isShare && written.threshold !== undefined && { threshold: written.threshold }),
  };
}

function setOf({ threshold, weight }: Plain): Plain {
  return {
    ...(typeof threshold === 'number' && { threshold }),
    ...(weight !== undefined && { weight }),
  };
}

interface CodeCheck {
  readonly written: Plain;
  readonly set?: string | undefined;
  /** The code for each test, with its variables filled in. */
  readonly byTest: Map<number, Code>;
}

function transformOf(code: Code): TransformFunction {
  return (answer, { row, messages }) =>
    code(answer, { vars: ownColumns(row), prompt: { label: rawPrompt(messages) } }, process);
}

/** What the code throws fails the assertion. */
function scoreOf(
  byTest: ReadonlyMap<number, Code>,
  written: Plain,
  tests: readonly ReadTest[],
): ScoreFunction {
  const { config } = written;
  return async (answer, { row, messages, ...facts }: FunctionInput) => {
    const index = Number(row[testColumn]);
    const code = byTest.get(index);
    if (!code) return notAsked as never;
    const { metadata, description, options, threshold } = tests[index] ?? {};
    const vars = ownColumns(row);
    const prompt = rawPrompt(messages);
    const output = outputOf(answer, facts);
    const test = { vars, metadata, description, options, threshold };
    const context = { vars, prompt, config, test, ...responseOf(output, facts) };
    try {
      const found = (await code(output, context, process, facts)) as Finding;
      const { pass, score = 0, reason } = turned(found, String(written.type));
      return { pass, score: share(score), reason };
    } catch (error) {
      if (TypecaseError.isInstance(error) && error.code !== 'metric.too_long') throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const isCode = /javascript$/.test(String(written.type));
      return { pass: false, score: 0, reason: isCode ? `the code threw: ${reason}` : reason };
    }
  };
}

/** What is known of the answer beside its text. */
function responseOf(
  output: unknown,
  { latencyMs, tokens, cost, finish }: Omit<FunctionInput, 'row' | 'messages'>,
): Plain {
  const { input: prompt, output: completion } = tokens;
  const isCounted = prompt !== null && completion !== null;
  const tokenUsage = isCounted ? { prompt, completion, total: prompt + completion } : {};
  const response = { output, tokenUsage, cost: cost ?? undefined, finishReason: finish, latencyMs };
  return { latencyMs, providerResponse: response };
}

/** A number passes from the threshold on, or above 0. */
function graded(result: unknown, threshold: unknown): Finding {
  if (typeof result === 'boolean') return { pass: result };
  if (typeof result === 'number') {
    const pass = typeof threshold === 'number' ? result >= threshold : result > 0;
    return { pass, score: result, reason: `the code returned ${result}` };
  }
  const { pass, score, reason } = asPlain(result) ?? {};
  if (typeof pass === 'boolean' && typeof score === 'number' && typeof reason === 'string') {
    return { pass, score, reason };
  }
  throw new Error(
    'it did not return a number, true, false, or an object with `pass`, `score` and `reason`',
  );
}

function share(score: number): number {
  return Math.min(1, Math.max(0, Number.isNaN(score) ? 0 : score));
}
