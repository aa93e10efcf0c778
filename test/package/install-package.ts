import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { cp, mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** A project that has the package from its archive, without scripts. */
export interface Project {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Packs the package and installs it in an empty folder, with the files of `project/` beside it. */
export async function installPackage(): Promise<Project> {
  buildPackage();
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'typecase-package-')));
  const remove = () => rm(folder, { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: root });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  const settings = { name: 'empty', private: true, type: 'module' };
  await writeFile(join(folder, 'package.json'), JSON.stringify(settings));
  const install = ['install', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'];
  await run('npm', [...install, join(folder, filename)], { cwd: folder });
  return { folder, remove };
}

/** Puts the project's own files there, and what it develops with: linked, for they are large and not what is tested. */
export async function addProjectFiles({ folder }: Project): Promise<void> {
  await cp(join(root, 'test/package/project'), folder, { recursive: true });
  for (const [name, code] of programsOfPages()) await writeFile(join(folder, name), code);
  for (const name of ['vitest', 'typescript', '@types/node']) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(root, 'node_modules', name), place);
  }
}

/** The programs that pages and README show, as files; what only shows a part of one is left out. */
function programsOfPages(): [name: string, code: string][] {
  const listed = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const pages = ['README.md', ...listed.map((name) => `docs/${name}`)];
  return (
    pages
      // What the reference is made of has types already.
      .filter((page) => page.endsWith('.md') && !page.includes('reference/library/'))
      .flatMap((page) => {
        const blocks = readFileSync(join(root, page), 'utf8').matchAll(
          /^```ts.*\n([\s\S]*?)^```/gm,
        );
        const programs = [...blocks].map(([, code = '']) => code);
        return programs
          .filter((code) => /from 'typecase/.test(code))
          .map((code, index): [string, string] => [
            `${page.toLowerCase().replaceAll(/[/.]/g, '-')}-${index}.page.ts`,
            `${code}\nexport {};\n`,
          ]);
      })
  );
}

/** The archive needs the declarations of types, which quick builds leave out. */
function buildPackage(): void {
  const built = join(root, 'dist/index.d.ts');
  const age = (file: string) => statSync(join(root, file)).mtimeMs;
  if (existsSync(built) && age('dist/index.d.ts') >= age('dist/cli.js') - 60_000) return;
  const args = [join(root, 'node_modules/tsdown/dist/run.mjs'), '--logLevel', 'error'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the build failed: ${stderr}`);
}
