import { type ConfigPath, formatPath, TypecaseError } from '../../errors.ts';
import type { FunctionInput, ScoreFunction } from '../../score/evaluators/function-evaluator.ts';
import { asPlain, type Plain } from '../plain-value.ts';
import { type Code, compileCode, importCode, isCodeFile } from './import-code.ts';
import { ownColumns, testColumn } from './own-columns.ts';
import { textsIn, type WrittenAssertion } from './promptfoo-assertions.ts';
import { rawPrompt, readProvider } from './promptfoo-providers.ts';
import type { ReadTest } from './promptfoo-tests.ts';
import { afterTransforms, codeOfCheck, readTransform } from './promptfoo-transforms.ts';
import { filePath, type Reading, readValue, refuse, refuseKeys, renderAll } from './reading.ts';

/** Makes checks of assertions: those of data stand in rows, those of code in the list of the dataset. */
export class CheckMaker {
  readonly #reading: Reading;
  readonly #judges = new Map<string, Plain>();
  readonly #code = new Map<WrittenAssertion['value'], CodeCheck>();
  readonly #transforms = new Map<unknown, Code>();

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The models that only judge. */
  get judges(): readonly Plain[] {
    return [...this.#judges.values()];
  }

  /** The checks of code, each for the tests that have it. */
  get ofCode(): readonly Plain[] {
    return [...this.#code.values()].map(({ written, byTest }) => ({
      ...named(written),
      // What is not code of the config turns round by itself.
      type: /^not-javascript$/.test(String(written.type)) ? 'not-function' : 'function',
      name: written.metric ?? written.type,
      score: scoreOf(byTest, written),
    }));
  }

  /** The checks that the row of a test brings. */
  async ofTest(test: ReadTest, index: number): Promise<readonly Plain[]> {
    const checks: Plain[] = [];
    let isCounted = false;
    for (const { value: written, path } of test.assertions) {
      isCounted ||= written.weight !== 0;
      const type = String(written.type ?? '').replace(/^not-/, '');
      const transforms = await this.#transformsOf(written, { type, test, path });
      if (type === 'javascript') {
        await this.#addCode(written, { test, index, path, transforms });
        continue;
      }
      const check = await this.#dataCheck(written, { type, test, path });
      if (!check) continue;
      if (transforms.length === 0) checks.push(check);
      else await this.#addChanged(check, { written, index, path, transforms });
    }
    // A test without assertions that count passes there wherever there is an answer.
    return isCounted ? checks : [...checks, { type: 'length', min: 1, name: 'answered' }];
  }

  /** What changes the answer before an assertion sees it: that of the test, then its own. */
  async #transformsOf(
    written: Plain,
    { type, test, path }: { type: string; test: ReadTest; path: ConfigPath },
  ): Promise<readonly Code[]> {
    if (untouched.has(type)) return [];
    const own = { value: written.transform, path: [...path, 'transform'] };
    const { transform, postprocess } = test.options;
    const general = {
      value: transform ?? postprocess,
      path: [...test.path, 'options', 'transform'],
    };
    const found: Code[] = [];
    for (const one of [general, own]) {
      if (one.value === undefined) continue;
      const code = this.#transforms.get(one.value) ?? (await readTransform(this.#reading, one));
      if (!code) continue;
      this.#transforms.set(one.value, code);
      found.push(code);
    }
    return found;
  }

  async #addChanged(
    check: Plain,
    { written, index, path, transforms }: ChangedCheck,
  ): Promise<void> {
    if (check.model !== undefined || check.embedder !== undefined) {
      refuse(this.#reading, path, {
        what: `is \`${written.type}\` after a \`transform\` of the answer, which is not supported`,
      });
      return;
    }
    const byTest = this.#code.get(written)?.byTest ?? new Map<number, Code>();
    this.#code.set(written, { written, byTest });
    byTest.set(index, afterTransforms(transforms, await codeOfCheck(check)));
  }

  async #addCode(
    written: Plain,
    { test, index, path, transforms }: Omit<ChangedCheck, 'written'> & { readonly test: ReadTest },
  ): Promise<void> {
    const reading = this.#reading;
    refuseKeys(reading, written, { path, known: [...assertionKeys, 'config'] });
    const add = (code: Code) => byTest.set(index, afterTransforms(transforms, code));
    const known = this.#code.get(written);
    const file = filePath(written.value);
    const byTest = known?.byTest ?? new Map<number, Code>();
    this.#code.set(written, { written, byTest });
    const at = [...path, 'value'];
    reading.code.push(formatPath(at));
    if (file !== undefined) {
      if (!isCodeFile(file))
        refuse(reading, at, { what: `names code of an unsupported kind: ${file}` });
      else if (!reading.isAsked) byTest.set(index, () => null);
      else {
        const code = await importCode(reading, file, at);
        if (code) add(code);
      }
    } else if (typeof written.value === 'string') {
      const code = renderAll(reading, written.value, { vars: test.vars, path: at }) as string;
      const compiled = compileCode(reading, code, { names: ['output', 'context'], path: at });
      if (compiled) add(compiled);
    } else if (typeof written.value === 'function') add(written.value as Code);
    else refuse(reading, at, { what: 'is not code' });
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
    const at = [...path, 'value'];
    const file = filePath(written.value);
    const loaded = file === undefined ? written.value : readValue(reading, file, at);
    const value = renderAll(reading, loaded, { vars: test.vars, path: at });
    const not = String(written.type).startsWith('not-') ? 'not-' : '';
    const made = make({ value, written, reading, path: at });
    if (!made) return undefined;
    const more = await this.#asked(type, { written, test, path });
    return {
      ...made,
      ...more,
      type: `${not}${made.type}`,
      ...named(written),
      name: written.metric ?? written.type,
    };
  }

  /** Who is asked for a verdict or for vectors. */
  async #asked(
    type: string,
    { written, test, path }: { written: Plain; test: ReadTest; path: ConfigPath },
  ): Promise<Plain> {
    if (type !== 'llm-rubric' && type !== 'similar') return {};
    const kind = type === 'similar' ? 'embedding' : 'text';
    const general = asPlain(test.options.provider)?.[kind] ?? test.options.provider;
    const given = written.provider ?? general;
    const hint = `Set \`provider\` of the assertion, or \`defaultTest.options.provider${kind === 'text' ? '' : '.embedding'}\`.`;
    if (given === undefined) {
      refuse(this.#reading, path, { what: `is \`${type}\` but names no provider to ask`, hint });
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
    const judge = { ...read, abbr: `judge-${read.abbr}`, judge: true };
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
    const model = await readProvider(this.#reading, chat, path);
    const { base_url, api_key_env } = model ?? {};
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
const untouched = new Set(['latency', 'cost']);

interface ChangedCheck {
  readonly written: Plain;
  readonly index: number;
  readonly path: ConfigPath;
  readonly transforms: readonly Code[];
}

interface Made {
  readonly value: unknown;
  readonly written: Plain;
  readonly reading: Reading;
  readonly path: ConfigPath;
}

type Maker = (made: Made) => (Plain & { readonly type: string }) | undefined;

/** What is wanted as a text. */
function wanted({ value, reading, path }: Made): string | undefined {
  const isScalar = ['string', 'number', 'boolean'].includes(typeof value);
  if (isScalar && value !== '') return String(value);
  refuse(reading, path, { what: 'is not text' });
  return undefined;
}

function oneText(type: string, more: Plain = {}): Maker {
  return (made) => ({ type, value: wanted(made), ...more });
}

function manyTexts(type: string, more: Plain = {}): Maker {
  return (made) => {
    const list = typeof made.value === 'string' ? textsIn(made.value) : made.value;
    if (Array.isArray(list) && list.length > 0) return { type, value: list.map(String), ...more };
    refuse(made.reading, made.path, { what: 'is not a list of texts' });
    return undefined;
  };
}

function atMost(type: string): Maker {
  return ({ written, reading, path }) => {
    if (typeof written.threshold === 'number') return { type, max: written.threshold };
    refuse(reading, path.slice(0, -1), { what: `is \`${type}\` without a \`threshold\`` });
    return undefined;
  };
}

const folded = { ignore_case: true };

const makers: Readonly<Record<string, Maker>> = {
  equals: (made) =>
    typeof made.value === 'object' && made.value !== null
      ? { type: 'equals', value: made.value }
      : { type: 'equals', value: wanted(made) },
  contains: oneText('contains'),
  icontains: oneText('contains', folded),
  'contains-any': manyTexts('contains'),
  'icontains-any': manyTexts('contains', folded),
  'contains-all': manyTexts('contains-all'),
  'icontains-all': manyTexts('contains-all', folded),
  'starts-with': oneText('starts-with'),
  regex: (made) => {
    const pattern = wanted(made) ?? '';
    try {
      return { type: 'matches', pattern, ...(!isUnicodePattern(pattern) && { flags: 'd' }) };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      refuse(made.reading, made.path, { what: `is not a pattern: ${reason}` });
      return undefined;
    }
  },
  'is-json': jsonCheck({}),
  'contains-json': jsonCheck({ anywhere: true }),
  'is-refusal': () => ({ type: 'refusal' }),
  latency: atMost('latency'),
  cost: atMost('cost'),
  'word-count': ({ value, reading, path }) => {
    const { min, max } = asPlain(value) ?? {};
    const count = ['number', 'string'].includes(typeof value) ? Number(value) : undefined;
    const bounds = { min: min ?? count, max: max ?? count };
    const given = Object.entries(bounds).filter(([, bound]) => typeof bound === 'number');
    if (given.length > 0 && !Number.isNaN(count)) {
      return { type: 'length', unit: 'words', ...Object.fromEntries(given) };
    }
    refuse(reading, path, { what: 'is neither a number of words nor `min` and `max`' });
    return undefined;
  },
  'llm-rubric': (made) => ({ type: 'judge', rubric: wanted(made) }),
  similar: (made) =>
    Array.isArray(made.value)
      ? { type: 'similar', value: made.value.map(String) }
      : { type: 'similar', value: wanted(made) },
};

/** Patterns have no flags there; a few, such as `\-`, have no meaning with `u`. */
function isUnicodePattern(pattern: string): boolean {
  new RegExp(pattern);
  try {
    new RegExp(pattern, 'u');
    return true;
  } catch {
    return false;
  }
}

function jsonCheck(more: Plain): Maker {
  return ({ value, reading, path }) => {
    if (value === undefined || value === '') return { type: 'is-json', ...more };
    const schema = typeof value === 'string' ? parsedSchema(value) : value;
    if (typeof schema === 'object' && schema !== null)
      return { type: 'json-schema', schema, ...more };
    refuse(reading, path, { what: 'is not a JSON Schema' });
    return undefined;
  };
}

function parsedSchema(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** What every check says beside its type; bounds of time and cost are no shares. */
function named(written: Plain): Plain {
  const type = String(written.type).replace(/^not-/, '');
  const isShare = type === 'similar' || type === 'llm-rubric';
  return {
    ...(written.weight !== undefined && { weight: written.weight }),
    ...(isShare && written.threshold !== undefined && { threshold: written.threshold }),
  };
}

interface CodeCheck {
  readonly written: Plain;
  /** The code for each test, with its variables filled in. */
  readonly byTest: Map<number, Code>;
}

/** A number passes from the threshold on, or above 0; what the code throws fails the assertion. */
function scoreOf(byTest: ReadonlyMap<number, Code>, { threshold, config }: Plain): ScoreFunction {
  return async (output, { row, messages, ...facts }: FunctionInput) => {
    const code = byTest.get(Number(row[testColumn]));
    if (!code) return null;
    const vars = ownColumns(row);
    const prompt = rawPrompt(messages);
    const context = { vars, prompt, config, test: { vars }, latencyMs: facts.latencyMs };
    try {
      return graded(await code(output, context, process), threshold);
    } catch (error) {
      if (TypecaseError.isInstance(error)) throw error;
      return {
        pass: false,
        score: 0,
        reason: `the code threw: ${error instanceof Error ? error.message : error}`,
      };
    }
  };
}

function graded(result: unknown, threshold: unknown) {
  if (typeof result === 'boolean') return { pass: result, score: Number(result) };
  if (typeof result === 'number') {
    const pass = typeof threshold === 'number' ? result >= threshold : result > 0;
    return { pass, score: share(result), reason: `the code returned ${result}` };
  }
  const { pass, score, reason } = asPlain(result) ?? {};
  if (typeof pass === 'boolean' && typeof score === 'number' && typeof reason === 'string') {
    return { pass, score: share(score), reason };
  }
  throw new Error(
    'it did not return a number, true, false, or an object with `pass`, `score` and `reason`',
  );
}

function share(score: number): number {
  return Math.min(1, Math.max(0, Number.isNaN(score) ? 0 : score));
}
