import { ModelError } from '../errors.ts';

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
export function readApiKey(variable: string): string {
  const key = process.env[variable]?.trim();
  if (key) return key;
  throw new ModelError(
    'model.no_api_key',
    `the environment variable \`${variable}\`, which should hold the API key, is not set`,
    { retryable: false, hint: `Set it before the run: \`export ${variable}=…\`.` },
  );
}
