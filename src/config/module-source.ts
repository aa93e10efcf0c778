import { basename } from 'node:path';
import { ConfigError } from '../errors.ts';
import { moduleRoot } from './module-places.ts';
import { parseSyntax } from './module-syntax.ts';
import type { ParsedSource, Source, SourceNode } from './source-location.ts';
import { syntaxError } from './syntax-error.ts';

/** Runs a TypeScript or JavaScript config; takes its default export, or that named `config`. */
export async function parseModule(source: Source): Promise<ParsedSource> {
  const value = await evaluate(source);
  let root: SourceNode | undefined;
  return {
    value,
    root: () => {
      root ??= moduleRoot(source.text);
      return root;
    },
  };
}

async function evaluate(source: Source): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
  });
  let value: unknown;
  try {
    const module = await jiti.import<Record<string, unknown>>(source.file);
    const exported = module.default ?? module.config;
    value = await (typeof exported === 'function' ? exported() : exported);
  } catch (error) {
    throw evaluationError(source, error);
  }
  if (value !== undefined) return value;
  throw new ConfigError('config.no_export', `${basename(source.file)} exports no config`, {
    at: { file: source.file, line: 1, column: 1 },
    hint: 'Write `export default defineConfig({ … })`.',
  });
}

function evaluationError(source: Source, error: unknown): ConfigError {
  const module = parseSyntax(source.text);
  if (module.type === 'failed') return syntaxError(source, module.problem);
  const reason = error instanceof Error ? error.message : String(error);
  return new ConfigError('config.evaluation', `${basename(source.file)} failed to run: ${reason}`, {
    at: { file: source.file, line: lineInStack(source.file, error) ?? 1, column: 1 },
    cause: error,
  });
}

function lineInStack(file: string, error: unknown): number | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const [, afterFile] = stack.split(`${file}:`);
  const line = Number.parseInt(afterFile ?? '', 10);
  return Number.isNaN(line) ? undefined : line;
}
