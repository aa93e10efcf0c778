import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { waysApart, works } from './apart.ts';
import { findExecutable } from './find-executable.ts';
import { languages } from './languages.ts';
import { findPython } from './prepare-language.ts';
import { runInSandbox, type Sandbox } from './sandbox.ts';

const { signal } = new AbortController();
const shell = await findExecutable('sh');
const isLinux = process.platform === 'linux';
const python = isLinux ? await findExecutable('python3') : undefined;
const interpreter = python ? (await findPython()).file : '';

const all = isLinux ? await waysApart(shell) : [];
const working = (await Promise.all(all.map(works))).flatMap((isGood, index) => {
  const apart = all[index];
  return isGood && apart ? [apart] : [];
});
/** With bubblewrap, with namespaces alone, and with nothing: as machines differ. */
const strictest = working.slice(0, 1);
const other = working.find((apart) => apart.isolatesFiles && !strictest.includes(apart)) ?? [];
const ways: [name: string, sandbox: Sandbox][] = [
  ...[...strictest, other].flat().map((apart): [string, Sandbox] => {
    return [`with ${apart.command('').slice(0, 2).join(' ')}`, { apart, shell }];
  }),
  ['with nothing', { apart: undefined, shell }],
];

const elsewhere = mkdtempSync(join(tmpdir(), 'typecase-elsewhere-'));
afterAll(() => rmSync(elsewhere, { recursive: true }));

async function runPython(sandbox: Sandbox, answer: string, memoryMb = 256) {
  const { ended, report, code, output } = await runInSandbox(sandbox, {
    interpreter,
    program: languages.python.program({ answer, tests: 'assert True', memoryMb }),
    limits: { timeoutMs: 10_000, memoryMb },
    signal,
  });
  return { ended, outcome: report?.outcome, detail: report?.detail, code, output };
}

describe.skipIf(!python).each(ways)('%s', (_name, sandbox) => {
  const isolatesFiles = sandbox.apart?.isolatesFiles ?? false;

  test('an ordinary program runs, with files, children and memory of its own', async () => {
    const ran = await runPython(
      sandbox,
      `import multiprocessing, subprocess, sys, tempfile
with open('a.txt', 'w') as file: file.write('x' * 1000)
with tempfile.TemporaryFile() as file: file.write(b'y')
assert subprocess.run([sys.executable, '-c', 'print(6 * 7)'], capture_output=True).stdout == b'42\\n'
with multiprocessing.get_context('fork').Pool(4) as pool: assert pool.map(abs, [-1, 2]) == [1, 2]
kept = bytearray(150 << 20)
assert sys.stdin.read() == ''`,
    );
    expect(ran).toMatchObject({ ended: 'itself', outcome: 'passed' });
  });

  test('memory that is shared counts', async () => {
    const ran = await runPython(
      sandbox,
      `import mmap, time
kept = mmap.mmap(-1, 2 << 30)
for at in range(0, 2 << 30, 4096): kept[at] = 1
time.sleep(1)`,
    );
    expect(ran).toMatchObject({ ended: 'memory', outcome: undefined });
  });

  test('files in memory count, mapped or not, once', async () => {
    const hold = (files: number) => `import mmap, os, time
files = [os.memfd_create('kept') for _ in range(${files})]
for file in files: os.write(file, b'x' * (30 << 20))
view = mmap.mmap(files[0], 30 << 20)
read = [view[at] for at in range(0, 30 << 20, 4096)]
if os.fork() == 0:
    time.sleep(0.5)
    os._exit(0)
time.sleep(0.5)`;
    expect(await runPython(sandbox, hold(12))).toMatchObject({ ended: 'memory' });
    // 210 MB of files, which two processes hold, and one of which both map, within 256 MB.
    expect(await runPython(sandbox, hold(7))).toMatchObject({ ended: 'itself', outcome: 'passed' });
  });

  test('memory of children counts, and that which they have in common counts once', async () => {
    const children = (size: number, count: number) => `import os, time
kept = b'x' * (${size} << 20) if ${count} == 2 else b''
for _ in range(${count}):
    if os.fork() == 0:
        own = kept or b'x' * (${size} << 20)
        time.sleep(0.4)
        os._exit(0)
for _ in range(${count}): os.wait()`;
    expect(await runPython(sandbox, children(100, 6))).toMatchObject({ ended: 'memory' });
    expect(await runPython(sandbox, children(140, 2))).toMatchObject({ outcome: 'passed' });
  });

  test('processes are limited, those that left their group included', async () => {
    const ran = await runPython(
      sandbox,
      `import os, time
for _ in range(60):
    if os.fork() == 0:
        os.setsid()
        time.sleep(8.25)
        os._exit(0)
time.sleep(8)`,
    );
    expect(ran).toMatchObject({ ended: 'processes', outcome: undefined });
  });

  test('the disk is limited', async () => {
    const ran = await runPython(
      sandbox,
      `import time
for part in range(24):
    with open(f'{part}', 'wb') as file: file.write(b'x' * (10 << 20))
time.sleep(1)`,
    );
    expect(ran.outcome).not.toBe('passed');
    expect(ran).toMatchObject(isolatesFiles ? { outcome: 'error' } : { ended: 'disk' });
  });

  test.runIf(isolatesFiles)('other folders are read-only, and stay so', async () => {
    const ran = await runPython(
      sandbox,
      `import os, subprocess
written = []
for folder in ['${elsewhere}', '/tmp', '/var/tmp', '/', os.path.expanduser('~'), '..', '/dev', '/run']:
    subprocess.run(['mount', '-o', 'remount,bind,rw', folder], capture_output=True)
    try:
        with open(folder + '/typecase-planted', 'wb') as file: file.write(b'x' * (10 << 20))
        written.append(folder)
    except OSError: pass
raise ValueError(written)`,
    );
    expect(readdirSync(elsewhere)).toEqual([]);
    // What is made for the program alone, such as its devices, is no folder of the machine.
    expect(ran.detail).toMatch(/^ValueError: \[('\/dev')?\]$/);
  });

  test.runIf(sandbox.apart)(
    'no other process can be seen, nor the environment of any',
    async () => {
      vi.stubEnv('PLANTED_KEY', 'sk-planted-key-4711');
      const ran = await runPython(
        sandbox,
        `import os, subprocess
pids = [name for name in os.listdir('/proc') if name.isdigit()]
shown = subprocess.run('cat /proc/[0-9]*/environ', shell=True, capture_output=True).stdout
raise ValueError(len(pids), b'PLANTED_KEY' in shown, os.path.exists('/proc/${process.pid}/fd/3'), sorted(os.environ))`,
      );
      vi.unstubAllEnvs();
      const [, count, isShown] = /\((\d+), (\w+), /.exec(ran.detail ?? '') ?? [];
      expect(Number(count)).toBeLessThan(8);
      expect(isShown).toBe('False');
      expect(ran.detail).toMatch(/\[('LC_CTYPE', )?'TYPECASE_CHECK'\]/);
    },
  );
});
