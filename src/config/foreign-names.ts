import type { Problem } from '../schema/schema-problems.ts';

/** What keys of OpenCompass and AISBench models are called here, or what becomes of them. */
const modelKeys: Readonly<Record<string, string>> = {
  openai_api_base: 'Use `base_url`.',
  url: 'Use `base_url`.',
  host_ip: 'Use `base_url`, with host and port.',
  host_port: 'Use `base_url`, with host and port.',
  enable_ssl: 'Use an `https:` address in `base_url`.',
  key: 'Put the key into an environment variable, and name the variable in `api_key_env`.',
  api_key: 'Put the key into an environment variable, and name the variable in `api_key_env`.',
  query_per_second: 'Use `max_rps`.',
  request_rate: 'Use `max_rps`.',
  retry: 'Use `retries`, which includes the first attempt.',
  max_workers: 'Use `batch_size`.',
  concurrency: 'Use `batch_size`.',
  stop_words: 'Use `stop`.',
  tokenizer_path: 'Use `tokenizer`, with the path of a tokenizer.json.',
  extra_body: 'Move its contents into `generation_kwargs`.',
  openai_extra_kwargs: 'Move its contents into `generation_kwargs`.',
  pred_postprocessor: 'It belongs in the `eval_cfg` of a dataset.',
  ...each(
    ['temperature', 'top_p', 'top_k', 'seed', 'do_sample', 'presence_penalty', 'frequency_penalty'],
    'Move it into `generation_kwargs`.',
  ),
  ...each(
    ['run_cfg', 'attr', 'trust_remote_code', 'model_kwargs', 'tokenizer_kwargs', 'batch_padding'],
    'Leave it out: it is set on the server that runs the model.',
  ),
  ...each(['verbose', 'rpm_verbose'], 'Leave it out.'),
};

const readerKeys: Readonly<Record<string, string>> = {
  ds_size: 'Use `test_range`.',
};

const groupKeys: Readonly<Record<string, string>> = {
  ...each(
    ['metric', 'std', 'sum'],
    'Leave it out: a group is the average of the scores of its datasets.',
  ),
};

/** What to use for types of models that those systems have. */
const modelTypes: readonly (readonly [RegExp, string])[] = [
  [
    /^HuggingFace|^LMDeploy|^TurboMind|^VLLM(?!Custom)|^QwenVL/,
    'Serve the model with vLLM, SGLang or the like: use `type: OpenAI` to send chat messages, or `type: OpenAICompletions` to send text. `type: Local` runs ONNX models.',
  ],
  [/Chat|SDK/, 'Use `type: OpenAI` (chat messages) with `base_url`.'],
  [/API|Api|Stream/, 'Use `type: OpenAICompletions` (text) with `base_url`.'],
];

/** The same problems, with what a name of another system is called here. The list of all keys is given once. */
export function withEquivalents(problems: readonly Problem[]): Problem[] {
  const listed = new Set<string>();
  return problems.map((problem) => {
    const { code, path, key = '' } = problem;
    if (code !== 'config.unknown_key') return problem;
    const known = keysAt(path);
    if (known && Object.hasOwn(known, key)) return { ...problem, hint: known[key] };
    const { hint = '' } = problem;
    const list = hint.slice(hint.indexOf('Known keys:'));
    if (!listed.has(list)) {
      listed.add(list);
      return problem;
    }
    const near = hint.slice(0, hint.length - list.length).trim();
    return { ...problem, hint: near === '' ? undefined : near };
  });
}

/** What to use in place of a type of another system. */
export function equivalentModel(name: string): string | undefined {
  return modelTypes.find(([pattern]) => pattern.test(name))?.[1];
}

function keysAt(path: Problem['path']): Readonly<Record<string, string>> | undefined {
  if (path.length === 2 && /(^|_)models$/.test(String(path[0]))) return modelKeys;
  if (path[1] === 'summary_groups' && path.length === 3) return groupKeys;
  return path.at(-1) === 'reader_cfg' ? readerKeys : undefined;
}

function each(names: readonly string[], hint: string): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, hint]));
}
