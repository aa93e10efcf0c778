import { javascriptProgram, type Program, type ProgramParts, pythonProgram } from './harness.ts';

export const languageNames = ['python', 'javascript'] as const;
export type LanguageName = (typeof languageNames)[number];

export interface Language {
  /** What fenced blocks of the language are marked with. */
  readonly tags: readonly string[];
  readonly program: (parts: ProgramParts) => Program;
  /** What stands before a name that is defined. */
  readonly definers: readonly string[];
  /** A program that asks for far more memory than it may have. */
  readonly greedy: string;
}

export const languages: Readonly<Record<LanguageName, Language>> = {
  python: {
    tags: ['python', 'py', 'python3'],
    program: pythonProgram,
    definers: ['def', 'class'],
    greedy: 'bytearray(1 << 30)',
  },
  javascript: {
    tags: ['javascript', 'js', 'mjs', 'cjs', 'node'],
    program: javascriptProgram,
    definers: ['function', 'class', 'const', 'let', 'var'],
    greedy: 'globalThis.kept = Buffer.alloc(2 ** 30, 1);',
  },
};
