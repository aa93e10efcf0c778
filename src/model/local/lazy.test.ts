import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');

/** What a process has loaded after it ran this code: modules and native libraries. */
function loadedBy(code: string): string {
  const script = `
    import { createRequire } from 'node:module';
    ${code}
    const { cache } = createRequire(import.meta.url);
    const natives = process.report.getReport().sharedObjects;
    console.log(JSON.stringify([...Object.keys(cache), ...natives]));
  `;
  const args = ['--import', 'tsx', '--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
}

const heavy = /onnxruntime/;

test('the library does not load ONNX Runtime', () => {
  expect(loadedBy(`await import('./src/index.ts');`)).not.toMatch(heavy);
});

test('nor does a command that asks no local model', () => {
  const code = `await (await import('./src/cli/commands.ts')).commands.find(({ name }) => name === 'view').load();`;
  expect(loadedBy(code)).not.toMatch(heavy);
});

test('a local model does when it is opened', () => {
  const path = join(import.meta.dirname, 'fixtures/causal');
  const code = `
    const { localModel } = await import('./src/model/local/local-model.ts');
    await localModel({ path: ${JSON.stringify(path)} });
  `;
  expect(loadedBy(code)).toMatch(heavy);
});
