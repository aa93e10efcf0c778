import { basename } from 'node:path/posix';

/** From the most exact to the smallest, by the names that exporters give. */
const preferred = [
  'model.onnx',
  'model_fp16.onnx',
  'model_quantized.onnx',
  'model_int8.onnx',
  'model_uint8.onnx',
  'model_q8.onnx',
  'model_q4f16.onnx',
  'model_q4.onnx',
];

/** The weights to use among files named relative to their folder; undefined if none stands out. */
export function preferredWeights(files: readonly string[]): string | undefined {
  const weights = weightsAmong(files);
  for (const name of preferred) {
    const found = weights.find((file) => basename(file) === name);
    if (found !== undefined) return found;
  }
  return weights.length === 1 ? weights[0] : undefined;
}

/** Weights stand in the model's folder, or in `onnx` inside it. */
export function weightsAmong(files: readonly string[]): string[] {
  return files.filter((file) => /^(?:onnx\/)?[^/]+\.onnx$/.test(file));
}

const settings = new Set([
  'config.json',
  'generation_config.json',
  'tokenizer.json',
  'tokenizer_config.json',
  'chat_template.jinja',
  'sentence_bert_config.json',
  '1_Pooling/config.json',
]);

/** The files of a model that are needed to run it. Large weights have data beside them. */
export function chooseModelFiles(files: readonly string[], named: string | undefined): string[] {
  const weights = named ?? preferredWeights(files);
  return files.filter(
    (file) => settings.has(file) || (weights !== undefined && file.startsWith(weights)),
  );
}
