import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Canonical } from './canonical.ts';
import { PythonConfigError, PythonLoader } from './load-python.ts';
import { configPromptHash } from './prompt-hash.ts';

const folder = mkdtempSync(join(tmpdir(), 'typecase-load-'));
afterAll(() => rmSync(folder, { recursive: true }));
let count = 0;

/** Writes a tree of files and loads one of them. */
async function load(files: Readonly<Record<string, string>>, file = 'a.py') {
  const root = join(folder, String(count++));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  const loader = await PythonLoader.open(root);
  const config = loader.load(file);
  return { config, text: new Canonical(loader.files.folder).ofConfig(config) };
}

test.each([
  ["x = {'a': None}.get('a', 5)", '{"x":null}'],
  ['n = None\nx = n', '{"n":null,"x":null}'],
  ['def f(n=None):\n    return n\nx = f()', '{"x":null}'],
  ['x = next(iter([]), None)', '{"x":null}'],
  ['x = [1, 2, 3][-2:]\ny = "héllo"[1:3]', '{"x":[2,3],"y":"él"}'],
  [
    'x = 2**64\ny = -(2**53)',
    '{"x":{"$int":"18446744073709551616"},"y":{"$int":"-9007199254740992"}}',
  ],
  ['x = 7 // -2\ny = -7 % 3\nz = 1 / 4', '{"x":-4,"y":2,"z":0.25}'],
  [
    'def g():\n    for i in range(3):\n        yield i\n    yield from [7]\nx = list(g())',
    '{"x":[0,1,2,7]}',
  ],
  ['x = [i for i in range(3) if (last := i) >= 0]', '{"last":2,"x":[0,1,2]}'],
  [
    'def f():\n    n = 0\n    def g():\n        nonlocal n\n        n += 1\n        return n\n    return [g(), g()]\nx = f()',
    '{"x":[1,2]}',
  ],
  ['x = sorted({"b", "a"})', '{"x":["a","b"]}'],
  ['x = any(v for v in [0, 1]) and all([])', '{"x":true}'],
  ['try:\n    x = {}["k"]\nexcept KeyError as e:\n    x = str(e)', '{"x":"\'k\'"}'],
  ['x = "%s|%5.1f|%(a)s" if 0 else "%s|%5.1f" % ("a", 2)', '{"x":"a|  2.0"}'],
  ['x = list(zip("ab", [1, 2]))\ny = dict(x)', '{"x":[["a",1],["b",2]],"y":{"a":1,"b":2}}'],
  ['x = eval("1 + 2")', '{"x":3}'],
  ['x = (lambda *a, k=1, **o: [a, k, o])(1, 2, z=3)', '{"x":[[1,2],1,{"z":3}]}'],
  ['from math import exp\nx = round(exp(1), 3)', '{"x":2.718}'],
])('%s', async (source, expected) => {
  const { text } = await load({ 'a.py': source });
  const parsed = JSON.parse(text) as Record<string, unknown>;
  for (const [name, value] of Object.entries(JSON.parse(expected) as Record<string, unknown>)) {
    expect(parsed[name]).toEqual(value);
  }
});

test.each([
  ['x = 1\ny = z', 'NameError', 2, 5],
  ["é = 1; x = 'a' + 1", 'TypeError', 1, 12],
  ['x = dict(a=1，b=2)', 'SyntaxError', 1, 13],
  ['def f():\n    return {}["k"]\nx = f()', 'KeyError', 2, 12],
  ['for k in {"a": 1}.items():\n    raise ValueError(k)', 'ValueError', 2, 5],
  ['d = {"a": 1}\nfor k in d:\n    d[k + "x"] = 1', 'RuntimeError', 2, 1],
  ['return 1', 'SyntaxError', 1, 1],
  ['x = 08', 'SyntaxError', 1, 5],
  ['a, b = 1, 2, 3', 'ValueError', 1, 1],
])('%s is a %s at its place', async (source, type, line, column) => {
  const error = await load({ 'a.py': source }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(PythonConfigError);
  expect(error).toMatchObject({ pythonType: type, at: { file: 'a.py', line, column } });
});

test('an error in a base names the base', async () => {
  const files = {
    'a.py': 'from mmengine.config import read_base\nwith read_base():\n    from .b.c import x\n',
    'b/c.py': 'from z import Q\nx = nothing\n',
  };
  await expect(load(files)).rejects.toMatchObject({ at: { file: 'b/c.py', line: 2, column: 5 } });
});

test('configs that name their bases in `_base_` inherit', async () => {
  const { text } = await load({
    'base.py': "model = dict(type='A', depth=dict(n=1, m=2))\nkept = 1",
    'a.py': "_base_ = './base.py'\nmodel = dict(depth=dict(n=5))\nother = {{ _base_.model.depth }}",
  });
  expect(JSON.parse(text)).toEqual({
    model: { type: 'A', depth: { n: 5, m: 2 } },
    kept: 1,
    other: { n: 1, m: 2 },
  });
});

test('the prompt hash is over what is asked, with the numbers of examples at the inferencer', async () => {
  const entry = (abbr: string, ids: string) =>
    `dict(abbr='${abbr}', path='p', infer_cfg=dict(retriever=dict(type=R${ids}), inferencer=dict(type='G'), t='é'))`;
  const hash = async (source: string) =>
    configPromptHash((await load({ 'a.py': `from m import R\n${source}` })).config);
  const one = await hash(`x_datasets = [${entry('a', ', fix_id_list=[0, 1]')}]`);
  expect(one).toMatch(/^[0-9a-f]{64}$/);
  expect(await hash(`x_datasets = [${entry('b', ', fix_id_list=[0, 1]')}]`)).toBe(one);
  expect(await hash(`x_datasets = [${entry('a', '')}]`)).not.toBe(one);
  expect(
    await hash(
      "x_datasets = [dict(infer_cfg=dict(inferencer=dict(type='G', fix_id_list=[0, 1]), retriever=dict(type='m.R'), t='é'))]",
    ),
  ).toBe(one);
  expect(await hash('datasets = []')).toBeUndefined();
});
