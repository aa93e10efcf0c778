import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Canonical } from './canonical.ts';
import { PythonConfigError, PythonLoader } from './load-python.ts';

const samples = join(import.meta.dirname, '..', '..', '..', 'test', 'vectors', 'import', 'samples');
const folder = mkdtempSync(join(tmpdir(), 'typecase-python-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function load(root: string, file: string): Promise<string> {
  const loader = await PythonLoader.open(root, {});
  return new Canonical(loader.files.folder).ofConfig(loader.load(file));
}

const hostile = readdirSync(join(samples, 'hostile')).filter((file) => file.endsWith('.py'));

test('there are hostile configs', () => {
  expect(hostile.length).toBeGreaterThanOrEqual(40);
});

test.each(hostile.filter((file) => !file.startsWith('h34')))(
  '%s is refused, with its line',
  async (file) => {
    const error = await load(samples, `hostile/${file}`).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PythonConfigError);
    const { at } = error as PythonConfigError;
    expect(at?.file).toMatch(/^hostile\/h\d\d_/);
    expect(at?.line).toBeGreaterThan(0);
    expect(existsSync('/tmp/zorp-was-here')).toBe(false);
    expect(existsSync(join(samples, 'zorp.txt'))).toBe(false);
  },
);

test('keys that JavaScript treats specially are keys like others', async () => {
  expect(await load(samples, 'hostile/h34_proto_pollution.py')).toBe(
    '{"d":{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}},"e":{"__proto__":{"polluted":true}},"hasOwnProperty":1}',
  );
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

test('a link out of the tree is not followed', async () => {
  const root = join(folder, 'linked');
  mkdirSync(root);
  writeFileSync(join(folder, 'secret.txt'), 'secret');
  writeFileSync(join(folder, 'secret.py'), 'x = 1');
  symlinkSync(join(folder, 'secret.txt'), join(root, 'inside.txt'));
  symlinkSync(join(folder, 'secret.py'), join(root, 'base.py'));
  writeFileSync(join(root, 'reads.py'), "x = open('inside.txt').read()");
  writeFileSync(join(root, 'exists.py'), "import os\nx = os.path.exists('inside.txt')");
  writeFileSync(
    join(root, 'takes.py'),
    'from mmengine.config import read_base\nwith read_base():\n    from .base import x',
  );
  await expect(load(root, 'reads.py')).rejects.toMatchObject({ pythonType: 'PermissionError' });
  expect(await load(root, 'exists.py')).toBe('{"x":false}');
  await expect(load(root, 'takes.py')).rejects.toMatchObject({ pythonType: 'ConfigParsingError' });
  await expect(load(root, 'base.py')).rejects.toMatchObject({ pythonType: 'PermissionError' });
});

test('no variable of the environment is seen unless it was let through', async () => {
  process.env.TYPECASE_TEST_SECRET = 'secret';
  writeFileSync(
    join(folder, 'environment.py'),
    "import os\nx = os.environ.get('TYPECASE_TEST_SECRET')\ny = os.getenv('OPEN', 'd')\nz = dict(os.environ)\nw = 'PATH' in os.environ",
  );
  expect(await load(folder, 'environment.py')).toBe('{"x":null,"y":"d","z":{},"w":false}');
  const loader = await PythonLoader.open(folder, { OPEN: 'o' });
  expect(new Canonical(folder).ofConfig(loader.load('environment.py'))).toContain('"y":"o"');
  expect([...loader.files.missing]).toContain('TYPECASE_TEST_SECRET');
  delete process.env.TYPECASE_TEST_SECRET;
});

test.each([
  [
    'shared parts that would be written out',
    'a = ["x"]\nfor i in range(30):\n    a = [a, a]\nb = str(a)',
  ],
  ['shared parts in the config itself', 'a = ["x"]\nfor i in range(40):\n    a = [a, a]'],
  [
    'equal shared parts',
    'a = b = ["x"]\nfor i in range(40):\n    a = [a, a]\n    b = [b, b]\nc = a == b',
  ],
  [
    'a handler that swallows everything',
    'while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass',
  ],
  ['keys without end', 'd = {}\nwhile True:\n    d[str(len(d))] = "x" * 1000'],
  ['a deep sum', `x = ${'1+'.repeat(20_000)}1`],
  ['a deep expression', `x = ${'-'.repeat(50_000)}1`],
  ['a text that is replaced by longer ones', 'a = "a"\nwhile True:\n    a = a.replace("a", "aa")'],
  ['a long row of appends', 'a = []\nwhile True:\n    a.append(a)'],
  ['a width', 'x = f"{1:1000000000}"'],
  ['a number from text', 'x = int("9" * 1000000)'],
])('%s: bounded', async (_, source) => {
  writeFileSync(join(folder, 'bounded.py'), source);
  await expect(load(folder, 'bounded.py')).rejects.toBeInstanceOf(PythonConfigError);
});
