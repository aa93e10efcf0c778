/** A request as `view --json` shows it. */
export interface ShownRequest {
  /** Which of several requests of a row it is: a turn, a sample, an order of options. */
  readonly part?: number | string;
  readonly url?: string;
  /** What is asked, where it has no address. */
  readonly to?: string;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface ShownSpan {
  readonly text: string;
  readonly media?: object;
}

export interface ShownMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[];
}

export interface ShownPrompt {
  readonly prompt:
    | { readonly type: 'text'; readonly text: string }
    | { readonly type: 'messages'; readonly messages: readonly ShownMessage[] };
  readonly spans:
    | readonly ShownSpan[]
    | readonly { readonly role: string; readonly spans: readonly ShownSpan[] }[];
  readonly request: ShownRequest | null;
}

/** One row of one dataset on one model. */
export interface ShownRow {
  readonly model: string | null;
  readonly dataset: string;
  readonly row: { readonly index: number; readonly id: number };
  readonly prompts: readonly ShownPrompt[];
  readonly request?: ShownRequest;
  /** All that the row sends, as far as it is known. */
  readonly requests: readonly ShownRequest[];
  /** What a judge is asked about the answers of the row. */
  readonly judge?: readonly ShownRequest[];
  /** Why there is nothing to show. */
  readonly error?: object;
}

/** `typecase view --json`. */
export interface ViewDocument {
  readonly views: readonly ShownRow[];
}

/** `typecase plan --json`. */
export interface PlanDocument {
  readonly tasks: readonly {
    readonly model: string;
    readonly dataset: string;
    readonly send: number;
    readonly judge?: { readonly requests: number };
    readonly otherJudges?: readonly { readonly requests: number }[];
  }[];
  readonly total: { readonly send: number };
}

/** `typecase run --json`. */
export interface RunDocument {
  readonly complete: boolean;
  readonly results: readonly {
    readonly model: string;
    readonly dataset: string;
    readonly rows: {
      readonly total: number;
      readonly unscored: number;
      readonly failed: number;
      readonly missing: number;
    };
    /** Where each row is asked several times. */
    readonly samples?: { readonly unscored: number };
    readonly reasons: readonly { readonly reason: string; readonly rows: number }[];
    readonly requests: { readonly sent: number };
  }[];
}
