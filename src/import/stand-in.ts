import { asPlain, type Plain } from './plain-value.ts';

/**
 * Messages are only shown for a model that takes them, and judges are not evaluated: a config without
 * another model gets one that stands in for it, and is never asked.
 */
export function chatStandIn(value: Plain): Plain {
  const isRaw = (value.datasets as readonly Plain[]).some((dataset) => {
    const infer = asPlain(dataset.infer_cfg);
    return asPlain(infer?.prompt_template)?.messages !== undefined;
  });
  const models = (value.models ?? []) as readonly Plain[];
  if (models.some(({ judge }) => !judge) || (!isRaw && models.length === 0)) return value;
  const chat = { abbr: 'chat', type: 'OpenAI', base_url: 'http://127.0.0.1:9' };
  return { ...value, models: [isRaw ? chat : { abbr: 'any' }, ...models] };
}
