import type { Pooling } from './encoder-graph.ts';
import type { EngineSettings } from './open-engine.ts';
import type {
  ScoreRequest,
  SequenceScores,
  TokenRequest,
  Written,
  WrittenToken,
} from './requests.ts';
import type { Trial } from './try-graph.ts';

/** What the worker is started with. */
export type WorkerSettings = EngineSettings;

/** What is asked of the worker. `id` is the request's number. */
export type Order =
  | { readonly type: 'score'; readonly id: number; readonly sequences: readonly ScoreRequest[] }
  | { readonly type: 'write'; readonly id: number; readonly request: TokenRequest }
  | {
      readonly type: 'embed';
      readonly id: number;
      readonly sequences: readonly Int32Array[];
      readonly pooling: Pooling;
    }
  | { readonly type: 'cancel'; readonly id: number }
  | { readonly type: 'close' };

/** What a model turned out to be. */
export type EngineFacts = ({ readonly type: 'causal' } & Trial) | { readonly type: 'encoder' };

/** What the worker tells. */
export type Notice =
  | { readonly type: 'opened'; readonly facts: EngineFacts }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'scored'; readonly id: number; readonly scores: readonly SequenceScores[] }
  | { readonly type: 'tokens'; readonly tokens: readonly NumberedToken[] }
  | ({ readonly type: 'written'; readonly id: number } & Written)
  | { readonly type: 'embedded'; readonly id: number; readonly vectors: readonly Float32Array[] }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

export interface NumberedToken extends WrittenToken {
  readonly id: number;
}
