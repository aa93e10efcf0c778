import type { Compat } from '../compat/compat.ts';
import type { ConfigPath, SourceLocation } from '../errors.ts';
import type { GenerateFunction } from '../model/function-model.ts';
import type { Prefill } from '../model/request-body.ts';
import type { Tool } from '../model/tool.ts';
import type { Mapping } from '../prompt/mapping.ts';
import type { ShotsAs, TemplateConfig } from '../prompt/template.ts';
import type { Float, Row } from '../prompt/values.ts';
import type { RetrieverSettings } from '../retrieve/retriever.ts';
import type { Thinking } from '../score/split-thought.ts';
import type { DatasetGate, Gate } from './gate.ts';
import type { LoadedConfig } from './loaded-config.ts';
import type { ModelObject } from './model-schema.ts';
import type { inferencerTypes, modelTypes, retrieverTypes, templateTypes } from './type-names.ts';

/** A checked config. `source` of its parts is their path in the file, for places and messages. */
export interface Config {
  /** The config as it was written, for the places that messages name. */
  readonly written: LoadedConfig;
  /** Left out for a config that flags or a program spell. */
  readonly file?: string | undefined;
  /** What a config of another system is called, where it has no file of ours. */
  readonly name?: string | undefined;
  /** Relative paths are relative to this folder. */
  readonly folder: string;
  readonly compat?: Compat | undefined;
  readonly models: readonly ModelConfig[];
  /** The models as they judge, where flags change how they are evaluated. */
  readonly judges?: readonly ModelConfig[] | undefined;
  readonly datasets: readonly DatasetConfig[];
  readonly workDir?: string | undefined;
  /** Names of averages, each over the datasets with these abbrs. */
  readonly groups?: SummaryGroups | undefined;
  readonly seed?: number | undefined;
  /** What all results are held to. */
  readonly gate?: Gate | undefined;
  /** What the config does in an outdated way, and how it was read. */
  readonly notices: readonly Notice[];
}

export interface Notice {
  readonly message: string;
  /** The part of the config that it is about. */
  readonly path: ConfigPath;
  readonly at?: SourceLocation | undefined;
}

export interface ModelConfig {
  readonly source: ConfigPath;
  readonly abbr: string;
  /** Left out: no endpoint is set, and prompts can only be viewed. */
  readonly type?: (typeof modelTypes)[number] | 'object' | undefined;
  /** The function that answers, of a model of type `function`; or the file that exports it. */
  readonly generate?: GenerateFunction | undefined;
  readonly file?: string | undefined;
  readonly export?: string | undefined;
  /** A model that a program made, of type `object`. */
  readonly object?: ModelObject | undefined;
  /** Name of the model, or the file of recorded answers of a `Replay`. */
  readonly path?: string | undefined;
  /** The column of the rows that holds the answers of a `Replay`. */
  readonly answerColumn?: string | undefined;
  readonly model?: string | undefined;
  /** Tells answers apart that were given under one name; not sent. */
  readonly version?: string | undefined;
  /** The provider package of an `AISDK` model, and what its `create…` function takes. */
  readonly package?: string | undefined;
  readonly options?: Readonly<Record<string, unknown>> | undefined;
  readonly baseUrl?: string | undefined;
  /** Further endpoints that serve the same model. */
  readonly otherUrls?: readonly string[] | undefined;
  readonly apiKeyEnv?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** A name from the catalogue, or the format itself, as it stands in the file. */
  readonly metaTemplate?: unknown;
  readonly chatTemplate?: string | undefined;
  readonly chatTemplateName?: string | undefined;
  readonly tokenizer?: string | undefined;
  readonly maxSeqLen?: number | undefined;
  readonly maxOutLen?: number | undefined;
  /** Maximum concurrent requests. */
  readonly batchSize?: number | undefined;
  /** Maximum requests per second. */
  readonly maxRps?: number | undefined;
  /** Time limit per request, in seconds. */
  readonly timeout?: number | undefined;
  /** Maximum attempts per request. */
  readonly retries?: number | undefined;
  /** Streams answers. */
  readonly stream?: boolean | undefined;
  /** Whether the model takes media. */
  readonly vision?: boolean | undefined;
  /** The type of content part that carries audio; by default as in the template. */
  readonly audio?: 'audio_url' | 'input_audio' | undefined;
  /** How the model marks its thoughts. */
  readonly thinking?: Thinking | undefined;
  /** How a chat server goes on with the beginning of an answer; none is sent without it. */
  readonly prefill?: Prefill | undefined;
  /** Asked by evaluators only, and not evaluated itself. */
  readonly judge?: boolean | undefined;
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  readonly stop?: readonly string[] | undefined;
  readonly price?: Price | undefined;
  readonly gate?: Gate | undefined;
  readonly compat?: Compat | undefined;
}

/** Averages by their names. */
export type SummaryGroups = Readonly<Record<string, GroupMembers>>;

export interface GroupMembers {
  readonly datasets: readonly string[];
  /** What each of them counts for, where it is not the same. */
  readonly weights?: readonly number[] | undefined;
}

/** What a million tokens cost; what is not known is left out. */
export interface Price {
  readonly in?: number | undefined;
  readonly out?: number | undefined;
}

