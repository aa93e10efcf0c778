import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageFolder } from '../base/package-folder.ts';
import type { Config, ModelConfig } from './config.ts';

/** The model that comes with the package. */
export const embeddedModel = 'typecase-tiny';

/** The folder of a local model, as its `path` names it: a folder, or the embedded model. */
export function localFolder(
  { folder }: Pick<Config, 'folder'>,
  { path = '' }: Pick<ModelConfig, 'path'>,
): string {
  if (/^hf:/.test(path)) return path;
  const own = resolve(folder, path);
  return path === embeddedModel && !existsSync(own) ? packageFolder('models', path) : own;
}

/** The file that holds a local model's chat template, if there is one. */
export function localChatTemplate(folder: string): string | undefined {
  const names = ['chat_template.jinja', 'tokenizer_config.json'];
  return names.map((name) => join(folder, name)).find((file) => existsSync(file));
}
