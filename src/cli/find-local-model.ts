import { fetchHubModel } from '../data/source/hub-model.ts';
import { chooseModelFiles } from '../model/local/model-files.ts';

/** Where a model is on this machine. One of the hub is brought here first. */
export async function findLocalModel(path: string): Promise<string> {
  return path.startsWith('hf://') ? fetchHubModel(path, { choose: chooseModelFiles }) : path;
}
