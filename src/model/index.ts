export { type AiSdkModelSettings, aiSdkModel } from './ai-sdk-model.ts';
export {
  type Ability,
  type FinishReason,
  type GenerateOptions,
  type GenerateRequest,
  type GenerateResult,
  type Model,
  requireAbilities,
  type Usage,
} from './model.ts';
export { type OpenAiEmbedderSettings, openAiEmbedder } from './openai-embedder.ts';
export { type OpenAiModelSettings, openAiModel } from './openai-model.ts';
export { replayModel } from './replay-model.ts';
