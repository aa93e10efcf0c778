import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { contentHash } from '../base/content-hash.ts';
import { displayPath } from '../base/display-path.ts';
import { hintForName } from '../base/nearest-name.ts';
import type { Config, ModelConfig } from '../config/config.ts';
import type { ModelObject } from '../config/model-schema.ts';
import { ConfigError, formatPath } from '../errors.ts';
import { identifySdkModel, isSdkModel, requireVersion } from '../model/ai-sdk-package.ts';
import { functionModel, type GenerateFunction } from '../model/function-model.ts';
import type { Model } from '../model/model.ts';
import { importExports } from './import-exports.ts';

type GivenModel = ModelConfig & { readonly timeoutMs: number };

/** A model that the config gives itself: a function, the file of one, or a model object. */
export async function openGiven(config: Pick<Config, 'folder'>, model: GivenModel): Promise<Model> {
  if (model.object) return openObject(model.object, model);
  const { abbr, version, maxOutLen, stop, generationKwargs, timeoutMs } = model;
  const generate = model.generate ?? (await importFunction(config, model));
  const settings = { maxOutLen, stop, generationKwargs, timeoutMs };
  return functionModel({ name: abbr, generate, version, code: codeOf(config, model), ...settings });
}

/** What tells a model that the config gives from others, with the name that the config gives it. */
export function identifyGiven(
  config: Pick<Config, 'folder'>,
  model: ModelConfig,
  start: string,
): object {
  const { abbr: name, object, version } = model;
  if (object) {
    return isSdkModel(object) ? identifySdkModel(object, name) : { identity: object.identity };
  }
  // A function without a version may be another one at the next start.
  return { name, code: codeOf(config, model), ...(version === undefined && { start }) };
}

/** What tells the own code of a function from that of others, as far as it can be read; what it calls is no part of it. */
export function codeOf(
  { folder }: Pick<Config, 'folder'>,
  { generate, file = '' }: Pick<ModelConfig, 'generate' | 'file'>,
): string | undefined {
  if (generate) return contentHash(generate);
  // How an exported function is written down depends on how often its file was loaded.
  const path = resolve(folder, file);
  return existsSync(path) ? contentHash(readFileSync(path, 'utf8')) : undefined;
}

async function openObject(object: ModelObject, model: GivenModel): Promise<Model> {
  const { abbr: name, maxOutLen, stop, generationKwargs, timeoutMs, vision } = model;
  if (isSdkModel(object)) {
    const { sdkObjectModel } = await import('../model/ai-sdk-model.ts');
    const settings = { name, maxOutLen, stop, generationKwargs, timeoutMs, vision };
    return sdkObjectModel(requireVersion(object, object.modelId), settings);
  }
  return Object.create(object, {
    name: { value: name, enumerable: true },
    // It was opened by somebody else, who may ask it again.
    close: { value: async () => undefined },
    ...((maxOutLen !== undefined || stop || hasKeys(generationKwargs)) && {
      identity: {
        get: () => ({ ...object.identity, maxOutLen, stop, generationKwargs }),
        enumerable: true,
      },
      ...withDefaults(object, model),
    }),
  });
}

function hasKeys(value: object | undefined): boolean {
  return Object.keys(value ?? {}).length > 0;
}

/** What the config sets goes with every request, over what the model was made with. */
function withDefaults(object: Model, { maxOutLen, stop, generationKwargs }: GivenModel) {
  const add: <Request extends Parameters<Model['encode']>[0]>(request: Request) => Request = (
    request,
  ) => ({
    ...request,
    maxOutLen: request.maxOutLen ?? maxOutLen,
    stop: request.stop ?? stop,
    settings: { ...generationKwargs, ...request.settings },
  });
  const encode: Model['encode'] = (request) => object.encode(add(request));
  const encodeLong: Model['encodeLong'] = (request) => object.encodeLong?.(add(request));
  const generate: Model['generate'] = (request, options) => object.generate(add(request), options);
  return {
    encode: { value: encode },
    encodeLong: { value: encodeLong },
    generate: { value: generate },
  };
}

/** The function that a file exports. */
async function importFunction(
  { folder }: Pick<Config, 'folder'>,
  { file = '', export: name = 'default', source }: ModelConfig,
): Promise<GenerateFunction> {
  const path = [...source, 'file'];
  const exported = await importExports(file, { folder, path });
  const found = exported[name];
  if (typeof found === 'function') return found as GenerateFunction;
  const names = Object.keys(exported).filter((key) => typeof exported[key] === 'function');
  const shown = displayPath(resolve(folder, file));
  throw new ConfigError(
    'config.no_export',
    `${formatPath(source)}: ${shown} does not export a function \`${name}\``,
    { path: [...source, 'export'], hint: hintForName(name, { names, kind: 'Functions' }) },
  );
}
