/** What is used of a package that has no types of its own. */
declare module 'nunjucks' {
  export interface Node {
    readonly typename: string;
    readonly fields: readonly string[];
    readonly value?: unknown;
    readonly name?: unknown;
    readonly [field: string]: unknown;
  }

  export type Root = (
    environment: object,
    context: object,
    frame: object,
    runtime: object,
    ended: (error: unknown, text?: string) => void,
  ) => void;

  interface Nunjucks {
    readonly Environment: new (
      loaders: readonly never[],
      options: { readonly autoescape: boolean },
    ) => {
      readonly opts: object;
      readonly globals: Readonly<Record<string, unknown>>;
      getFilter(name: string): (...given: unknown[]) => unknown;
      getTest(name: string): (...given: unknown[]) => unknown;
    };
    readonly parser: { parse(source: string, extensions: readonly never[], options: object): Node };
    readonly compiler: {
      compile(
        source: string,
        asyncFilters: readonly never[],
        extensions: readonly never[],
        name: string,
        options: object,
      ): string;
    };
    readonly runtime: {
      readonly Frame: new () => { topLevel: boolean };
      readonly SafeString: new (text: string) => { toString(): string };
    };
  }

  const nunjucks: Nunjucks;
  // biome-ignore lint/style/noDefaultExport: the package has one
  export default nunjucks;
}
