import { contentHash } from '../base/content-hash.ts';
import type { LoglikelihoodResult } from '../model/loglikelihood.ts';
import type { GenerateResult } from '../model/model.ts';
import type { RecordedModel, ServedBefore, ServedName } from './store/run-file.ts';

/** A model that was served under another name than it was asked as, or under several. */
export interface ServedModel {
  readonly model: string;
  /** The name that was asked for; left out where the server was free to choose. */
  readonly asked?: string;
  readonly names: readonly ServedName[];
}

const maxNames = 100;

/** Counts the names that servers give their models. */
export class ServedNames {
  readonly #names = new Map<string, number>();

  add(name: string, answers = 1): void {
    const known = this.#names.has(name) || this.#names.size < maxNames;
    const key = known ? name : 'other names';
    this.#names.set(key, (this.#names.get(key) ?? 0) + answers);
  }

  addAll(names: Iterable<ServedName>): void {
    for (const { name, answers } of names) this.add(name, answers);
  }

  get list(): readonly ServedName[] {
    const names = Array.from(this.#names, ([name, answers]) => ({ name, answers }));
    return names.sort((a, b) => b.answers - a.answers);
  }
}

/** The names that answers to a model came under so far, and those of what had its name before. */
export interface ServedSoFar {
  readonly names: readonly ServedName[];
  readonly before: readonly ServedBefore[];
}

/** Answers of another model under the same name do not count, until it is that model again. */
export function servedSoFar(
  { identity }: RecordedModel,
  recorded: RecordedModel | undefined,
): ServedSoFar {
  if (!recorded) return { names: [], before: [] };
  const { served = [], servedBefore = [] } = recorded;
  const [now, then] = [contentHash(identity ?? null), contentHash(recorded.identity ?? null)];
  if (now === then) return { names: served, before: servedBefore };
  const all = [...servedBefore, ...(served.length > 0 ? [{ identity: then, served }] : [])];
  return {
    names: all.find((one) => one.identity === now)?.served ?? [],
    before: all.filter((one) => one.identity !== now),
  };
}

/** The name that a model was asked as; nothing where the server was free to choose. */
export function askedName(identity: RecordedModel['identity']): string | undefined {
  const name = identity?.model;
  return typeof name === 'string' && name !== 'default' ? name : undefined;
}

/** The models of a run that a name is to be said of. */
export function servedOtherwise(models: readonly RecordedModel[]): ServedModel[] {
  return models.flatMap(({ name: model, identity, served: names = [] }) => {
    const asked = askedName(identity);
    const isPlain = names.length < 2 && names.every(({ name }) => name === (asked ?? name));
    return isPlain ? [] : [{ model, ...(asked !== undefined && { asked }), names }];
  });
}

/** Whether answers came under a name that is no version of what was asked for. */
export function isOtherModel({ asked, names }: ServedModel): boolean {
  return asked !== undefined && names.some(({ name }) => compareNames(asked, name) === 'other');
}

const longestName = 200;

/** What the server called the model in its answer, if it did. */
export function servedName(result: GenerateResult | LoglikelihoodResult): string | undefined {
  const name = result.raw?.model;
  return typeof name === 'string' && name !== '' ? name.slice(0, longestName) : undefined;
}

/**
 * How the name that a server gave goes with the name that was asked for. `version`: the same name
 * with a date or a version behind it, or with another path before it.
 */
export function compareNames(asked: string, served: string): 'same' | 'version' | 'other' {
  if (asked === served) return 'same';
  const [long, short] = [bareName(served), bareName(asked)].sort((a, b) => b.length - a.length);
  if (long === undefined || short === undefined || !long.startsWith(short)) return 'other';
  return versionSuffix.test(long.slice(short.length)) ? 'version' : 'other';
}

/** Nothing, a date, a number of at least three digits, `v2`, `latest`. */
const versionSuffix = /^(?:[-@:_.](?:\d{4}-\d{2}(?:-\d{2})?|\d{3,8}|v\d+(?:\.\d+)*|latest))?$/;

/** The last part of a path, without the ending of a weights file. */
function bareName(name: string): string {
  const last = name.slice(name.lastIndexOf('/') + 1);
  return last.toLowerCase().replace(/\.(?:gguf|safetensors|bin)$/, '');
}
