import { basename } from 'node:path';
import { settled } from '../base/settled.ts';
import { thrownPlace } from '../base/thrown-place.ts';
import { ConfigError } from '../errors.ts';
import { moduleRoot } from './module-places.ts';
import { parseSyntax } from './module-syntax.ts';
import type { ParsedSource, Source, SourceNode } from './source-location.ts';
import { syntaxError } from './syntax-error.ts';

/** How long a config may wait for something before it is there. */
const defaultLimitMs = 120_000;

/** Runs a TypeScript or JavaScript config; takes its default export, or that named `config`. */
export async function parseModule(
  source: Source,
  limitMs: number = defaultLimitMs,
): Promise<ParsedSource> {
  const value = await evaluate(source, limitMs);
  let root: SourceNode | undefined;
  return {
    value,
    root: () => {
      root ??= moduleRoot(source.text);
      return root;
    },
  };
}

async function evaluate(source: Source, limitMs: number): Promise<unknown> {
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, {
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
  });
  let value: unknown;
  try {
    value = await inTime(
      jiti.import<Record<string, unknown>>(source.file).then((module) => {
        const exported = module.default ?? module.config;
        return typeof exported === 'function' ? exported() : exported;
      }),
      limitMs,
    );
  } catch (error) {
    throw evaluationError(source, error);
  }
  if (value !== undefined) return value;
  throw new ConfigError('config.no_export', `${basename(source.file)} exports no config`, {
    at: { file: source.file, line: 1, column: 1 },
    hint: 'Write `export default defineConfig({ … })`.',
  });
}

/** What a config gives, unless it awaits something that never settles, or not in time. */
async function inTime(promise: Promise<unknown>, limitMs: number): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise((_, reject) => {
    const reason = `it awaits something that takes longer than ${limitMs / 1000} s`;
    timer = setTimeout(() => reject(new Error(reason)), limitMs).unref();
  });
  const never = () => new Error('it awaits something that never settles');
  try {
    return await settled(Promise.race([promise, tooLate]), never);
  } finally {
    clearTimeout(timer);
  }
}

/** A file that the config imports cannot be parsed: what is wrong, and where. */
const placeInMessage = /^(.*)\n\s*(\/\S.*?|[A-Za-z]:\\\S.*?):(\d+):\d+\s*$/;

function evaluationError(source: Source, error: unknown): ConfigError {
  const module = parseSyntax(source.text);
  if (module.type === 'failed') return syntaxError(source, module.problem);
  const written = error instanceof Error ? error.message : String(error);
  const parsed = placeInMessage.exec(written);
  const reason = parsed?.[1]?.replace(/^ParseError: /, '').trim() ?? written;
  const place = parsed
    ? { file: parsed[2] ?? source.file, line: Number(parsed[3]) }
    : thrownPlace(error);
  return new ConfigError('config.evaluation', `${basename(source.file)} failed to run: ${reason}`, {
    // Lines are those of the file; columns are those of what was made of it.
    at: { file: place?.file ?? source.file, line: place?.line ?? 1, column: 1 },
    cause: error,
  });
}
