import { existsSync } from 'node:fs';
import { packageFolder } from '../base/package-folder.ts';
import { embeddedModel } from '../config/local-folder.ts';
import { fetchHubModel } from '../data/source/hub-model.ts';
import { chooseModelFiles } from '../model/local/model-files.ts';

/** Where a model is on this machine. One of the hub is brought here first. */
export async function findLocalModel(path: string): Promise<string> {
  if (path.startsWith('hf://')) return fetchHubModel(path, { choose: chooseModelFiles });
  return path === embeddedModel && !existsSync(path) ? packageFolder('models', path) : path;
}
