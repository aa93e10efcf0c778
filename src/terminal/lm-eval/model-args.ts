import { hintForName } from '../../base/nearest-name.ts';
import { UsageError } from '../../base/usage-error.ts';

/** What `--model_args` may set, and what it may hold without any effect here. */
const known = [
  ...(['pretrained', 'model', 'base_url', 'max_length', 'num_concurrent', 'api_key_env'] as const),
];
const idle = [
  ...['batch_size', 'device', 'dtype', 'eos_string', 'load_in_4bit', 'load_in_8bit'],
  ...['max_retries', 'revision', 'timeout', 'tokenized_requests', 'tokenizer', 'tokenizer_backend'],
  ...['tp', 'tensor_parallel_size', 'trust_remote_code', 'use_accelerate', 'use_fast'],
];

export type ModelArgs = Readonly<Partial<Record<(typeof known)[number], string>>>;

/** Reads `key=value,key=value`; says on standard error which keys mean nothing here. */
export function parseModelArgs(text: string): ModelArgs {
  const pairs = text.split(',').flatMap((item): [string, string][] => {
    const [key = '', ...rest] = item.split('=');
    return item.trim() === '' ? [] : [[key.trim(), rest.join('=').trim()]];
  });
  const names: readonly string[] = known;
  for (const [key] of pairs) {
    if (names.includes(key) || idle.includes(key)) continue;
    throw new UsageError('usage.unknown_model_arg', `--model_args has no key \`${key}\``, {
      hint: hintForName(key, { names, kind: 'Keys' }),
    });
  }
  const without = pairs.flatMap(([key]) => (idle.includes(key) ? [key] : []));
  if (without.length > 0) {
    process.stderr.write(`Ignored keys of --model_args: ${without.join(', ')}.\n`);
  }
  return Object.fromEntries(pairs.filter(([key]) => names.includes(key)));
}
