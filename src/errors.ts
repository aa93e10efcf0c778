/** Where in a file a problem is. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The place in the config that takes this in, where it stands in the file of a task. */
  readonly usedBy?: SourceLocation;
}

/** Path of keys and indexes inside a config, such as `['datasets', 0, 'infer_cfg']`. */
export type ConfigPath = readonly (string | number)[];

export interface ErrorDetails {
  readonly hint?: string | undefined;
  readonly path?: ConfigPath | undefined;
  readonly at?: SourceLocation | undefined;
  readonly cause?: unknown;
}

const marker = Symbol.for('typecase.error');

/** Base class of all errors that Typecase throws on purpose: what is wrong, where, and what to do. */
export class TypecaseError extends Error {
  readonly code: string;
  readonly hint: string | undefined;
  readonly path: ConfigPath | undefined;
  readonly at: SourceLocation | undefined;
  readonly [marker] = true;

  constructor(code: string, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = details.hint;
    this.path = details.path;
    this.at = details.at;
  }

  /** Recognises the error even when two copies of the package are loaded. */
  static isInstance(value: unknown): value is TypecaseError {
    return typeof value === 'object' && value !== null && marker in value;
  }
}

/** The same error at a place. Not made by its class: constructors differ. */
export function atPlace<Thrown extends TypecaseError>(
  error: Thrown,
  place: Pick<ErrorDetails, 'path' | 'at'>,
): Thrown {
  return copyOf(error, { message: error.message, ...place });
}

function copyOf<Thrown extends TypecaseError>(
  error: Thrown,
  { message, ...changed }: Pick<ErrorDetails, 'path' | 'at'> & { readonly message: string },
): Thrown {
  const { cause, stack } = error;
  const copy = new Error(message, cause === undefined ? undefined : { cause });
  Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  return Object.assign(copy, { ...error, ...changed, stack }) as Thrown;
}

export class ConfigError extends TypecaseError {}
export class TemplateError extends TypecaseError {}
export class DataError extends TypecaseError {}

export interface ModelErrorDetails extends ErrorDetails {
  /** HTTP status of the answer, if there was one. */
  readonly status?: number | undefined;
  /** Whether the same request may succeed later. */
  readonly retryable: boolean;
  /** How long the server asks to wait before the next request. */
  readonly retryAfterMs?: number | undefined;
  /** The address that was asked, without user name, password and secret parameters. */
  readonly url?: string | undefined;
}

/** A model could not be used, or did not answer. */
export class ModelError extends TypecaseError {
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly url: string | undefined;

  constructor(code: string, message: string, details: ModelErrorDetails) {
    super(code, message, details);
    this.status = details.status;
    this.retryable = details.retryable;
    this.retryAfterMs = details.retryAfterMs;
    this.url = details.url;
  }
}

/** The same error of a model, saying which one of the config it is. */
export function ofModel<Thrown>(
  error: Thrown,
  model: { readonly abbr: string; readonly source: ConfigPath } | undefined,
): Thrown {
  if (!(error instanceof ModelError) || error.path || !model) return error;
  const message = `\`${model.abbr}\`: ${error.message}`;
  return copyOf(error, { message, path: model.source });
}

export class RunError extends TypecaseError {}

/** A request did not go out, because the run ends. */
export class NotSentError extends RunError {}
/** A run ended before it would cost more than it may. */
export class CostLimitError extends NotSentError {}
/** A judge gave no verdict on an answer; the answer is kept. */
export class JudgeError extends RunError {
  /** Whether it will fail for all other answers as well. */
  readonly endsRun: boolean;

  constructor(
    code: string,
    message: string,
    { endsRun, ...details }: ErrorDetails & { readonly endsRun: boolean },
  ) {
    super(code, message, details);
    this.endsRun = endsRun;
  }
}

/** The run folder cannot be read. */
export class RunFileError extends RunError {}

/** Formats a config path for people: `datasets[0].infer_cfg.prompt_template`, `--model.base_url`. */
export function formatPath(path: ConfigPath): string {
  let text = '';
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`;
    else if (text === '' && key.startsWith('--')) text = key;
    else if (/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(key)) text += text === '' ? key : `.${key}`;
    else text += `[${JSON.stringify(key)}]`;
  }
  return text;
}
