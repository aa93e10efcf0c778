import type { RowId } from '../../prompt/origin.ts';
import type { Row } from '../../prompt/values.ts';
import type { EvaluationName } from '../../run/store/open-run.ts';
import { fileName } from '../../run/store/run-folder.ts';

/** `manifest.json` of a bundle: what is inside, by content. */
export interface BundleManifest {
  readonly format: 1;
  /** Version of Typecase that wrote it. */
  readonly typecase: string;
  /** Name of the run. */
  readonly run: string;
  readonly evaluations: readonly BundledEvaluation[];
  /** All other files. */
  readonly files: readonly BundledFile[];
}

export interface BundledFile {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

export interface BundledEvaluation extends EvaluationName {
  /** Rows that there are records of. */
  readonly rows: number;
  /** Rows that there were to be; left out in bundles of older versions. */
  readonly total?: number | undefined;
  readonly requests: number;
  /** Whether the prompts were made by a chat template, which is then inside. */
  readonly hasChatTemplate: boolean;
}

/** A request of a row, as it was sent. */
export interface BundledRequest {
  readonly id: number;
  readonly part?: number | undefined;
  readonly key: string;
  /** Hash of the prompt. */
  readonly prompt: string;
  /** Hash of the row as it was asked: its options may be in another order. */
  readonly row: string;
  readonly examples?: readonly RowId[] | undefined;
  /** What was sent. For loglikelihoods that may be several requests: then it is all of them. */
  readonly body: string;
  /** What stands before the body in what the key is a hash of, for loglikelihoods. */
  readonly before?: string | undefined;
}

/** A row that was asked about. */
export interface BundledRow {
  readonly id: RowId;
  readonly position: number;
  readonly row: Row;
}

/** What a judge said, by the key of what it was asked. */
export interface BundledVerdict {
  readonly key: string;
  readonly text: string;
}

export const manifestName = 'manifest.json';

/** What there is of each evaluation, in lines of JSON. */
export type LineKind = 'log' | 'requests' | 'rows' | 'samples' | 'examples' | 'verdicts';

/** The folder of an evaluation in a bundle. */
export function folderOf({ model, dataset }: EvaluationName): string {
  return `${fileName(model)}/${fileName(dataset)}`;
}

/** Lines are kept in files of a size that can be opened. */
export function lineFile(name: EvaluationName, kind: LineKind, number: number): string {
  return `${folderOf(name)}/${kind}.${number}.jsonl`;
}

export function chatTemplateFile(name: EvaluationName): string {
  return `${folderOf(name)}/tokenizer_config.json`;
}
