import { givesLogits } from './cache-layout.ts';
import { CausalEngine } from './causal-engine.ts';
import { CausalGraph } from './causal-graph.ts';
import { EncoderGraph } from './encoder-graph.ts';
import { bytesPerToken } from './kv-block.ts';
import { openSession } from './runtime.ts';
import { type Trial, tryGraph } from './try-graph.ts';

/** A model's weights, and what its folder says of them. */
export interface EngineSettings {
  readonly weights: string;
  /** What `config.json` holds. */
  readonly config: unknown;
  /** The most rows of a batch. */
  readonly batchSize: number;
}

export type OpenedEngine =
  | {
      readonly type: 'causal';
      readonly engine: CausalEngine;
      readonly trial: Trial;
      readonly release: () => Promise<void>;
    }
  | {
      readonly type: 'encoder';
      readonly graph: EncoderGraph;
      /** The most sequences of a batch. */
      readonly batchSize: number;
      readonly release: () => Promise<void>;
    };

/** Loads a model and finds out what it is. Fails with an `Error` that says what is wrong. */
export async function openEngine(settings: EngineSettings): Promise<OpenedEngine> {
  const { session, runtime } = await openSession(settings.weights);
  if (!givesLogits(session)) {
    const graph = new EncoderGraph(session, runtime);
    const batchSize = (await graph.allowsCompany()) ? settings.batchSize : 1;
    return { type: 'encoder', graph, batchSize, release: () => graph.release() };
  }
  const graph = new CausalGraph(session, runtime, settings.config);
  const trial = await tryGraph(graph);
  const engine = new CausalEngine(graph, limitsOf(graph, trial, settings));
  return { type: 'causal', engine, trial, release: () => graph.release() };
}

const batchBytes = 64 * 2 ** 20;
const keptBytes = 128 * 2 ** 20;
const logitBytes = 64 * 2 ** 20;
/** A batch has room for some sequences however large the model is. */
const minTokens = 2048;
/** More tokens at once are hardly faster, and keep other requests waiting. */
const maxNewTokens = 512;

function limitsOf(
  graph: CausalGraph,
  { vocabulary, allowsPadding, readsBranches }: Trial,
  { batchSize }: EngineSettings,
) {
  const perToken = bytesPerToken(graph.shape);
  const newTokens = Math.floor(logitBytes / (4 * vocabulary));
  return {
    rows: batchSize,
    newTokens: Math.max(16, Math.min(newTokens, maxNewTokens)),
    cacheTokens: Math.max(minTokens, Math.floor(batchBytes / perToken)),
    keptTokens: Math.max(minTokens, Math.floor(keptBytes / perToken)),
    allowsPadding,
    packsSuffixes: readsBranches && batchSize > 1,
  };
}
