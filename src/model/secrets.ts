import { hidden, isKeyAsName } from '../base/hidden-text.ts';
import { type ConfigPath, ModelError } from '../errors.ts';
import { type Answer, unredacted } from './model.ts';

/** What must not be seen of what is sent to an endpoint, the longest first. */
export interface Secrets {
  /** Kept out of messages. */
  readonly secrets: readonly string[];
  /** Kept out of answers as well: what is too long and too odd to be there by chance. */
  readonly answerSecrets: readonly string[];
}

const minLength = 4;
const minAnswerLength = 8;

interface Secret {
  readonly value: string;
  /** Whether it may be part of any answer, as the value of a header that says which format is wanted. */
  readonly isPlain?: boolean;
}

/** Gathers secrets in the forms in which a server may repeat them. */
export function gatherSecrets(secrets: readonly Secret[]): Secrets {
  const formsOf = (list: readonly Secret[]) =>
    new Set(list.flatMap(({ value }) => formsOfSecret(value)));
  const longestFirst = (forms: Iterable<string>) =>
    [...forms].sort((left, right) => right.length - left.length);
  const odd = [...formsOf(secrets.filter(({ isPlain }) => !isPlain))].filter(isOdd);
  return {
    secrets: longestFirst(formsOf(secrets)),
    answerSecrets: longestFirst(odd),
  };
}

const secretHeader = /secret|token|key|auth|session|cookie|pass|cred/i;

/** The values of headers that are no secret by name, and do not look like one, may be in any answer. */
export function headerSecret([name, value]: readonly [string, string]): Secret {
  const looksRandom = /^[\w+/=.~-]{16,}$/.test(value) && /\d/.test(value) && /[A-Za-z]/.test(value);
  return { value, isPlain: !secretHeader.test(name) && !looksRandom };
}

/** Words such as `EMPTY` or `anything` stand for keys where a server wants none. */
function isOdd(secret: string): boolean {
  const { length } = secret;
  return length >= minAnswerLength && (length >= 2 * minAnswerLength || /[^A-Za-z]/.test(secret));
}

function formsOfSecret(value: string): string[] {
  const [, scheme, rest = ''] = /^(bearer|basic|token)\s+(\S+)$/i.exec(value) ?? [];
  const password =
    scheme?.toLowerCase() === 'basic' ? Buffer.from(rest, 'base64').toString().split(':')[1] : '';
  const cookies = value.split(/;\s*/).flatMap((part) => /^[\w.-]+=(.+)$/.exec(part)?.[1] ?? []);
  const values = [value, rest, password ?? '', ...cookies];
  return values
    .flatMap((form) => [form, encodeURIComponent(form), JSON.stringify(form).slice(1, -1)])
    .flatMap((form) => [form, form.replaceAll('/', String.raw`\/`)])
    .filter((form) => form !== '');
}

/** Puts `***` in place of every secret. */
export function redact(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    if (secret.length >= minLength && shown.includes(secret))
      shown = shown.replaceAll(secret, hidden);
  }
  return shown;
}

/** An answer in which the server does not repeat what it was sent in confidence. */
export function redactAnswer(answer: Answer, secrets: readonly string[]): Answer {
  if (secrets.length === 0) return answer;
  const { text, reasoning, finishReason, toolCalls, usage, raw } = answer;
  const shown = {
    text: redact(text, secrets),
    reasoning: reasoning === undefined ? undefined : redact(reasoning, secrets),
    finishReason,
    toolCalls: redactValue(toolCalls, secrets),
    usage,
    raw: redactValue(raw, secrets),
  };
  if (shown.text === text && shown.reasoning === reasoning) return shown;
  const hide = <Value>(value: Value) => redactValue(value, secrets);
  return { ...shown, redacted: true, [unredacted]: () => ({ text, reasoning, hide }) };
}

/** The same for every text in a value. */
export function redactValue<Value>(value: Value, secrets: readonly string[]): Value {
  if (secrets.length === 0) return value;
  return redactAny(value, secrets) as Value;
}

function redactAny(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value === 'string') return redact(value, secrets);
  if (Array.isArray(value)) return value.map((item) => redactAny(item, secrets));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value);
  return Object.fromEntries(
    entries.map(([name, item]) => [redact(name, secrets), redactAny(item, secrets)]),
  );
}

/** The API key in an environment variable. */
export function readApiKey(variable: string, path?: ConfigPath): string {
  const key = process.env[variable]?.trim();
  if (key) return key;
  const name = isKeyAsName(variable) ? hidden : variable;
  throw new ModelError(
    'model.no_api_key',
    `the environment variable \`${name}\`, which should hold the API key, is not set`,
    {
      retryable: false,
      path,
      hint:
        name === variable
          ? `Set it before the run: \`export ${variable}=…\`.`
          : 'Give the name of the variable, not the key: `api_key_env: MY_KEY`, and set it before the run: `export MY_KEY=…`.',
    },
  );
}
