import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { unknownCommand } from '../src/base/usage-error.ts';
import { commands } from '../src/cli/commands.ts';
import { parseArguments } from '../src/terminal/parse-arguments.ts';
import { foreignOptions } from '../src/terminal/run/run-options.ts';

const described = await Promise.all(
  commands.map(async (entry) => ({ entry, command: (await entry.describe())() })),
);

afterEach(() => vi.unstubAllEnvs());

/** The help of a command as a terminal of some width shows it. */
function helpOf(command: Command, width: number): string {
  vi.stubEnv('COLUMNS', String(width));
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) });
  expect(parseArguments(command, ['--help'])).toBeUndefined();
  return help;
}

describe.each(described)('typecase $entry.name --help', ({ entry, command }) => {
  it('has examples that name the command and only options that there are', () => {
    const help = helpOf(command, 80);
    const [, examples = ''] = help.split('\nExamples:\n');
    expect(examples).toContain(`typecase ${entry.name}`);
    const flags = new Set(command.options.flatMap(({ long, short }) => [long, short]));
    for (const [written] of foreignOptions) flags.add(written.replace(/ .*/, ''));
    const own = examples
      .replaceAll('\\\n', ' ')
      .split('\n')
      .filter((line) => line.includes(`typecase ${entry.name} `) && !line.includes('#'))
      .flatMap((line) => line.match(/(?<=\s)--?[a-z][\w-]*/g) ?? []);
    const elsewhere = ['--task', '--include_path'];
    expect(own.filter((flag) => !flags.has(flag) && !elsewhere.includes(flag))).toEqual([]);
  });

  it('fits the width of the terminal', () => {
    for (const width of [60, 80, 120]) {
      const [options = ''] = helpOf(command, width).split('\nExamples:\n');
      const wide = options.split('\n').filter((line) => line.length > width);
      expect(wide).toEqual([]);
    }
    const [, examples = ''] = helpOf(command, 80).split('\nExamples:\n');
    expect(examples.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it('groups its options once they are many', () => {
    const headings = helpOf(command, 80).match(/^[A-Z][^\n]*:$/gm) ?? [];
    if (command.options.length > 12) expect(headings.length).toBeGreaterThan(3);
  });
});

test.each(['run', 'view', 'plan'])(
  'typecase %s --help has the options for Python configs',
  (name) => {
    const command = described.find(({ entry }) => entry.name === name)?.command as Command;
    const help = helpOf(command, 80);
    expect(foreignOptions.length).toBeGreaterThan(5);
    for (const [flags, text] of foreignOptions) {
      expect(help).toContain(`\n  ${flags} `);
      expect(help.replaceAll(/\s+/g, ' ')).toContain(text);
    }
  },
);

test.each([
  ['rnu', 'run'],
  ['veiw', 'view'],
  ['leaderbord', 'leaderboard'],
])('typecase %s is answered with `%s`', (name, meant) => {
  const { hint } = unknownCommand(
    name,
    commands.map((entry) => entry.name),
  );
  expect(hint).toContain(`Did you mean \`${meant}\`?`);
});

describe('typecase completion', () => {
  /** What bash offers for a line, by the script that the command prints. */
  async function completed(script: string, words: readonly string[]): Promise<string[]> {
    const folder = await mkdtemp(join(tmpdir(), 'typecase-completion-'));
    const file = join(folder, 'completion.bash');
    writeFileSync(file, script);
    const list = words.map((word) => `'${word}'`).join(' ');
    const asked = `source '${file}'; COMP_WORDS=(typecase ${list}); COMP_CWORD=${words.length}; _typecase; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const output = execFileSync('bash', ['--norc', '-c', asked], { encoding: 'utf8' });
    return output.split('\n').filter((line) => line !== '');
  }

  async function scriptOf(shell: string): Promise<string> {
    const written: string[] = [];
    const write = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
      written.push(String(text));
      return true;
    });
    try {
      const run = await commands.find(({ name }) => name === 'completion')?.load();
      expect(await run?.([shell])).toBe(0);
    } finally {
      write.mockRestore();
    }
    return written.join('');
  }

  it('offers commands, options, values and tasks in a real bash', async () => {
    const script = await scriptOf('bash');
    expect(await completed(script, ['r'])).toEqual(['run', 'report']);
    expect(await completed(script, ['run', '--fail-'])).toEqual([
      '--fail-under',
      '--fail-if-worse',
    ]);
    expect(await completed(script, ['lm-eval', '--num'])).toEqual(['--num_fewshot']);
    expect(await completed(script, ['list', 'te'])).toEqual(['templates']);
    expect(await completed(script, ['cache', 'e'])).toEqual(['explain']);
    expect(await completed(script, ['view', '--compat', 'op'])).toEqual(['opencompass']);
    expect(await completed(script, ['run', 'task', ':', 'arith'])).toEqual(['arithmetic']);
    expect(await completed(script, ['run', 'rows.js'])).toEqual([]);
  });

  it.each(['zsh', 'fish'])('has every command and option for %s', async (shell) => {
    const script = await scriptOf(shell);
    for (const { entry, command } of described) {
      expect(script).toContain(entry.name);
      for (const { long, hidden } of command.options)
        if (!hidden) expect(script).toContain(long?.slice(2));
    }
  });
});
