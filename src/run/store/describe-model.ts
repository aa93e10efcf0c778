import { resolve } from 'node:path';
import { contentHash } from '../../base/content-hash.ts';
import type { Config, ModelConfig } from '../../config/config.ts';
import { hashFile } from '../../data/source/cache.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import { shownUrl } from '../../model/endpoint-address.ts';
import type { ModelFormat } from '../../prompt/format.ts';
import { toPlain } from '../../prompt/mapping.ts';
import type { RecordedFormat, RecordedModel } from './run-file.ts';

/** What a run says of a model, whatever it comes from. */
export function describeModel({
  model,
  modelName,
  modelConfig,
  task: { compat },
  shape: { format },
  pace,
}: Evaluation): RecordedModel {
  return {
    name: modelName,
    identity: model.identity,
    ...(model.facts && { facts: model.facts }),
    ...(compat && { compat }),
    ...(format && { format: describeFormat(format, modelConfig) }),
    pace,
    ...(modelConfig && { config: settingsOf(modelConfig) }),
  };
}

/** Hashes of the files that a model's prompts depend on. */
export async function describeTokenizer(
  { folder }: Pick<Config, 'folder'>,
  model: ModelConfig | undefined,
): Promise<Pick<RecordedModel, 'tokenizer'>> {
  if (model?.tokenizer === undefined) return {};
  const { tokenizer } = model;
  return { tokenizer: { file: tokenizer, sha256: await hashFile(resolve(folder, tokenizer)) } };
}

/** A format by what it holds: a name may stand for something else in another version. */
function describeFormat(format: ModelFormat, model: ModelConfig | undefined): RecordedFormat {
  const { type } = format;
  switch (format.type) {
    case 'plain':
      return { type };
    case 'chat-template': {
      const { template, meta, variables, tools } = format;
      const { specialTokens } = template as { readonly specialTokens?: unknown };
      return {
        type,
        name: template.name,
        hash: contentHash([template.source, specialTokens, meta, variables, tools]),
      };
    }
    default: {
      const name = model?.metaTemplate;
      return { type, ...(typeof name === 'string' && { name }), hash: contentHash(format.meta) };
    }
  }
}

/** The config of a model; values of headers and options may be secret and stay out. */
function settingsOf(model: ModelConfig): NonNullable<RecordedModel['config']> {
  const {
    source: _,
    abbr: __,
    compat: ___,
    headers,
    options,
    baseUrl,
    otherUrls,
    ...given
  } = model;
  // Functions and objects of a program are not on record; their identity is.
  const { generate: ____, object: _____, ...settings } = given;
  return toPlain({
    ...Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)),
    ...(baseUrl !== undefined && { baseUrl: shownUrl(baseUrl) }),
    ...(otherUrls && { otherUrls: otherUrls.map(shownUrl) }),
    ...(headers && { headers: Object.keys(headers).sort() }),
    ...(options && { options: Object.keys(options).sort() }),
  }) as NonNullable<RecordedModel['config']>;
}
