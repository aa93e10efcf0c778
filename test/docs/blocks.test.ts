import { existsSync, readFileSync } from 'node:fs';
import { globSync } from 'tinyglobby';
import { expect, it, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { argumentsOf, definitionOf } from '../../scripts/reference/cli-page.ts';
import { commands } from '../../src/cli/commands.ts';
import { foreignOptions } from '../../src/terminal/run/run-options.ts';
import { schemaProblems } from './config-parts.ts';
import { type Block, blocksOf, commandsOf, wordsOf } from './page-blocks.ts';

// What is generated shows the code of the source, whose examples have tests of their own.
const pages = globSync(['README.md', 'docs/**/*.md'], {
  ignore: ['docs/reference/library/**', 'docs/reference/cli.md'],
}).sort();
const all = pages.flatMap((page) =>
  blocksOf(readFileSync(page, 'utf8')).map((block) => ({ ...block, page })),
);
const ofLanguage = (language: string) => all.filter((block) => block.language === language);
const place = ({ page, line }: Block & { readonly page: string }) => `${page}:${line}`;

it('every block has a language, and says why where its commands are not run', () => {
  const languages = new Set(['sh', 'text', 'yaml', 'json', 'ts']);
  expect(all.length).toBeGreaterThan(200);
  expect(all.filter(({ language }) => !languages.has(language)).map(place)).toEqual([]);
  const skipped = all.filter(({ info }) => info.startsWith('skip'));
  expect(skipped.filter(({ info }) => !/^skip: \S+ \S/.test(info)).map(place)).toEqual([]);
});

/** The flags of each command, by its name. */
async function flagsOfCommands(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const flags = new Map<string, Set<string>>();
  for (const entry of commands) {
    const known = flags.get(entry.name) ?? new Set(foreignFlagsOf(entry.name));
    flags.set(entry.name, known);
    for (const args of argumentsOf(entry)) {
      const { command } = await definitionOf(entry, args);
      const own = [...command.options, ...command.createHelp().visibleOptions(command)];
      for (const { short, long } of own)
        for (const flag of [short, long]) if (flag) known.add(flag);
    }
  }
  return flags;
}

/** Options for configs of another system, which are read before all others. */
function foreignFlagsOf(name: string): readonly string[] {
  const flags = foreignOptions.map(([written]) => written.replace(/ .*/, ''));
  return ['run', 'view', 'plan'].includes(name) ? flags : [];
}

it('every command has only options that there are, also those that are not run', async () => {
  const flags = await flagsOfCommands();
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const wrong = ofLanguage('sh').flatMap((block) =>
    commandsOf(block).flatMap((line) => {
      const [first, second = '', third = '', ...rest] = wordsOf(line.replace(/^npx /, ''));
      if (first === 'npm' && second === 'run' && !scripts[third])
        return [`${place(block)}: ${line}`];
      if (first !== 'typecase') return [];
      const known = flags.get(second);
      const used = [third, ...rest].flatMap((word) => /^--?[a-z][\w-]*/i.exec(word)?.[0] ?? []);
      const bad = known ? used.filter((flag) => !known.has(flag)) : [second];
      return bad.length > 0 ? [`${place(block)}: ${line}: ${bad}`] : [];
    }),
  );
  expect(wrong).toEqual([]);
});

test.each(ofLanguage('yaml').map((block) => [place(block), block] as const))(
  '%s is YAML, with keys that a config has',
  (_, { code }) => {
    for (const document of parseAllDocuments(code)) {
      expect(document.errors).toEqual([]);
      expect(schemaProblems(document.toJS())).toEqual([]);
    }
  },
);

it('every block of JSON can be read, line by line or as a whole', () => {
  const broken = ofLanguage('json').filter(({ code }) => {
    const whole = code.replaceAll('…', '');
    const readable = [whole, ...(whole.includes('\n') ? [] : [whole])].some(isJson);
    return !readable && !whole.trim().split('\n').every(isJson);
  });
  expect(broken.map(place)).toEqual([]);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

it('pages that strings of the source name are there', () => {
  const named = globSync('src/**/*.ts').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[\w/-]+\.md/g)].map(([page]) => page),
  );
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((page) => !existsSync(page))).toEqual([]);
});

it('options in the text of pages are those of a command', async () => {
  const known = new Set([...(await flagsOfCommands()).values()].flatMap((flags) => [...flags]));
  // Pages on other programs name the options of those, and so do the last parts of cache-study.md.
  const own = globSync(['docs/*.md', 'docs/guides/*.md', 'docs/reference/*.md']).filter(
    (page) => !page.endsWith('cache-study.md'),
  );
  const wrong = own.flatMap((page) => {
    const text = readFileSync(page, 'utf8');
    const used = [...text.matchAll(/`[^`\n]*`/g)].flatMap(
      ([code]) => code.match(/(?<![\w-])--[a-z][\w-]*/g) ?? [],
    );
    return used.filter((flag) => !known.has(flag)).map((flag) => `${page}: ${flag}`);
  });
  // An option of npm.
  expect(wrong.filter((line) => !line.endsWith(' --ignore-scripts'))).toEqual([]);
});

it('every environment variable that the source reads is on the page of commands', () => {
  const page = readFileSync('docs/reference/cli.md', 'utf8');
  const read = globSync('src/**/*.ts', { ignore: '**/*.test.ts' }).flatMap((file) => {
    const text = readFileSync(file, 'utf8');
    const lists = [...text.matchAll(/\{([A-Z_, ]+)\} = process\.env/g)];
    return [
      ...[...text.matchAll(/process\.env\.([A-Z_]+)/g)].map(([, name = '']) => name),
      ...lists.flatMap(([, names = '']) => names.split(',').map((name) => name.trim())),
    ];
  });
  // Those of the system, and of the programs whose configs are read.
  const others = /^(?:GIT_DIR|PATH|TERM|OC_.*|OPENAI_.*|TYPECASE_TEST_.*)$/;
  const wanted = new Set(read.filter((name) => name !== '' && !others.test(name)));
  expect(wanted.size).toBeGreaterThan(8);
  expect([...wanted].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('messages on pages are those of the source', () => {
  const source = globSync('src/**/*.ts', { ignore: '**/*.test.ts' })
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const literals = source.match(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g) ?? [];
  const patterns = literals
    .filter((literal) => literal.includes(' ') && literal.length > 12)
    .flatMap((literal) => {
      const fixed = literal.slice(1, -1).split(/\$\{(?:[^{}]|\{[^{}]*\})*\}/);
      const parts = fixed.map((part) => part.replaceAll(/\\(.)/g, '$1').split('\n')[0] ?? '');
      return parts.join('').length < 12 ? [] : [new RegExp(parts.map(escapePattern).join('.*'))];
    });
  const said = ofLanguage('text').flatMap((block) =>
    block.code.split('\n').flatMap((line) => {
      const message = /^(?:(?:error|warning)\[(?!python\.)[\w.]+\]|hint:) (.*)/.exec(line)?.[1];
      return message === undefined ? [] : [[place(block), message] as const];
    }),
  );
  expect(said.length).toBeGreaterThan(10);
  const stale = said.filter(([, message]) => !patterns.some((pattern) => pattern.test(message)));
  expect(stale).toEqual([]);
});

function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
