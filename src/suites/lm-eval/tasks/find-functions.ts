import type { LmEvalSettings } from '../../../config/config.ts';
import { ConfigError, type ConfigPath } from '../../../errors.ts';
import { importExports } from '../../../evaluation/import-exports.ts';
import type { TaskFunctions } from '../prompts/document-texts.ts';

type Given = Readonly<Record<string, unknown>>;

export interface FunctionPlace {
  readonly folder: string;
  readonly path: ConfigPath;
  /** The task, for messages. */
  readonly name: string;
}

/**
 * The functions that stand in for those in Python: by the whole name `utils.process_docs`, or by its
 * last part. Those that are missing are named all at once.
 */
export async function findFunctions(
  wanted: readonly string[],
  given: LmEvalSettings['functions'],
  { folder, path, name }: FunctionPlace,
): Promise<TaskFunctions> {
  const at = [...path, 'lm_eval', 'functions'];
  const exported =
    typeof given === 'string' ? await importExports(given, { folder, path: at }) : (given ?? {});
  const missing = wanted.filter((one) => functionNamed(exported, one) === undefined);
  if (missing.length > 0) {
    const list = missing.map((one) => `\`${one}\``).join(', ');
    throw new ConfigError(
      'lm_eval.function_missing',
      `${name} needs functions written in Python: ${list}`,
      {
        path,
        hint: `Write them in TypeScript, export them as ${missing.map(lastPart).join(', ')}, and set \`functions\` to that file.`,
      },
    );
  }
  return (one) => {
    const found = functionNamed(exported, one);
    if (!found) throw new TypeError(`unknown function ${one}`);
    return found;
  };
}

function functionNamed(exported: Given, name: string): ReturnType<TaskFunctions> | undefined {
  const found = [name, lastPart(name)]
    .map((key) => (Object.hasOwn(exported, key) ? exported[key] : undefined))
    .find((value) => typeof value === 'function');
  return found as ReturnType<TaskFunctions> | undefined;
}

function lastPart(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
