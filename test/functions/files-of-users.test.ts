import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig, parseConfig } from '../../src/config/load-config.ts';
import { capitals, makeFolder, runConfig } from './run-config.ts';

it('shows the file and the line of what a config imports', async () => {
  const folder = await makeFolder();
  const helper = `interface Row { n: number }\nexport function rowsOf(): Row[] {\n  throw new Error('no rows today');\n}\n`;
  await writeFile(join(folder, 'helper.ts'), helper);
  const config = `import { rowsOf } from './helper.ts';\nexport default { datasets: [{ rows: rowsOf() }] };\n`;
  await writeFile(join(folder, 'a.config.ts'), config);
  await expect(loadConfig(join(folder, 'a.config.ts'))).rejects.toMatchObject({
    code: 'config.evaluation',
    message: 'a.config.ts failed to run: no rows today',
    at: { file: join(folder, 'helper.ts'), line: 3 },
  });
});

it('shows the line of a scorer that throws, and leaves the row unscored', async () => {
  const folder = await makeFolder();
  const scorer = `export const score = (answer: string): boolean => {\n  if (answer === 'Lima') throw new Error('not Lima');\n  return true;\n};\n`;
  await writeFile(join(folder, 'scorer.ts'), scorer);
  const config = `import { score } from './scorer.ts';\nexport default {
    models: [{ abbr: 'app', version: '1', generate: ({ row }) => row.capital }],
    datasets: [{ ...${JSON.stringify(capitals())}, eval_cfg: { evaluator: [{ type: 'function', name: 'mine', score }] } }],
  };\n`;
  await writeFile(join(folder, 'b.config.ts'), config);
  const { rows } = await runConfig(await loadConfig(join(folder, 'b.config.ts')));
  expect(rows.map(({ outcome }) => outcome)).toEqual(['scored', 'scored', 'unscored']);
  expect(rows[2]?.reason).toMatch(/^the scorer failed: mine: not Lima \(.*scorer\.ts:2:\d+\)$/);
});

it('loads a provider of the AI SDK from a TypeScript file', async () => {
  const folder = await makeFolder();
  const provider = `
    interface Options { readonly answer: string }
    export function createMine({ answer }: Options) {
      const doGenerate = async () => ({
        content: [{ type: 'text' as const, text: answer }],
        finishReason: 'stop',
        usage: {},
      });
      return {
        languageModel: (modelId: string) =>
          ({ specificationVersion: 'v2', provider: 'mine', modelId, doGenerate }),
      };
    }`;
  await writeFile(join(folder, 'my-provider.ts'), provider);
  const model = {
    abbr: 'mine',
    type: 'AISDK',
    package: './my-provider.ts',
    model: 'm',
    options: { answer: 'Paris' },
  };
  const config = await parseConfig({ models: [model], datasets: [capitals()] } as never, {
    folder,
  });
  const { rows } = await runConfig(config);
  expect(rows.map(({ answer }) => answer)).toEqual(['Paris', 'Paris', 'Paris']);
});
