import { type ConfigPath, ModelError } from '../errors.ts';

const minSecretLength = 4;

/** Puts `***` in place of every secret. */
export function redact(text: string, secrets: readonly string[]): string {
  let shown = text;
  for (const secret of secrets) {
    if (secret.length >= minSecretLength) shown = shown.replaceAll(secret, '***');
  }
  return shown;
}

/** The API key in an environment variable. */
export function readApiKey(variable: string, path?: ConfigPath): string {
  const key = process.env[variable]?.trim();
  if (key) return key;
  const name = looksLikeKey(variable) ? '***' : variable;
  throw new ModelError(
    'model.no_api_key',
    `the environment variable \`${name}\`, which should hold the API key, is not set`,
    {
      retryable: false,
      path,
      hint:
        name === variable
          ? `Set it before the run: \`export ${variable}=…\`.`
          : 'Name the variable, not the key: `api_key_env: MY_KEY`, and set it before the run: `export MY_KEY=…`.',
    },
  );
}

/** Whether it may be a key that was written in place of the name of its variable. */
function looksLikeKey(variable: string): boolean {
  const isName = /^[A-Za-z_]\w*$/.test(variable);
  return !isName || (variable.length >= 20 && !variable.includes('_') && /\d/.test(variable));
}
