/** How a response goes wrong. `status` answers with an error; the others break a success. */
export type Fault =
  | {
      readonly type: 'status';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      /** The words of the error; `body` replaces the JSON around them. */
      readonly message?: string;
      readonly body?: string;
    }
  /** closes the connection with a reset instead of an answer */
  | { readonly type: 'reset' }
  /** never answers; with `afterHeaders` it sends the headers first */
  | { readonly type: 'hang'; readonly afterHeaders?: boolean }
  /** closes the connection in the middle of the body */
  | { readonly type: 'half-body' }
  | { readonly type: 'invalid-json' }
  /** sends the right answer under this content type */
  | { readonly type: 'content-type'; readonly contentType: string }
  | { readonly type: 'web-page' }
  | { readonly type: 'huge'; readonly bytes: number }
  /** waits before each piece of a stream */
  | { readonly type: 'slow-stream'; readonly pauseMs: number }
  /** ends a stream properly, but before the answer is complete */
  | { readonly type: 'cut-stream' }
  /** sends a whole stream, but leaves it open */
  | { readonly type: 'open-end' }
  /** reports an error after a successful status */
  | { readonly type: 'late-error'; readonly message: string; readonly code?: number }
  | { readonly type: 'no-usage' };

/** A fault for the prompts that contain a text, on the first `times` requests for each of them. */
interface FaultRule {
  readonly prompt?: string;
  readonly times?: number;
  readonly fault: Fault;
}

/** A fault that hits a share of the requests, drawn from the seed, the prompt and the attempt. */
interface FaultRate {
  readonly rate: number;
  readonly fault: Fault;
}

/** Options that can also be handed to a server in a process of its own. */
export interface PlainFaultServerOptions {
  readonly latencyMs?: number;
  /** The first rule that applies counts; they come before the rates. */
  readonly rules?: readonly FaultRule[];
  readonly rates?: readonly FaultRate[];
  readonly seed?: number;
  /** Refuses requests that do not carry this key. */
  readonly apiKey?: string;
  /** Thoughts that go with every answer, and the field that holds them. */
  readonly reasoning?: { readonly field: 'reasoning_content' | 'reasoning'; readonly text: string };
  /** Maximum tokens per answer to a request that names no limit. */
  readonly limit?: number;
  /** Keeps the requests for `stats`. */
  readonly record?: boolean;
}

export interface FaultServerOptions extends PlainFaultServerOptions {
  /** The answer to a prompt; by default the value of its last sum, or words drawn from it. */
  readonly answer?: (prompt: string) => string;
  /** What the server calls the model that answers a prompt; as it was asked by default. */
  readonly modelOf?: (prompt: string) => string;
  /** Speaks HTTPS with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export interface RecordedRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface FaultServerStats {
  readonly requests: number;
  /** How often each prompt was sent. */
  readonly byPrompt: Readonly<Record<string, number>>;
  readonly maxConcurrency: number;
  readonly connections: number;
  readonly recorded: readonly RecordedRequest[];
}

/** A running server. Ends with `await using`. */
export interface FaultServer extends AsyncDisposable {
  /** Address without a path, such as `http://127.0.0.1:40001`. */
  readonly url: string;
  stats(): Promise<FaultServerStats>;
}
