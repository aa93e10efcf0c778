import { asPlain, type Plain } from './plain-value.ts';

/**
 * Messages are only shown for a model that takes them: a config without models gets one that stands
 * in for it, and is never asked.
 */
export function chatStandIn(value: Plain): Plain {
  const isRaw = (value.datasets as readonly Plain[]).some((dataset) => {
    const infer = asPlain(dataset.infer_cfg);
    return asPlain(infer?.prompt_template)?.messages !== undefined;
  });
  if (!isRaw || (value.models as readonly unknown[] | undefined)?.length) return value;
  return { ...value, models: [{ abbr: 'chat', type: 'OpenAI', base_url: 'http://127.0.0.1:9' }] };
}
