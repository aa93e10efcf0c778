import { hintForName } from '../base/nearest-name.ts';
import { ConfigError, type ConfigPath, formatPath } from '../errors.ts';
import type { Embedder } from './embeddings/embedder.ts';
import type {
  LabelLosses,
  RetrieveFunction,
  RetrieverContext,
  RetrieverSettings,
} from './retriever.ts';

interface Given {
  readonly settings: RetrieverSettings;
  readonly context: RetrieverContext;
}

/** What some retrievers cannot do without; each part is refused when it is asked for and missing. */
export function neededParts({ settings, context }: Given): NeededParts {
  const { type } = settings;
  const { path } = context;
  const need = <Part>(part: Part | undefined, missing: MissingPart): Part => {
    if (part !== undefined) return part;
    const { code = 'config.missing_key', what, hint } = missing;
    throw new ConfigError(code, `${formatPath(path)}: ${type} needs ${what}`, { path, hint });
  };
  return {
    get embedder() {
      return need(settings.embedder, {
        what: 'an `embedder`',
        hint: 'Add `embedder: { base_url: http://127.0.0.1:8001/v1, model: NAME }`, or `{ path: FOLDER }`.',
      });
    },
    get k() {
      return need(settings.k, { what: '`k`', hint: 'Add `k`: how many rows a window holds.' });
    },
    get retrieve() {
      return need(settings.retrieve, {
        what: 'a function `retrieve`',
        hint: 'In a TypeScript config, add `retrieve: (row, pool) => [pool[0].id]`.',
      });
    },
    get outputColumn() {
      return need(context.outputColumn, {
        what: 'an `output_column`, whose values are the classes',
        hint: 'Set `output_column` in reader_cfg.',
      });
    },
    get labelLosses() {
      return need(context.labelLosses, {
        code: 'retrieve.loglikelihood_needed',
        what: 'a model that gives loglikelihoods, to compare the labels by',
        hint: 'Use such a model, or a TopkRetriever or DPPRetriever.',
      });
    },
  };
}

interface NeededParts {
  readonly embedder: Embedder;
  readonly k: number;
  readonly retrieve: RetrieveFunction;
  readonly outputColumn: string;
  readonly labelLosses: LabelLosses;
}

interface MissingPart {
  readonly code?: string;
  readonly what: string;
  readonly hint: string;
}

export function unknownRetriever(
  type: string,
  known: readonly string[],
  path: ConfigPath,
): ConfigError {
  const names = ['ZeroRetriever', 'FixKRetriever', ...known];
  return new ConfigError(
    'config.unknown_type',
    `${formatPath([...path, 'type'])}: unknown retriever \`${type}\``,
    { path: [...path, 'type'], hint: hintForName(type, { names, kind: 'Retrievers' }) },
  );
}
