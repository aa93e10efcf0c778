import { ConfigError, type ConfigPath } from '../../errors.ts';

/** A model folder that cannot be used, and the setting that names it. */
export interface FolderLocation {
  readonly path: string;
  readonly source?: ConfigPath | undefined;
}

type Code =
  | 'model.folder_missing'
  | 'model.folder_incomplete'
  | 'model.folder_unreadable'
  | 'model.weights_unusable'
  | 'model.tokenizer_unreadable'
  | 'model.tokenizer_mismatch';

const hints: Readonly<Record<Code, string>> = {
  'model.folder_missing':
    'Name a folder with config.json, tokenizer.json and ONNX weights, hf://owner/name, or typecase-tiny.',
  'model.folder_incomplete':
    'A model folder has config.json, tokenizer.json and ONNX weights such as onnx/model.onnx.',
  'model.folder_unreadable': 'The file may be damaged: get it again.',
  'model.weights_unusable':
    'The file may be damaged, or no ONNX export of a language model with a cache or an encoder.',
  'model.tokenizer_unreadable': 'The file may be damaged: get it again.',
  'model.tokenizer_mismatch': 'Take tokenizer.json and the weights from the same model.',
};

export function folderError(
  code: Code,
  problem: string,
  { location, cause }: { readonly location: FolderLocation; readonly cause?: unknown },
): ConfigError {
  const { path, source } = location;
  return new ConfigError(code, `${path}: ${problem}`, { hint: hints[code], path: source, cause });
}
