import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { table } from './table.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The entries of the package, by what they are imported as; names of an earlier one are not repeated. */
const entries = {
  'typecase/prompt': 'src/exports/prompt.ts',
  'typecase/retrieve': 'src/exports/retrieve.ts',
  'typecase/score': 'src/exports/score.ts',
  'typecase/report': 'src/exports/report.ts',
  'typecase/stats': 'src/exports/stats.ts',
  'typecase/vitest': 'src/vitest/matchers.ts',
  typecase: 'src/index.ts',
};

interface Exported {
  readonly name: string;
  readonly declaration: ts.Declaration;
}

/** The pages of everything that the package exports, by their paths under docs/reference. */
export function libraryPages(): ReadonlyMap<string, string> {
  const program = createProgram();
  const seen = new Set<ts.Declaration>();
  const pages = new Map<string, string>();
  const lists = new Map<string, string>();
  for (const [entry, file] of Object.entries(entries)) {
    const all = exportsOf(program, `${root}${file}`);
    const own = all.filter(({ declaration }) => !seen.has(declaration));
    const page = `library/${entry.replace('typecase/', '')}.md`;
    for (const { declaration } of own) seen.add(declaration);
    pages.set(page, pageText(entry, own));
    lists.set(entry, listText(entry, page, own));
  }
  const order = ['typecase', ...Object.keys(entries).filter((entry) => entry !== 'typecase')];
  pages.set('library.md', `${intro}\n${order.map((entry) => lists.get(entry)).join('\n')}`);
  return pages;
}

const intro = `# Library

Everything that the package exports, generated from its types and doc comments (\`npm run reference\`). The
[guide](../guides/library.md) shows how the parts fit together. \`typecase\` also exports everything of
\`typecase/prompt\`, \`typecase/retrieve\` and \`typecase/stats\`.
`;

function createProgram(): ts.Program {
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = Object.values(entries).map((file) => `${root}${file}`);
  return ts.createProgram(files, options);
}

function exportsOf(program: ts.Program, file: string): Exported[] {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (!module) throw new Error(`${file} exports nothing`);
  const found = checker.getExportsOfModule(module).flatMap((symbol): Exported[] => {
    const target = symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const declaration = target.valueDeclaration ?? target.declarations?.[0];
    return declaration ? [{ name: symbol.name, declaration }] : [];
  });
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The functions of an entry, each with the first sentence of its comment. */
function listText(entry: string, page: string, own: readonly Exported[]): string {
  const rows = own
    .filter(({ declaration }) => !isType(declaration))
    .map(({ name, declaration }) => [
      `[\`${name}\`](${page}#${name.toLowerCase()})`,
      /^.*?[.:](?=\s|$)/s.exec(commentOf(declaration).text)?.[0].replace(/[.:]$/, '') ?? '',
    ]);
  return `## ${entry}\n\n${table(['', ''], rows)}\n\nTypes: [${entry}](${page}#types).\n`;
}

function pageText(entry: string, own: readonly Exported[]): string {
  const values = own.filter(({ declaration }) => !isType(declaration));
  const types = own.filter(({ declaration }) => isType(declaration));
  const declarations = types.map(({ declaration }) => declarationText(declaration));
  return [
    `# ${entry}`,
    `Generated from the source; all entries are on the page [Library](../library.md).`,
    ...values.map(valueText),
    '## Types',
    `\`\`\`ts\n${declarations.join('\n\n')}\n\`\`\``,
  ]
    .join('\n\n')
    .concat('\n');
}

function isType(node: ts.Declaration): boolean {
  return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
}

function valueText({ name, declaration }: Exported): string {
  const { text, example } = commentOf(declaration);
  return [
    `## ${name}`,
    ...(text === '' ? [] : [text]),
    `\`\`\`ts skip\n${signatureOf(declaration)}\n\`\`\``,
    ...(example === undefined ? [] : [`\`\`\`ts skip\n${example}\n\`\`\``]),
  ].join('\n\n');
}

function commentOf(node: ts.Node): { text: string; example: string | undefined } {
  const owner = ts.isVariableDeclaration(node) ? node.parent.parent : node;
  const comment = ts.getJSDocCommentsAndTags(owner).filter(ts.isJSDoc).at(-1)?.getText() ?? '';
  const lines = comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''));
  const [text = '', ...tags] = lines.join('\n').split(/^@(?=\w)/m);
  const example = tags
    .find((tag) => tag.startsWith('example'))
    ?.replace(/^example\s*\n/, '')
    .trim();
  return { text: text.trim().replaceAll(/\{@link (\w+)\}/g, '`$1`'), example };
}

/** A declaration without its body. */
function signatureOf(node: ts.Declaration): string {
  if (ts.isFunctionDeclaration(node)) return functionText(node);
  if (ts.isVariableDeclaration(node))
    return `const ${node.name.getText()}${node.type ? `: ${node.type.getText()}` : ''}`;
  if (ts.isClassDeclaration(node))
    return (
      node
        .getText()
        .split('{')[0]
        ?.replace(/^export /, '')
        .trim() ?? ''
    );
  return node.getText();
}

function functionText(node: ts.FunctionDeclaration): string {
  const overloads = node.parent
    .getChildren()
    .flatMap((list) => list.getChildren())
    .filter(ts.isFunctionDeclaration)
    .filter((other) => other.name?.text === node.name?.text && !other.body);
  return (overloads.length > 0 ? overloads : [node])
    .map((one) =>
      one.getText().slice(0, one.body ? one.body.getStart() - one.getStart() : undefined),
    )
    .map((text) =>
      text
        .replace(/^export /, '')
        .replace(/^async /, '')
        .trim()
        .replace(/;?$/, ';'),
    )
    .join('\n');
}

function declarationText(node: ts.Declaration): string {
  const comment = ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc).at(-1)?.getText();
  const text = node.getText().replace(/^export /, '');
  const isOfConfig = node.getSourceFile().fileName.endsWith('/config-input.ts');
  // What a config holds has a page of its own.
  if (isOfConfig && text.length > 1000)
    return `${text.split(/[={]/)[0]}= … // see reference/config.md`;
  return comment ? `${comment}\n${text}` : text;
}
