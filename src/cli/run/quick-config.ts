import { basename, extname, join } from 'node:path';
import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { customTextTask } from '../../data/custom-text/custom-text-task.ts';
import { openRows } from '../../data/open-rows.ts';
import type { Row } from '../../prompt/index.ts';
import { UsageError } from '../usage-error.ts';
import { checkLocalModel, isEndpoint } from './quick-model.ts';
import type { RunOptions } from './run-options.ts';

/** A config made of a file of rows and flags: one model, one data set, one template. */
export async function quickConfig(options: RunOptions): Promise<Config> {
  return {
    file: join(process.cwd(), 'command line'),
    models: [quickModel(options)],
    datasets: [
      options.template === undefined
        ? await customDataset(options)
        : quickDataset(options, options.template),
    ],
    notices: [],
  };
}

function quickModel(options: RunOptions): ModelConfig {
  const { model, modelName, completions, metaTemplate, maxOutLen, temperature, apiKeyEnv } =
    options;
  if (model === undefined) {
    throw new UsageError('usage.model_missing', 'A file of rows needs a model to ask', {
      hint: 'Add `--model http://127.0.0.1:8000/v1`, or the folder of a local model.',
    });
  }
  const settings = {
    source: ['--model'],
    metaTemplate,
    maxOutLen,
    ...(temperature !== undefined && { generationKwargs: { temperature } }),
  };
  if (!isEndpoint(model)) {
    checkLocalModel(model);
    return { ...settings, abbr: modelName ?? basename(model), type: 'Local', path: model };
  }
  return {
    ...settings,
    abbr: modelName ?? hostOf(model),
    type: completions ? 'OpenAICompletions' : 'OpenAI',
    baseUrl: model,
    model: modelName,
    apiKeyEnv,
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function quickDataset(options: RunOptions, template: string): DatasetConfig {
  const { source, outputColumn, evaluator = 'exact' } = options;
  if (outputColumn === undefined && options.evaluator !== undefined) {
    throw new UsageError('usage.missing_argument', '`--evaluator` needs the right answers', {
      hint: 'Name their column: `--output-column answer`.',
    });
  }
  return {
    source: ['--template'],
    abbr: nameOfSource(source),
    rows: { type: 'file', path: source },
    readerCfg: { ...splits, inputColumns: [], outputColumn },
    inferCfg: inferConfig(template),
    ...(outputColumn !== undefined && { evalCfg: { evaluator: { type: evaluator } } }),
  };
}

/** The name of data sets in AISBench's custom format, whose columns say how they are asked. */
export const customText = 'CustomText';

async function customDataset({ source, evaluator }: RunOptions): Promise<DatasetConfig> {
  const { template, inputColumns, outputColumn, options } = customTextTask(
    await firstRowOf(source),
  );
  const type = evaluator ?? (options.length > 0 ? 'choice' : 'exact');
  const judge = type === 'choice' ? { type, options, text_columns: options } : { type };
  return {
    source: [],
    type: customText,
    abbr: nameOfSource(source),
    rows: { type: 'file', path: source },
    readerCfg: { ...splits, inputColumns: [...inputColumns, 'max_out_len'], outputColumn },
    inferCfg: inferConfig(template),
    ...(outputColumn !== undefined && { evalCfg: { evaluator: judge } }),
  };
}

const splits = { trainSplit: 'train', testSplit: 'test' };

/** The name of a file or address, without what may be secret in an address. */
export function nameOfSource(source: string): string {
  const path = /^https?:/i.test(source) && URL.canParse(source) ? new URL(source).pathname : source;
  return basename(path, extname(path));
}

function inferConfig(template: string): DatasetConfig['inferCfg'] {
  return {
    promptTemplate: { source: ['--template'], config: { type: 'PromptTemplate', template } },
    retriever: { source: [], type: 'ZeroRetriever' },
    inferencer: { source: [], type: 'GenInferencer' },
  };
}

async function firstRowOf(source: string): Promise<Row> {
  for await (const [first] of (await openRows(source)).batches()) if (first) return first.row;
  throw new UsageError('usage.template_missing', `${source} has no rows to tell the task from`, {
    hint: 'Add `--template "Q: {question}\\nA: {answer}" --output-column answer`.',
  });
}
