/** A problem in the template's text, found before anything is rendered. */
export class LoadFailure extends Error {
  readonly kind: string;
  readonly offset: number;

  constructor(kind: string, offset: number, message: string) {
    super(message);
    this.kind = kind;
    this.offset = offset;
  }
}

/** The template called `raise_exception`. */
export class Refusal extends Error {}

export function syntaxFailure(offset: number, message: string): LoadFailure {
  return new LoadFailure('syntax', offset, message);
}
