/** Checks the type declarations of the built package, as projects with other settings see them. */
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('..', import.meta.url));
const { Node16, NodeNext, Bundler } = ts.ModuleResolutionKind;
const resolutions = [
  { name: 'node16', module: ts.ModuleKind.Node16, moduleResolution: Node16 },
  { name: 'nodenext', module: ts.ModuleKind.NodeNext, moduleResolution: NodeNext },
  { name: 'bundler', module: ts.ModuleKind.ESNext, moduleResolution: Bundler },
];

const problems = resolutions.flatMap(({ name, module, moduleResolution }) => {
  const program = ts.createProgram([`${root}test/package/use-types.ts`], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
  });
  const own = program
    .getSourceFiles()
    .filter(({ fileName }) => /^(dist|test)\//.test(fileName.slice(root.length)));
  return own
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ])
    .map(({ file, messageText }) => {
      const text = ts.flattenDiagnosticMessageText(messageText, ' ');
      return `${name}: ${file?.fileName.slice(root.length)}: ${text}`;
    });
});
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
