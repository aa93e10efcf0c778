import { join } from 'node:path';
import { ModelError } from '../errors.ts';
import { shownUrl } from './endpoint-address.ts';
import { asObject, asText } from './json-value.ts';

/** What is used of a model of the AI SDK, in versions 2 and 3 of its specification. */
export interface SdkModel {
  readonly specificationVersion: string;
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: Readonly<Record<string, unknown>>): PromiseLike<unknown>;
}

type CreateProvider = (options: Readonly<Record<string, unknown>>) => {
  languageModel(model: string): SdkModel;
};

const knownVersions: readonly string[] = ['v2', 'v3'];

/** Whether a value is a model object of the AI SDK, of whatever specification. */
export function isSdkModel(value: unknown): value is SdkModel {
  const { specificationVersion, doGenerate } = Object(value) as Partial<SdkModel>;
  return typeof specificationVersion === 'string' && typeof doGenerate === 'function';
}

/**
 * What tells the answers of a model object from those of others: its address, as far as it says it,
 * and a name, because what stands around it is not seen.
 */
export function identifySdkModel(model: SdkModel, name: string): Readonly<Record<string, unknown>> {
  const { provider, modelId } = model;
  const url = addressOf(model);
  return { provider, model: modelId, name, ...(url !== undefined && { url: shownUrl(url) }) };
}

/** Where providers keep the address that they ask. */
function addressOf(sdkModel: SdkModel): string | undefined {
  const { baseURL, url } = asObject(asObject(sdkModel)?.config) ?? {};
  if (typeof baseURL === 'string') return baseURL;
  if (typeof url !== 'function') return undefined;
  try {
    return asText(url({ path: '', modelId: sdkModel.modelId }));
  } catch {
    return undefined;
  }
}

/** Refuses a model of a specification that is not known. */
export function requireVersion(model: SdkModel, of: string): SdkModel {
  if (knownVersions.includes(model.specificationVersion)) return model;
  throw packageError(
    'model.package_version',
    `\`${of}\` provides models of specification ${model.specificationVersion}`,
    `Install a version that provides models of specification ${knownVersions.join(' or ')}.`,
  );
}

export interface SdkPackage {
  /** Name of a provider package, such as `@ai-sdk/anthropic`. */
  readonly package: string;
  readonly model: string;
  /** What the package's `create…` function takes. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The project folder in which the package is installed. */
  readonly folder: string;
}

/** Loads a model from a provider package that the user has installed. */
export async function loadSdkModel(wanted: SdkPackage): Promise<SdkModel> {
  const createProvider = findCreate(wanted.package, await importFrom(wanted));
  const model = createProvider({ fetch: fetchHere, ...wanted.options }).languageModel(wanted.model);
  return requireVersion(model, wanted.package);
}

/** Asks only the address that was named: some providers send the key in headers that fetch takes along in a redirect. */
function fetchHere(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  return fetch(input, { ...init, redirect: 'manual' });
}

async function importFrom(wanted: SdkPackage): Promise<Record<string, unknown>> {
  const { createJiti } = await import('jiti');
  // A resolver for import conditions: some packages can only be imported, not required.
  const resolver = createJiti(join(wanted.folder, 'package.json'));
  const address = resolver.esmResolve(wanted.package, { try: true });
  // Node cannot run TypeScript of every kind itself.
  if (address && /\.[cm]?tsx?$/.test(address)) return resolver.import(address);
  if (address) return import(address);
  throw packageError(
    'model.package_missing',
    `the package \`${wanted.package}\` is not installed in ${wanted.folder}`,
    `Install it: \`npm install ${wanted.package}\`.`,
  );
}

/** The function of a package that makes a provider: `createOpenAI` of `@ai-sdk/openai`. */
function findCreate(name: string, exported: Record<string, unknown>): CreateProvider {
  const names = Object.keys(exported).filter(
    (key) => /^create[A-Z]/.test(key) && typeof exported[key] === 'function',
  );
  const expected = `create${name.split('/').at(-1)}`.replace(/\W/g, '').toLowerCase();
  const chosen = names.find((key) => key.toLowerCase() === expected) ?? names[0];
  if (chosen !== undefined) return exported[chosen] as CreateProvider;
  throw packageError(
    'model.package_unusable',
    `the package \`${name}\` does not export a function that creates a provider`,
    'Give a provider package of the AI SDK, such as `@ai-sdk/anthropic`.',
  );
}

function packageError(code: string, message: string, hint: string): ModelError {
  return new ModelError(code, message, { retryable: false, hint });
}
