import { importProblems } from './import-rules.ts';
import { importsIn, isTest, readSource, sourceFiles } from './source-imports.ts';

const files = sourceFiles().filter((file) => !isTest(file));
const imports = files.flatMap((file) => importsIn(readSource(file), file));
const problems = importProblems({ files: new Set(files), imports });
for (const problem of problems) console.error(problem);
process.exit(problems.length === 0 ? 0 : 1);
