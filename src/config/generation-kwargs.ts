import type * as z from 'zod';
import { keyPattern, secretName } from '../base/hidden-text.ts';
import { addProblem } from './schema-parts.ts';

/** What a request has from elsewhere. */
const ownKeys: ReadonlySet<string> = new Set(['messages', 'prompt', 'model']);

type Kwargs = Readonly<Record<string, unknown>>;

/** Refuses settings of generation that are not sent, or cannot be. */
export function checkKwargs(kwargs: Kwargs, context: z.RefinementCtx): void {
  for (const [key, value] of Object.entries(kwargs)) {
    if (ownKeys.has(key)) {
      addProblem(context, {
        code: 'config.conflicting_keys',
        path: ['generation_kwargs', key],
        message: `\`${key}\` is set by Typecase in every request`,
        hint: 'Prompts come from templates and the name from `model`. Leave it out here.',
      });
    } else if (typeof value === 'number' && !Number.isFinite(value)) {
      addProblem(context, {
        code: 'config.wrong_type',
        path: ['generation_kwargs', key],
        message: `is ${value}, which cannot be sent`,
      });
    } else if (/^(?:extra_)?headers$/i.test(key) && typeof value === 'object') {
      addProblem(context, {
        code: 'config.key_in_config',
        path: ['generation_kwargs', key],
        message: 'contains headers, which would be sent and saved as part of the request',
        hint: 'Use `headers` of the model; their values are never saved.',
      });
    }
  }
  for (const path of secretsIn(kwargs)) {
    addProblem(context, {
      code: 'config.key_in_config',
      path: ['generation_kwargs', ...path],
      message: 'contains a key or password, which would be saved in the run folder',
      hint: 'Put the key into an environment variable, and name the variable in `api_key_env` of the model.',
    });
  }
}

/** Where texts stand that are secret by their name, or look like a key. */
function secretsIn(kwargs: Kwargs): (string | number)[][] {
  return Object.entries(kwargs).flatMap(([key, value]) => {
    const step = Array.isArray(kwargs) ? Number(key) : key;
    if (typeof value === 'string') {
      return isSecret(key, value) || keyPattern.test(value) || holdsLogin(value) ? [[step]] : [];
    }
    if (typeof value !== 'object' || value === null) return [];
    return secretsIn(value as Kwargs).map((path) => [step, ...path]);
  });
}

const secretWord =
  /(?:^|_)(?:secrets?|passw(?:or)?d|passphrase|credentials?|authorization|bearer|(?:api|access|secret|private|auth|signing)_?key)(?:_|$)|_auth$/;

/** Whether a name says that its text is secret. What is only called a token may be a mark of a template. */
function isSecret(name: string, value: string): boolean {
  if (value === '') return false;
  if (secretName.test(name)) return true;
  const words = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|\W+/g, '_')
    .toLowerCase();
  if (words.endsWith('_token')) return /^(?=.*\d)[\w.~+/=-]{12,}$/.test(value);
  return secretWord.test(words);
}

/** Whether there is an address in a text with a password, or with a parameter that is secret. */
function holdsLogin(text: string): boolean {
  return (text.match(/:\/\/[^\s"'<>]+/g) ?? []).some(
    (address) =>
      /^:\/\/[^/?#@]*:[^/?#@]+@/.test(address) ||
      Array.from(address.matchAll(/[?&#;]([\w.-]+)=([^&#;]+)/g)).some(
        ([, name = '', value = '']) => /^sig(?:nature)?$/i.test(name) || isSecret(name, value),
      ),
  );
}
