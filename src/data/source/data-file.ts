/** A file on this machine that holds rows, and where it came from. */
export interface DataFile {
  readonly path: string;
  /** Path or address without secrets, as messages name it. */
  readonly name: string;
  /** Known without reading the file if it came from the cache. */
  readonly sha256?: string | undefined;
  readonly revision?: string | undefined;
  /** One pass over the bytes; a chunk is valid until the next is asked for. */
  readonly chunks?: () => AsyncIterable<Buffer>;
}
