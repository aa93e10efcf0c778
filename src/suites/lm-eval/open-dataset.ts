import type { DatasetConfig, ModelConfig } from '../../config/config.ts';
import { ConfigError } from '../../errors.ts';
import { limitOf } from '../../evaluation/cut-context.ts';
import type { Evaluation } from '../../evaluation/evaluation.ts';
import type { SuiteDatasets, SuiteParts } from '../../evaluation/suite-datasets.ts';
import { requireAbilities } from '../../model/model.ts';
import { openTask, taskYamlOf } from './open-task.ts';
import type { RenderSettings } from './prompts/render-prompt.ts';
import { taskMetrics } from './scoring/task-scorer.ts';
import { taskEvaluation } from './task-evaluation.ts';
import { parseTask } from './tasks/task-config.ts';

/** Tasks of lm-evaluation-harness in runs, views and sweeps. */
export const lmEvalDatasets: SuiteDatasets = {
  dialect: 'lm-eval',
  takesLoglikelihoods: (dataset) => isMeasured(dataset),
  open: openDataset,
  metricsOf: ({ lmEval, task }) => {
    const settings = Object(lmEval) as DatasetConfig['lmEval'];
    return taskMetrics(parseTask(taskYamlOf({ lmEval: settings, abbr: task ?? '', source: [] })));
  },
};

function isMeasured(dataset: DatasetConfig): boolean {
  return (taskYamlOf(dataset).output_type ?? 'generate_until') !== 'generate_until';
}

async function openDataset(dataset: DatasetConfig, parts: SuiteParts): Promise<Evaluation> {
  const { folder, model, modelConfig, select } = parts;
  refuseSettings(dataset);
  if (modelConfig && isMeasured(dataset)) {
    requireAbilities(model, ['loglikelihood'], 'choosing by loglikelihood');
  }
  const opened = await openTask(dataset, {
    folder,
    splitsThoughts: modelConfig?.thinking !== undefined,
  });
  const settings = await renderSettings(dataset, parts);
  const limit = modelConfig && limitOf(model, modelConfig);
  return taskEvaluation(opened, { dataset, model, modelConfig, settings, limit, select })
    .evaluation;
}

async function renderSettings(dataset: DatasetConfig, parts: SuiteParts): Promise<RenderSettings> {
  const { lmEval = {}, source, abbr } = dataset;
  const takesMessages = parts.modelConfig !== undefined && speaks(parts.modelConfig);
  if (!lmEval.applyChatTemplate) {
    if (!takesMessages) return { path: source };
    throw new ConfigError(
      'lm_eval.needs_chat_template',
      `${abbr} makes a single text, but \`${parts.modelConfig?.abbr}\` takes messages`,
      {
        path: source,
        hint: 'Set `apply_chat_template` (--apply_chat_template), or use a completions endpoint.',
      },
    );
  }
  const format = await parts.readFormat();
  if (!takesMessages && format.type !== 'chat-template' && parts.modelConfig) {
    throw new ConfigError(
      'lm_eval.no_chat_template',
      `\`${parts.modelConfig.abbr}\` has no chat template to apply`,
      {
        path: [...source, 'lm_eval'],
        hint: 'Give the model a `chat_template`, use a chat endpoint, or omit apply_chat_template.',
      },
    );
  }
  // Without a model, messages are shown as they are.
  const isShown = takesMessages || !parts.modelConfig;
  const asTurns = lmEval.fewshotAsMultiturn ?? true;
  return { path: source, chat: { format, takesMessages: isShown, asTurns } };
}

/** Whether a model takes messages, and nothing else. */
function speaks({ type, object }: ModelConfig): boolean {
  if (object && 'takes' in object && object.takes) return object.takes === 'messages';
  return type === 'OpenAI' || type === 'AISDK';
}

/** Refuses what would have no effect, so that nobody takes it for done. */
function refuseSettings(dataset: DatasetConfig): void {
  const { readerCfg, evalCfg, n, abbr, source } = dataset;
  const given: Readonly<Record<string, unknown>> = {
    'reader_cfg.test_range': readerCfg.testRange,
    'reader_cfg.train_range': readerCfg.trainRange,
    eval_cfg: evalCfg,
    n,
    'a model format': dataset.metaTemplate,
  };
  const [found] = Object.entries(given).find(([, value]) => value !== undefined) ?? [];
  if (found === undefined) return;
  throw new ConfigError('task.fixed_setting', `${abbr}: ${found} would have no effect`, {
    path: source,
    hint: 'Prompts, examples and scores are those of the task; use `lm_eval` to change how it is asked.',
  });
}
