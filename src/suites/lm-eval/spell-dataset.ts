import { datasetType } from './index.ts';
import { dataSources, type SourceOptions } from './tasks/data-source.ts';
import type { TaskYaml } from './tasks/read-task-yaml.ts';
import { type OutputType, parseTask } from './tasks/task-config.ts';

const inferencers: Readonly<Record<OutputType, string>> = {
  generate_until: 'GenInferencer',
  multiple_choice: 'LLInferencer',
  loglikelihood: 'LLInferencer',
  loglikelihood_rolling: 'PPLOnlyInferencer',
};

export interface SpellOptions extends SourceOptions {
  /** The file of the task. */
  readonly file: string;
}

/** A task in the words of a config. */
export function spellDataset(yaml: TaskYaml, options: SpellOptions) {
  const { outputType, splits } = parseTask(yaml, options.file);
  return {
    type: datasetType,
    path: dataSources(yaml, options),
    reader_cfg: {
      input_columns: [],
      output_column: null,
      test_split: splits.test ?? splits.validation ?? 'test',
    },
    infer_cfg: {
      prompt_template: { template: shownTemplate(yaml) },
      inferencer: { type: inferencers[outputType] },
    },
    lm_eval: { config: yaml, file: options.file },
  };
}

/** What a row is asked, for people: prompts are made by the rules of the original. */
export function shownTemplate({ doc_to_text: text, doc_to_target: target }: TaskYaml): string {
  return [text, target]
    .map((one) => (typeof one === 'string' ? one : JSON.stringify(one)))
    .join(' ');
}