export interface DatasetConfig {
  readonly source: ConfigPath;
  readonly abbr: string;
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly rows: RowSource;
  /** The task that the dataset comes from, and the text of its template. */
  readonly stamp?: TemplateStamp | undefined;
  /** How often each row is asked, and which `pass@k` are reported. */
  readonly n?: number | undefined;
  readonly k?: readonly number[] | undefined;
  readonly media?: MediaConfig | undefined;
  /** How a task of lm-evaluation-harness is asked. */
  readonly lmEval?: LmEvalSettings | undefined;
  readonly readerCfg: ReaderConfig;
  readonly inferCfg: InferConfig;
  readonly evalCfg?: EvalConfig | undefined;
  readonly gate?: DatasetGate | undefined;
  /** The format that stands in for the model's own in a sweep. */
  readonly metaTemplate?: string | undefined;
}

export interface LmEvalSettings {
  /** The task as in its YAML file, with includes and groups resolved. */
  readonly config?: Mapping | undefined;
  readonly file?: string | undefined;
  readonly numFewshot?: number | undefined;
  readonly fewshotSeed?: number | undefined;
  readonly systemInstruction?: string | undefined;
  readonly applyChatTemplate?: boolean | undefined;
  readonly fewshotAsMultiturn?: boolean | undefined;
  readonly genKwargs?: Mapping | undefined;
  /** A file that exports functions, or the functions by their names. */
  readonly functions?:
    | string
    | Readonly<Record<string, (...given: never[]) => unknown>>
    | undefined;
}

export interface TemplateStamp {
  readonly task: string;
  readonly version: string;
  readonly hash: string;
  /** Which release of the original it follows, where the config chooses. */
  readonly dialect?: string | undefined;
}

/** Where rows come from: one file or list, or one for each split. Paths are relative to the config file. */
export type RowSource =
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'files'; readonly paths: Readonly<Record<string, string>> }
  | { readonly type: 'published'; readonly path: string; readonly published: Component }
  | { readonly type: 'inline'; readonly rows: readonly Row[] }
  | { readonly type: 'inline-splits'; readonly splits: Readonly<Record<string, readonly Row[]>> };

/** Which rows of a split are used: slices as text, a count, or a share. */
export type RowRange = string | number | Float;

/** How media are found and sent. */
export interface MediaConfig {
  readonly inline?: boolean | undefined;
  readonly maxBytes?: number | undefined;
  readonly allowOutside?: boolean | undefined;
}

export interface ReaderConfig {
  readonly inputColumns: readonly string[];
  /** The names of a file's columns, where it has no header line. */
  readonly columns?: readonly string[] | undefined;
  readonly outputColumn?: string | undefined;
  readonly trainSplit: string;
  readonly testSplit: string;
  readonly trainRange?: RowRange | undefined;
  readonly testRange?: RowRange | undefined;
  /** Rows with the same value in this column belong together. */
  readonly clusterBy?: string | undefined;
}

export interface InferConfig {
  readonly iceTemplate?: TemplateEntry | undefined;
  readonly promptTemplate?: TemplateEntry | undefined;
  readonly retriever: RetrieverConfig;
  /** The form of the examples; as the templates have it by default. */
  readonly shotsAs?: ShotsAs | undefined;
  /** What the model may call, and how often it may go on with what that gives. */
  readonly tools?: readonly Tool[] | undefined;
  readonly maxTurns?: number | undefined;
  /** The form of answers, as it is sent. */
  readonly responseFormat?: Readonly<Record<string, unknown>> | undefined;
  readonly inferencer: InferencerConfig;
}

/** A template as the prompt engine takes it, and its path. */
export interface TemplateEntry {
  readonly source: ConfigPath;
  readonly config: TemplateConfig & { readonly type: (typeof templateTypes)[number] };
}

/** What a retriever is set to, before its condition is compiled and its embedder opened. */
export interface RetrieverConfig extends Omit<RetrieverSettings, 'type' | 'where' | 'embedder'> {
  readonly source: ConfigPath;
  readonly type: (typeof retrieverTypes)[number];
  readonly iceSeparator?: string | undefined;
  readonly iceEosToken?: string | undefined;
  /** A condition on the rows that can be examples. */
  readonly where?: string | undefined;
  readonly embedder?: EmbedderConfig | undefined;
}

/** An endpoint for embeddings, or the folder of an encoder on this machine. */
export type EmbedderConfig = { readonly batchSize?: number | undefined } & (
  | {
      readonly baseUrl: string;
      readonly model: string;
      readonly apiKeyEnv?: string | undefined;
    }
  | { readonly path: string }
);

export interface InferencerConfig {
  readonly source: ConfigPath;
  readonly type: (typeof inferencerTypes)[number];
  readonly maxOutLen?: number | undefined;
  readonly maxOutLens?: readonly number[] | undefined;
  readonly minOutLen?: number | undefined;
  readonly maxSeqLen?: number | undefined;
  readonly batchSize?: number | undefined;
  readonly stoppingCriteria?: readonly string[] | undefined;
  /** Settings of generation that win over those of the model. */
  readonly generationKwargs?: Readonly<Record<string, unknown>> | undefined;
  readonly genFieldReplaceToken?: string | undefined;
  readonly keepTrailingSpaces?: boolean | undefined;
  readonly labels?: readonly unknown[] | undefined;
  readonly normalizingStr?: string | undefined;
  readonly inferMode?: 'every' | 'every_with_gt' | 'last' | undefined;
  readonly scSize?: number | undefined;
}

export interface EvalConfig {
  readonly evaluator: Component;
  /** The orders in which options are asked. */
  readonly circular?: 'rotations' | 'permutations' | undefined;
  readonly predRole?: string | undefined;
  /** One, or several that are tried in order. */
  readonly predPostprocessor?: Component | readonly Component[] | undefined;
  readonly datasetPostprocessor?: Component | readonly Component[] | undefined;
}

/** A part chosen by the name of its type, with options of its own. */
export interface Component {
  readonly type: string;
  readonly [option: string]: unknown;
}
