import type { VersionStamp } from '../../tasks/versions/version-stamp.ts';
import type { SavedRun } from '../score/recorded-run.ts';

/** What `run.json` says beyond what scoring needs. Old or changed files may lack any of it. */
export interface RecordedDetails {
  readonly typecase?: string;
  /** Where the command was started, and the way there from the folder of the run. */
  readonly folder?: string;
  readonly folderFromRun?: string;
  /** Left out for runs without a config file. */
  readonly configSha256?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly models?: readonly {
    readonly name: string;
    readonly identity?: unknown;
    readonly compat?: string;
  }[];
  readonly datasets?: readonly RecordedDataset[];
  readonly data?: readonly {
    readonly dataset: string;
    readonly files?: readonly { readonly name: string; readonly sha256: string }[];
  }[];
  /** The named templates of tasks that were used, with the hashes of their texts. */
  readonly templates?: readonly (VersionStamp & { readonly dataset: string })[];
}

export interface RecordedDataset {
  readonly abbr: string;
  readonly evalCfg?: unknown;
  readonly inferCfg?: { readonly inferencer?: { readonly type?: string } };
  readonly [key: string]: unknown;
}

export function detailsOf({ recorded }: SavedRun): RecordedDetails {
  return recorded as object;
}

/** The hashes of the files that a data set was read from. */
export function dataHashes({ data = [] }: RecordedDetails, dataset: string): readonly string[] {
  return data.find((entry) => entry.dataset === dataset)?.files?.map(({ sha256 }) => sha256) ?? [];
}

/** The named template that a data set was asked with, if it has a name. */
export function stampOf(
  { templates = [] }: RecordedDetails,
  dataset: string,
): VersionStamp | undefined {
  return templates.find((template) => template.dataset === dataset);
}
