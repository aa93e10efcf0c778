import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { configTypes } from '../scripts/config-types.ts';
import { outputSchema } from '../scripts/output-schema.ts';

test('the schema of what commands print is that of its types', () => {
  const written = readFileSync(new URL('../schema/output.schema.json', import.meta.url), 'utf8');
  expect(JSON.parse(written), 'run `npx tsx scripts/write-schema.ts`').toEqual(outputSchema());
});

test('the types of configs are those of the schema', () => {
  const written = readFileSync(new URL('../src/config/config-input.ts', import.meta.url), 'utf8');
  expect(written, 'run `npx tsx scripts/write-schema.ts`').toBe(configTypes());
});

const asked = "infer_cfg: { prompt_template: { template: '{q}' } }";
const mistakes = [
  [`{ rows: [], reader_cfg: { input_columns: ['q'] }, ${asked} }`, "'output_column' is missing"],
  [`{ rows: [], reader_cfg: { output_column: 'a' }, ${asked} }`, "'input_columns' is missing"],
  [`{ rows: [], ${asked} }`, "'reader_cfg' is missing"],
  [
    "{ rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' } }",
    "'infer_cfg' is missing",
  ],
  ["{ task: 'arithmetic', reader_cfg: { input_colums: ['q'] } }", "'input_colums' does not exist"],
] as const;

const checked = (evaluator: string) =>
  `{ rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' }, ${asked}, eval_cfg: { evaluator: ${evaluator} } }`;
const slips = [
  [checked("[{ type: 'contains', valu: 'x' }]"), "'valu' does not exist"],
  [checked("[{ type: 'tool-called', args: {} }]"), "'args' does not exist"],
  [checked("[{ type: 'exact' }, { type: 'not-contans' }]"), '\'"not-contans"\' is not assignable'],
  [checked("[{ type: 'contains', weight: '2' }]"), "'string' is not assignable to type 'number'"],
  [
    `{ rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' }, infer_cfg: { prompt_template: { template: '{q}' }, tools: [{ description: 'x' }] } }`,
    "'name' is missing",
  ],
] as const;

test('compilers name what is wrong in one of several checks, and a tool without a name', () => {
  const lines = slips.map(([dataset]) => `defineConfig({ datasets: [${dataset}] });`);
  const fine = [
    checked("[{ type: 'contains', value: 'x', weight: 2 }] as const"),
    checked("{ type: 'contains', value: 'x' }"),
    `{ rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' }, infer_cfg: { prompt_template: { template: '{q}' }, tools: [{ type: 'function', function: { name: 'x' } }] } }`,
  ].map((dataset) => `defineConfig({ datasets: [${dataset}] });`);
  const text = ["import { defineConfig } from './define-config.ts';", ...lines, ...fine].join('\n');
  const found = diagnose(text);
  expect([...found.keys()]).toEqual(slips.map((_, index) => index + 1));
  for (const [index, [, words]] of slips.entries()) {
    expect(found.get(index + 1)?.toLowerCase()).toContain(words.toLowerCase());
  }
}, 60_000);

test('compilers name the key of a dataset that is missing', () => {
  const lines = mistakes.map(([dataset]) => `defineConfig({ datasets: [${dataset}] });`);
  const text = ["import { defineConfig } from './define-config.ts';", ...lines].join('\n');
  const found = diagnose(text);
  expect([...found.keys()]).toEqual(mistakes.map((_, index) => index + 1));
  for (const [index, [, words]] of mistakes.entries()) {
    expect(found.get(index + 1)).toContain(words);
    expect(found.get(index + 1)).not.toContain("'task'");
  }
}, 60_000);

/** What a compiler says of a file beside the types of configs, by line. */
function diagnose(text: string): Map<number, string> {
  const file = fileURLToPath(new URL('../src/config/written-by-a-test.ts', import.meta.url));
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts'],
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.getSourceFile = (name, ...rest) =>
    name === file
      ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022)
      : getSourceFile(name, ...rest);
  host.fileExists = (name) => name === file || fileExists(name);
  host.readFile = (name) => (name === file ? text : readFile(name));
  const program = ts.createProgram([file], options, host);
  const source = program.getSourceFile(file);
  return new Map(
    program
      .getSemanticDiagnostics(source)
      .map(({ start = 0, messageText }) => [
        source?.getLineAndCharacterOfPosition(start).line ?? 0,
        ts.flattenDiagnosticMessageText(messageText, '\n'),
      ]),
  );
}

const inDataset = (parts: string) =>
  `{ rows: [], reader_cfg: { input_columns: ['q'], output_column: 'a' }, ${parts} }`;
const completed = [
  ["models: [{ type: '|' }]", ['OpenAI', 'AISDK', 'Local', 'function']],
  ["models: [{ type: 'OpenAI', meta_template: '|' }]", ['chatml', 'llama3']],
  ["models: [{ type: 'OpenAI', | }]", ['base_url', 'api_key_env', 'price']],
  [
    `datasets: [${inDataset(`${asked}, eval_cfg: { evaluator: { type: '|' } }`)}]`,
    ['exact', 'contains', 'not-contains', 'judge'],
  ],
  [
    `datasets: [${inDataset(`${asked}, eval_cfg: { evaluator: [{ type: '|' }] }`)}]`,
    ['json-schema', 'not-refusal', 'tool-called', 'llm-rubric'],
  ],
  [
    `datasets: [${inDataset(`${asked}, eval_cfg: { evaluator: [{ type: 'length', | }] }`)}]`,
    ['max', 'min', 'weight', 'threshold'],
  ],
  [
    `datasets: [${inDataset("infer_cfg: { prompt_template: { template: '{q}' }, retriever: { type: '|' } }")}]`,
    ['RandomRetriever', 'BM25Retriever'],
  ],
  [
    `datasets: [${inDataset("infer_cfg: { prompt_template: { template: '{q}' }, inferencer: { type: '|' } }")}]`,
    ['GenInferencer', 'SCInferencer'],
  ],
] as const;

test('editors complete types, evaluators, retrievers, formats and keys', () => {
  const file = fileURLToPath(new URL('../src/config/written-by-a-test.ts', import.meta.url));
  let text = '';
  let version = 0;
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    types: ['node'],
    allowImportingTsExtensions: true,
    noEmit: true,
    strict: true,
    skipLibCheck: true,
  };
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: (name) => (name === file ? String(version) : '0'),
    getScriptSnapshot: (name) => {
      const read = name === file ? text : ts.sys.readFile(name);
      return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? text : ts.sys.readFile(name)),
  });
  for (const [written, wanted] of completed) {
    const marked = `import { defineConfig } from './define-config.ts';\ndefineConfig({ ${written} });`;
    const place = marked.indexOf('|');
    text = marked.replace('|', '');
    version += 1;
    const found = service.getCompletionsAtPosition(file, place, {})?.entries ?? [];
    const names = found.map(({ name }) => name);
    expect(names, written).toEqual(expect.arrayContaining([...wanted]));
  }
}, 120_000);
