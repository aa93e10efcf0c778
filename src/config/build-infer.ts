import type * as z from 'zod';
import { type ConfigPath, formatPath } from '../errors.ts';
import { camelKeys } from './camel-keys.ts';
import type { InferConfig, RetrieverConfig, TemplateEntry } from './config.ts';
import type { inferSchema } from './infer-schema.ts';
import type { Report } from './problems.ts';

type InferOutput = z.output<typeof inferSchema>;
type TemplateOutput = NonNullable<InferOutput['prompt_template']>;

const defaultRetriever: NonNullable<InferOutput['retriever']> = { type: 'ZeroRetriever' };
const defaultInferencer: NonNullable<InferOutput['inferencer']> = { type: 'GenInferencer' };

/** Retrievers that do not choose among the rows of the pool. */
const fixedTypes = new Set(['ZeroRetriever', 'FixKRetriever']);

/** Builds the inference part of a dataset from its checked form. */
export function buildInfer(infer: InferOutput, source: ConfigPath, report: Report): InferConfig {
  const { ice_template: ice, prompt_template: prompt, inferencer = defaultInferencer } = infer;
  const { fixIdList: _, temperature: __, doSample: ___, ...options } = camelKeys(inferencer);
  const inferencerPath = [...source, 'inferencer'];
  return {
    iceTemplate: ice && buildTemplate(ice, [...source, 'ice_template']),
    promptTemplate: prompt && buildTemplate(prompt, [...source, 'prompt_template']),
    retriever: buildRetriever(infer, source, report),
    ...(infer.shots_as !== undefined && { shotsAs: infer.shots_as }),
    ...(infer.tools && { tools: infer.tools }),
    ...(infer.max_turns !== undefined && { maxTurns: infer.max_turns }),
    ...(infer.response_format && { responseFormat: infer.response_format }),
    inferencer: {
      ...withoutTurns(options),
      ...buildKwargs(inferencer, inferencerPath, report),
      source: inferencerPath,
    },
  };
}

type Inferencer = NonNullable<InferOutput['inferencer']>;

/** OpenCompass has some settings beside the others, and one that servers do not know. */
function buildKwargs(
  { generation_kwargs: given, temperature, do_sample }: Inferencer,
  path: ConfigPath,
  report: Report,
): Pick<InferConfig['inferencer'], 'generationKwargs'> {
  const { do_sample: sample = do_sample, ...kwargs } = given ?? {};
  for (const [key, value] of Object.entries({ temperature, do_sample })) {
    if (value === undefined) continue;
    report.notice([...path, key], `${formatPath([...path, key])} is read as generation_kwargs`);
  }
  const settings = {
    ...(temperature !== undefined && { temperature }),
    ...kwargs,
    ...(sample === false && { temperature: 0 }),
  };
  return Object.keys(settings).length === 0 ? {} : { generationKwargs: settings };
}

function buildTemplate(template: TemplateOutput, source: ConfigPath): TemplateEntry {
  const usual = template.messages === undefined ? 'PromptTemplate' : 'RawPromptTemplate';
  return { source, config: { ...template, type: template.type ?? usual } };
}

function buildRetriever(infer: InferOutput, source: ConfigPath, report: Report): RetrieverConfig {
  const path = [...source, 'retriever'];
  const { fixIdList: own, ...retriever } = camelKeys(infer.retriever ?? defaultRetriever);
  const old = infer.inferencer?.fix_id_list;
  const fixIdList = own ?? old;
  if (old !== undefined) {
    const oldPath = [...source, 'inferencer', 'fix_id_list'];
    if (own === undefined) {
      report.notice(oldPath, `${formatPath(oldPath)} is read as ${formatPath(path)}.fix_id_list`);
    } else {
      report.problem({
        code: 'config.conflicting_keys',
        path: oldPath,
        message: `is set twice: here and in ${formatPath(path)}.fix_id_list`,
        hint: 'Keep the one in the retriever.',
      });
    }
  }
  if (retriever.type === 'FixKRetriever' && fixIdList === undefined) {
    report.problem({
      code: 'config.missing_key',
      path,
      key: 'fix_id_list',
      message: 'has no `fix_id_list`',
      hint: 'List the numbers of the training rows to show as examples.',
    });
  }
  if (retriever.type !== 'FixKRetriever' && fixIdList !== undefined) {
    report.problem({
      code: 'config.conflicting_keys',
      path: own === undefined ? [...source, 'inferencer', 'fix_id_list'] : path,
      message:
        own === undefined
          ? `is read as a setting of the retriever, but ${retriever.type} does not use it`
          : `is a ${retriever.type}, which does not use \`fix_id_list\``,
      hint: 'Use FixKRetriever, or remove `fix_id_list`.',
    });
  }
  for (const key of ['where', 'same_as'] as const) {
    if (!fixedTypes.has(retriever.type) || infer.retriever?.[key] === undefined) continue;
    report.problem({
      code: 'config.conflicting_keys',
      path,
      message: `is a ${retriever.type}, which does not use \`${key}\``,
      hint: `Remove \`${key}\`, or use a retriever that selects examples.`,
    });
  }
  return {
    ...retriever,
    fixIdList,
    source: path,
  };
}

/** A list of limits is one for each turn of a dialogue. */
function withoutTurns<
  Options extends { readonly maxOutLen?: number | readonly number[] | undefined },
>({ maxOutLen, ...options }: Options) {
  return typeof maxOutLen === 'object'
    ? { ...options, maxOutLens: maxOutLen }
    : { ...options, maxOutLen };
}
