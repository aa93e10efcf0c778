/**
 * Typecase: an evaluation harness for language models that treats the prompt as the thing under
 * test.
 *
 * @module
 */
import { registerSuites } from './suites/index.ts';
import { configSources } from './tasks/sources.ts';

export { verifyBundle, type WrittenBundle, writeBundle } from './api/bundle.ts';
export { type CompareOptions, compareRuns } from './api/compare-runs.ts';
export {
  type EvaluateOptions,
  evaluate,
  type RunResult,
  type Selection,
} from './api/evaluate.ts';
export { type ExplainCacheOptions, explainCache } from './api/explain-cache.ts';
export {
  type ExportedRow,
  type ExportFormat,
  type ExportOptions,
  exportRows,
} from './api/export-rows.ts';
export { type LeaderboardOptions, type LeaderboardResult, rankRuns } from './api/leaderboard.ts';
export { type PlanOptions, planRun } from './api/plan-run.ts';
export { type RescoreOptions, rescore } from './api/rescore.ts';
export { type ShowOptions, showRow } from './api/show-row.ts';
export {
  type PrefixStudy,
  type PrefixStudyOptions,
  type StudiedDataset,
  studyPrefixCache,
} from './api/study-prefix-cache.ts';
export { type SweepOptions, type SweepResult, sweep } from './api/sweep.ts';
export type { GateOptions } from './api/with-gates.ts';
export { UsageError } from './base/usage-error.ts';
export type { Config, DatasetConfig, ModelConfig } from './config/config.ts';
export type {
  CheckInput,
  ConfigInput,
  DatasetInput,
  EvaluatorInput,
  ModelInput,
  PostprocessorInput,
} from './config/config-input.ts';
export { type ConfigFunction, defineConfig } from './config/define-config.ts';
export { loadConfig, type ParseOptions, parseConfig } from './config/load-config.ts';
export type { ConfigOverrides } from './config/override-config.ts';
export { ConfigProblemsError } from './config/problems.ts';
export type { LocatedDiagnostic } from './config/with-location.ts';
export type { RowStream } from './data/row-stream.ts';
export {
  ConfigError,
  type ConfigPath,
  DataError,
  formatPath,
  JudgeError,
  ModelError,
  RunError,
  RunFileError,
  type SourceLocation,
  TemplateError,
  TypecaseError,
} from './errors.ts';
export {
  type Evaluation,
  type JudgeRequest,
  type MaybePromise,
  type PlannedRequest,
  type RowPlan,
  type Task,
  type TracedPlan,
  type TracedRequest,
  untracePlan,
} from './evaluation/evaluation.ts';
export { type Evaluations, openEvaluations } from './evaluation/open-evaluations.ts';
export type { OpenOptions } from './evaluation/opening.ts';
export {
  type ChatTemplate,
  type ChatTemplateFormat,
  chatApiFormat,
  checkFields,
  checkValues,
  compileLabelPrompts,
  compilePrompt,
  createShotPool,
  type Diagnostic,
  Float,
  type FormatSettings,
  fillPrompt,
  formatOf,
  formatValue,
  joinSpans,
  type LabelProgram,
  loadChatTemplate,
  type Message,
  type MessagesPrompt,
  type MetaTemplate,
  type Mode,
  type ModelFormat,
  type NamedFormat,
  type NamedRow,
  namedFormats,
  type Origin,
  type PositionedRow,
  type Prompt,
  type PromptList,
  type PromptListItem,
  type PromptProgram,
  type PromptSettings,
  parseMetaTemplate,
  plainFormat,
  plainPromptList,
  type RoleFormat,
  type Row,
  type RowId,
  renderChatTemplate,
  type ShotPool,
  type Shots,
  type Span,
  type TemplateConfig,
  type TemplatePosition,
  type TextPrompt,
  type TracedMessage,
  type TracedMessages,
  type TracedPrompt,
  type TracedText,
  traceChatTemplate,
  tracePrompt,
  tracePromptList,
  untrace,
} from './exports/prompt.ts';
export {
  cachedEmbedder,
  createRetriever,
  type Embedder,
  findLeak,
  type Leak,
  type Query,
  type RetrieveFunction,
  type Retriever,
  type RetrieverContext,
  type RetrieverSettings,
} from './exports/retrieve.ts';
export * from './exports/stats.ts';
export { type AiSdkModelSettings, aiSdkModel } from './model/ai-sdk-model.ts';
export type { FailureKind } from './model/failure-kind.ts';
export {
  type FunctionAnswer,
  type FunctionModelSettings,
  type FunctionRequest,
  functionModel,
  type GenerateFunction,
} from './model/function-model.ts';
export { type LocalModelSettings, localModel } from './model/local/local-model.ts';
export type {
  Loglikelihood,
  LoglikelihoodResult,
  LoglikelihoodText,
  TextLogprobs,
} from './model/loglikelihood.ts';
export { loglikelihoodsOf } from './model/loglikelihoods-of.ts';
export {
  type Ability,
  type AnswerStep,
  type FinishReason,
  type GenerateOptions,
  type GenerateRequest,
  type GenerateResult,
  type Model,
  requireAbilities,
} from './model/model.ts';
export { type OpenAiEmbedderSettings, openAiEmbedder } from './model/openai-embedder.ts';
export { type OpenAiModelSettings, openAiModel } from './model/openai-model.ts';
export { replayModel } from './model/replay-model.ts';
export type { Tool, ToolContext, ToolFunction } from './model/tool.ts';
export type { Usage } from './model/usage.ts';
export type { PromptFunction, PromptInput, PromptMessage } from './prompt/prompt-function.ts';
export type { ToolCall } from './prompt/tool-call.ts';
export {
  brokenGates,
  type CompareGates,
  type DropLimit,
  type WrittenDrop,
} from './report/compare/compare-gates.ts';
export type { ExecuteOptions } from './run/execute-evaluations.ts';
export type { RetryKinds } from './run/resume.ts';
export type { RunControl, RunProgress } from './run/run-control.ts';
export {
  openRun,
  type RowSelection,
  type StoredRow,
  type StoredRun,
} from './run/store/open-run.ts';
export type { RowRecord } from './run/store/row-record.ts';
export type { RunFile } from './run/store/run-file.ts';
export type {
  CostSummary,
  GateResult,
  GroupResult,
  RunSummary,
  TaskResult,
} from './run/summary.ts';
export {
  type ReportOptions,
  type WrittenReport,
  writeReport,
} from './server/viewer/export/write-report.ts';
export type { BundleCheck, BundleVerification } from './study/bundle/verify-bundle.ts';
export type { EvaluationExplanation, RowExplanation } from './study/cache/explain-rows.ts';
export type { Comparison, TaskComparison } from './study/compare/comparison.ts';
export type { Leaderboard } from './study/leaderboard/leaderboard.ts';
export type { PlanAssumptions, RunPlan } from './study/plan/estimate.ts';
export type { TaskPlan } from './study/plan/plan-evaluation.ts';
export type { PartOrder, PartOrders } from './study/prefix-cache/part-orders.ts';
export {
  type CachedRequest,
  type PrefixCacheSettings,
  type PrefixSavings,
  simulatePrefixCache,
} from './study/prefix-cache/prefix-cache.ts';
export type {
  BlockPoint,
  OrderCurve,
  PrefixCurves,
  RequestOrder,
  SizePoint,
} from './study/prefix-cache/prefix-curves.ts';
export type { AskedAgain, ShownRow } from './study/show/shown-row.ts';
export type { SweepAxes } from './study/sweep/axes.ts';
export type { SweepSummary } from './study/sweep/sweep-summary.ts';
export type {
  BundleOutput,
  CacheOutput,
  CommandOutput,
  CompareOutput,
  ExplainOutput,
  FailedOutput,
  LeaderboardOutput,
  ListOutput,
  PlanOutput,
  RunOutput,
  ShowOutput,
  SweepOutput,
  ViewOutput,
} from './terminal/output-types.ts';

registerSuites();
configSources.promptfoo = () => import('./import/promptfoo/read-promptfoo.ts');
