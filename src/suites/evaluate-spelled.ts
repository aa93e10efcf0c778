import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type EvaluateOptions, evaluate, type RunResult } from '../api/evaluate.ts';
import type { ConfigInput } from '../config/config-input.ts';
import { parseConfig } from '../config/load-config.ts';
import { localFolder } from '../config/local-folder.ts';
import { toPlain } from '../prompt/mapping.ts';
import { kindNamed, type ModelFlags, spellModel } from '../terminal/lm-eval/spell-model.ts';

/** What a command line spelled, in the words of a config. */
export type SpelledConfig = Readonly<
  Record<'models' | 'datasets', readonly Readonly<Record<string, unknown>>[]>
>;

interface SpelledOptions extends EvaluateOptions {
  readonly out: string;
}

/** Runs what a command line spelled, and keeps it as the config of the run, which others take. */
export async function evaluateSpelled(
  spelled: SpelledConfig,
  options: SpelledOptions,
): Promise<RunResult> {
  const { out, onOpen } = options;
  const file = join(out, 'config.json');
  const config = await parseConfig(spelled as unknown as ConfigInput);
  return evaluate(
    { ...config, file },
    {
      ...options,
      onOpen(evaluations) {
        mkdirSync(out, { recursive: true });
        writeFileSync(file, `${JSON.stringify(toPlain(spelled), null, 2)}\n`);
        onOpen?.(evaluations);
      },
    },
  );
}

/** The model that `--model` and `--model_args` name; its folder is found from anywhere. */
export function spellFoundModel(flags: ModelFlags): SpelledConfig['models'][number] {
  const model = spellModel(flags);
  if (model.path === undefined) return model;
  return {
    ...model,
    path: localFolder({ folder: process.cwd() }, { path: String(model.path) }),
  };
}

export interface NamedTaskFlags {
  readonly task: string;
  readonly version: string;
  readonly dialect: string | undefined;
  readonly numFewshot: number;
  readonly dataDir: string | undefined;
  /** The kind of model, which says how choices are found out. */
  readonly model?: string | undefined;
}

/** A task with templates of its own as datasets name it, with so many drawn examples. */
export function spellNamedTask(
  abbr: string,
  { task, version, dialect, numFewshot, dataDir, model }: NamedTaskFlags,
): SpelledConfig['datasets'][number] {
  return {
    ...{ abbr, task, version },
    ...(dialect !== undefined && { dialect }),
    ...(dataDir !== undefined && { path: resolve(dataDir) }),
    infer_cfg: {
      retriever:
        numFewshot > 0
          ? { type: 'RandomRetriever', ice_num: numFewshot }
          : { type: 'ZeroRetriever' },
      ...(model !== undefined &&
        kindNamed(model).mode === 'gen' && { inferencer: { type: 'GenInferencer' } }),
    },
  };
}
