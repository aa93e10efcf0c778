import { request } from 'undici';
import { endpointAddress } from './endpoint-address.ts';
import type { OpenAiModelSettings } from './openai-model.ts';
import { readApiKey } from './secrets.ts';

type ListSettings = Pick<
  OpenAiModelSettings,
  'baseUrl' | 'takes' | 'source' | 'apiKeyEnv' | 'headers'
>;

/** The first model that an endpoint lists, or nothing if it lists none. */
export async function firstModelName({
  apiKeyEnv,
  headers,
  ...endpoint
}: ListSettings): Promise<string | undefined> {
  const { origin, path, authorization } = endpointAddress(endpoint);
  const key = apiKeyEnv === undefined ? authorization : `Bearer ${readApiKey(apiKeyEnv)}`;
  const listPath = path.replace(/\/(?:chat\/)?completions/, '/models');
  try {
    const { statusCode, body } = await request(`${origin}${listPath}`, {
      headers: { ...(key !== undefined && { authorization: key }), ...headers },
      headersTimeout: 10_000,
      bodyTimeout: 10_000,
    });
    const text = await body.text();
    const id = statusCode === 200 ? JSON.parse(text)?.data?.[0]?.id : undefined;
    return typeof id === 'string' ? id : undefined;
  } catch {
    // Many servers list nothing; a server that is not there shows at the first request.
    return undefined;
  }
}
