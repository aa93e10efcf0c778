import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { globSync } from 'tinyglobby';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sub-paths of the package whose functions all have examples. */
export const subPaths = ['prompt', 'retrieve', 'score', 'stats', 'report'] as const;
type SubPath = (typeof subPaths)[number];

/** The `@example` of a public function. */
export interface Example {
  readonly subPath: SubPath;
  readonly name: string;
  /** Undefined where there is none. */
  readonly code: string | undefined;
}

/** What examples take from outside. */
const given = `
declare const summary: import('./src/exports/report.ts').RunSummary;
declare const sweep: import('./src/exports/report.ts').SweepSummary;
declare const signal: AbortSignal;
declare const folder: string;
`;

/** The examples of all public functions; what the compiler has to say of them and of pages. */
export function readExamples(): { examples: readonly Example[]; problems: readonly string[] } {
  const options = readOptions();
  const files = new Map<string, string>();
  const program = ts.createProgram(subPaths.map(indexOf), options);
  const examples = subPaths.flatMap((subPath) => examplesOf(program, subPath));
  for (const { subPath, name, code } of examples) {
    if (code !== undefined) files.set(`${root}${subPath}.${name}.ts`, sourceOf(program, code));
  }
  for (const [name, code] of pagePrograms()) files.set(`${root}${name}`, code);
  const host = ts.createCompilerHost(options);
  const { fileExists, getSourceFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists(file);
  host.getSourceFile = (file, ...rest) => {
    const text = files.get(file);
    if (text === undefined) return program.getSourceFile(file) ?? getSourceFile(file, ...rest);
    return ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  };
  const checked = ts.createProgram([...files.keys()], options, host);
  const problems = [...files.keys()].flatMap((file) => {
    const source = checked.getSourceFile(file);
    return [
      ...checked.getSyntacticDiagnostics(source),
      ...checked.getSemanticDiagnostics(source),
    ].map(
      ({ messageText }) =>
        `${file.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
  });
  return { examples, problems };
}

/** The programs of pages that import the package, each as a file of the project. */
function pagePrograms(): [string, string][] {
  return globSync(['README.md', 'docs/**/*.md']).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```ts.*\n([\s\S]*?)^```$/gm)]
      .map(([, code = '']) => code)
      .filter((code) => /from 'typecase/.test(code))
      .map((code, index): [string, string] => [`${page.replaceAll('/', '.')}.${index}.ts`, code]),
  );
}

function readOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const paths = {
    typecase: ['./src/index.ts'],
    'typecase/vitest': ['./src/vitest/matchers.ts'],
    'typecase/*': ['./src/exports/*.ts'],
  };
  return { ...options, paths, noUnusedLocals: false };
}

function indexOf(subPath: SubPath): string {
  return `${root}src/exports/${subPath}.ts`;
}

function examplesOf(program: ts.Program, subPath: SubPath): Example[] {
  const checker = program.getTypeChecker();
  return exportsOf(program, subPath).flatMap((symbol) => {
    const declaration = symbol.valueDeclaration;
    if (!declaration || !ts.isFunctionDeclaration(declaration)) return [];
    const comments = ts.getJSDocCommentsAndTags(declaration).filter(ts.isJSDoc);
    const text = comments.at(-1)?.getText() ?? '';
    const example = /^ \* @example\n((?: \*(?: (?!@).*)?\n)+)/m.exec(text)?.[1];
    const name = checker.symbolToString(symbol);
    return [{ subPath, name, code: example?.replaceAll(/^ \* ?/gm, '').trim() }];
  });
}

function exportsOf(program: ts.Program, subPath: SubPath): ts.Symbol[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(indexOf(subPath));
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`src/exports/${subPath}.ts exports nothing`);
  return checker
    .getExportsOfModule(module)
    .map((symbol) =>
      symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol,
    );
}

/** An example as a module that imports what it uses. */
function sourceOf(program: ts.Program, code: string): string {
  const imports = subPaths.map((subPath) => {
    const names = exportsOf(program, subPath)
      .filter(({ flags }) => flags & ts.SymbolFlags.Value)
      .map(({ name }) => name)
      .filter((name) => new RegExp(`\\b${name}\\b`).test(code));
    return names.length > 0 ? `import { ${names} } from './src/exports/${subPath}.ts';` : '';
  });
  return `${imports.join('\n')}\n${given}\nasync function example() {\n${code}\n}\nexport {};\n`;
}
