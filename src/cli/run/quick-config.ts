import { basename, extname, join } from 'node:path';
import type { Config, DatasetConfig, ModelConfig } from '../../config/config.ts';
import { UsageError } from '../usage-error.ts';
import type { RunOptions } from './run-options.ts';

/** A config made of a file of rows and flags: one model, one data set, one template. */
export function quickConfig(options: RunOptions): Config {
  return {
    file: join(process.cwd(), 'command line'),
    models: [quickModel(options)],
    datasets: [quickDataset(options)],
    notices: [],
  };
}

function quickModel(options: RunOptions): ModelConfig {
  const { model, modelName, completions, metaTemplate, maxOutLen, temperature, apiKeyEnv } =
    options;
  if (model === undefined) {
    throw new UsageError('usage.model_missing', 'A file of rows needs a model to ask', {
      hint: 'Add `--model http://127.0.0.1:8000/v1`.',
    });
  }
  return {
    source: ['--model'],
    abbr: modelName ?? hostOf(model),
    type: completions ? 'OpenAICompletions' : 'OpenAI',
    baseUrl: model,
    model: modelName,
    metaTemplate,
    maxOutLen,
    apiKeyEnv,
    ...(temperature !== undefined && { generationKwargs: { temperature } }),
  };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

function quickDataset(options: RunOptions): DatasetConfig {
  const { source, template, outputColumn, evaluator = 'exact' } = options;
  if (template === undefined) {
    throw new UsageError('usage.template_missing', 'A file of rows needs a template', {
      hint: 'Add `--template "Q: {question}\\nA: {answer}" --output-column answer`.',
    });
  }
  return {
    source: ['--template'],
    abbr: basename(source, extname(source)),
    rows: { type: 'file', path: source },
    readerCfg: { inputColumns: [], outputColumn, trainSplit: 'train', testSplit: 'test' },
    inferCfg: {
      promptTemplate: { source: ['--template'], config: { type: 'PromptTemplate', template } },
      retriever: { source: [], type: 'ZeroRetriever' },
      inferencer: { source: [], type: 'GenInferencer' },
    },
    ...(outputColumn !== undefined && { evalCfg: { evaluator: { type: evaluator } } }),
  };
}
