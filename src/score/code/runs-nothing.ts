import { parse } from '@babel/parser';

const definitions = new Set([
  'FunctionDeclaration',
  'ClassDeclaration',
  'ImportDeclaration',
  'EmptyStatement',
]);

/** Whether JavaScript holds definitions alone, so that running it tests nothing. */
export function runsNothing(tests: string): boolean {
  try {
    const { program } = parse(tests, {
      sourceType: 'unambiguous',
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
    });
    return program.body.every(({ type }) => definitions.has(type));
  } catch {
    return false;
  }
}
