import type { Compat } from '../../compat/compat.ts';
import type { DatasetConfig } from '../../config/config.ts';
import { hasMedia, mediaNeedMessages } from '../../prompt/lay-out.ts';
import { parseTemplate } from '../../prompt/parse-template.ts';
import type { TemplateConfig } from '../../prompt/template.ts';
import { abilityFor } from '../inference.ts';

/** Refuses likelihoods of texts that show media, before a server is asked how it tells them. */
export function refuseMediaTexts(
  datasets: readonly Pick<DatasetConfig, 'inferCfg'>[],
  compat: Compat | undefined,
): void {
  for (const { inferCfg } of datasets) {
    if (abilityFor(inferCfg.inferencer.type) === 'generate') continue;
    for (const template of [inferCfg.promptTemplate, inferCfg.iceTemplate]) {
      if (template && showsMedia(template.config, { ...template, compat }))
        throw mediaNeedMessages();
    }
  }
}

function showsMedia(
  config: TemplateConfig,
  {
    compat,
    source,
  }: { readonly compat: Compat | undefined; readonly source: readonly (string | number)[] },
): boolean {
  // Those systems have rules of their own for what a template may be.
  if (compat) return config.type === 'MMPromptTemplate';
  return hasMedia(parseTemplate(config, source).body);
}
