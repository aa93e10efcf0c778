import { createHash } from 'node:crypto';
import { dumpJson } from '../../python/json.ts';
import { plainText } from '../../python/traced-text.ts';
import { isText, MutableDict, PyDict, type PyObject, type PyValue } from '../../python/values.ts';
import type { LoadedPython } from './load-python.ts';
import { PyReference } from './objects.ts';
import { asList } from './operations.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** The prompt hash of a config: that of its first name that ends in `_datasets`. */
export function configPromptHash({ names }: LoadedPython): string | undefined {
  const first = names
    .entries()
    .find(([key]) => isText(key) && plainText(key).endsWith('_datasets'));
  return first && promptHash(first[1]);
}

/** The hash of which configs of OpenCompass carry the first six digits in their file's name. */
export function promptHash(value: PyValue): string | undefined {
  try {
    return hashOf(value);
  } catch {
    return undefined;
  }
}

function hashOf(value: PyValue): string {
  const list = asList(value);
  const [only, second] = list ?? [];
  if (list && only !== undefined && second === undefined) return hashOf(only);
  if (list) return sha256(list.map(hashOf).join(','));
  if (!(value instanceof PyDict)) throw new TypeError('only lists and dicts have a prompt hash');
  const infer = value.get('infer_cfg');
  if (infer === undefined) return sha256(dump(without(value, 'abbr', 'path')));
  if (!(infer instanceof PyDict)) return sha256(dump(infer));
  return sha256(dump(withMovedIds(infer)));
}

/** The numbers of fixed examples belong to the inferencer here. */
function withMovedIds(infer: PyDict): PyDict {
  const [retriever, inferencer] = [infer.get('retriever'), infer.get('inferencer')];
  const ids = retriever instanceof PyDict ? retriever.get('fix_id_list') : undefined;
  if (ids === undefined || !(retriever instanceof PyDict)) return infer;
  if (!(inferencer instanceof PyDict)) throw new TypeError('there is no inferencer');
  return infer
    .with('retriever', without(retriever, 'fix_id_list'))
    .with('inferencer', inferencer.with('fix_id_list', ids));
}

function without(dict: PyDict, ...keys: readonly string[]): PyDict {
  const copy = new MutableDict(dict.entries());
  for (const key of keys) copy.delete(key);
  return copy;
}

function dump(value: PyValue): string {
  return dumpJson(value, { sortKeys: true, textOf: referenceText });
}

function referenceText(value: PyObject): string | undefined {
  return value instanceof PyReference ? value.dotted : undefined;
}
