import { randomUUID } from 'node:crypto';
import { contentHash } from '../base/content-hash.ts';
import type { DatasetConfig, ModelConfig } from '../config/config.ts';
import { ConfigError, formatPath } from '../errors.ts';
import type { Model } from '../model/model.ts';
import type { ToolLoop } from '../model/tool.ts';

/** How often a model is asked for one answer, unless the config says otherwise. */
const defaultTurns = 10;

/** What requests of a dataset have because of its tools. */
export interface DatasetTools {
  /** What is sent with every request. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Left out where no tool has a function. */
  readonly loop?: ToolLoop | undefined;
  /** Whether a function has no version. */
  readonly isUnversioned: boolean;
}

/** The tools of a dataset, and the form that its answers have to have. */
export function toolsOf(
  { inferCfg }: DatasetConfig,
  { model, modelConfig }: { readonly model: Model; readonly modelConfig: ModelConfig | undefined },
): DatasetTools {
  const { tools = [], responseFormat, maxTurns = defaultTurns, inferencer } = inferCfg;
  const path = [...inferCfg.retriever.source.slice(0, -1), 'tools'];
  const { type } = modelConfig ?? {};
  const takesText = model.takes === 'text' || type === 'OpenAICompletions' || type === 'Local';
  if (tools.length > 0 && takesText) {
    throw new ConfigError(
      'model.ability_missing',
      `${formatPath(path)} are tools, but \`${modelConfig?.abbr ?? model.name}\` takes text, which cannot carry tool calls`,
      { path, hint: 'Use a chat model: `type: OpenAI`, `type: AISDK` or a function.' },
    );
  }
  const own = tools.filter(({ run }) => run);
  if (own.length > 0 && inferencer.type !== 'GenInferencer') {
    throw new ConfigError(
      'config.conflicting_keys',
      `${formatPath(path)} have functions, which ${inferencer.type} does not call`,
      { path, hint: 'Use GenInferencer, or leave out `run`.' },
    );
  }
  const isUnversioned = own.some(({ version }) => version === undefined);
  const functions = own.map(({ name, version, run }) => [name, version ?? null, run]);
  return {
    settings: {
      ...(tools.length > 0 && { tools: tools.map(wireTool) }),
      ...(responseFormat && { response_format: responseFormat }),
    },
    ...(own.length > 0 && {
      loop: {
        tools,
        maxTurns,
        identity: contentHash([functions, maxTurns, isUnversioned ? randomUUID() : null]),
      },
    }),
    isUnversioned,
  };
}

function wireTool({ name, description, parameters }: ToolLoop['tools'][number]): object {
  return {
    type: 'function',
    function: {
      name,
      ...(description !== undefined && { description }),
      parameters: parameters ?? { type: 'object', properties: {} },
    },
  };
}
