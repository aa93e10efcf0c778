import { existsSync, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { Command } from 'commander';
import { displayPath } from '../../base/display-path.ts';
import { UsageError } from '../../base/usage-error.ts';
import { openRuns } from '../../import/results/open-argument.ts';
import { startViewer, type Viewer } from '../../server/viewer/start-viewer.ts';
import { portValue } from '../../terminal/option-values.ts';
import { addExamples, parseArguments } from '../../terminal/parse-arguments.ts';
import { listenAt, stopSignal } from '../../terminal/serving.ts';
import { showControls } from '../../terminal/text/show-controls.ts';

const usualFolder = 'runs';
const usualPort = 7007;

/** `typecase serve`: shows runs in the browser until it is told to stop. */
export async function runServe(args: readonly string[]): Promise<number> {
  const options = parseServeOptions(args);
  if (!options) return 0;
  const opened = await openRuns(options.paths);
  for (const problem of opened.problems) process.stderr.write(`${showControls(problem)}\n`);
  try {
    return await serveFolders({ ...options, paths: opened.folders });
  } finally {
    await opened.close();
  }
}

async function serveFolders(options: ServeOptions): Promise<number> {
  const { host, port, open } = options;
  const configs = options.paths.filter(isConfig);
  const named = options.paths.filter((path) => !isConfig(path));
  const folders = named.length === 0 ? [usualFolder] : named;
  // Runs may be there later: a config is what there is to look at now.
  if (configs.length === 0 || named.length > 0) for (const folder of folders) checkFolder(folder);
  const viewer = await listen({ folders, configs }, { host, port });
  const url = configs.length === 0 ? viewer.url : workbenchOf(viewer.url, configs);
  const names = [...configs, ...folders].map(displayPath).join(', ');
  const what = configs.length === 0 ? 'Runs of' : 'Workbench with';
  process.stdout.write(`${what} ${names} at ${url}\nPress Ctrl-C to stop.\n`);
  if (open) (await import('./open-browser.ts')).openBrowser(url);
  await stopSignal();
  await viewer.close();
  return 0;
}

/** The workbench, with the config open in it. */
function workbenchOf(viewer: string, [config = '']: readonly string[]): string {
  const url = new URL('/workbench', viewer);
  url.search = new URL(viewer).search;
  url.searchParams.set('config', displayPath(resolve(config)));
  return url.href;
}

const configExtensions = new Set(['.ts', '.mts', '.js', '.mjs', '.yaml', '.yml', '.json']);

function isConfig(path: string): boolean {
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
  return isFile && configExtensions.has(extname(path).toLowerCase());
}

/** The usual port, or any free one if another viewer has it. */
async function listen(
  served: { readonly folders: readonly string[]; readonly configs: readonly string[] },
  { host, port }: { readonly host: string; readonly port: number | undefined },
): Promise<Viewer> {
  const start = (at: number) => () => startViewer({ ...served, host, port: at });
  if (port !== undefined) return listenAt(start(port), { host, port });
  try {
    return await start(usualPort)();
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) return listenAt(() => Promise.reject(error), { host, port: usualPort });
    return listenAt(start(0), { host, port: 0 });
  }
}

function checkFolder(folder: string): void {
  const isUsual = folder === usualFolder;
  if (existsSync(folder)) {
    if (statSync(folder).isDirectory()) return;
    throw new UsageError('serve.no_folder', `${folder} is not a folder`, {
      hint: 'Give run folders, or folders that contain them.',
    });
  }
  throw new UsageError('serve.no_folder', `Folder not found: ${folder}`, {
    hint: isUsual
      ? '`typecase run` creates it. Or give run folders: `typecase serve FOLDER …`.'
      : 'Give run folders, or folders that contain them.',
  });
}

interface ServeOptions {
  /** Folders of runs, and config files. */
  readonly paths: readonly string[];
  readonly host: string;
  readonly port?: number | undefined;
  readonly open: boolean;
}

/** Reads the arguments of `typecase serve`, or prints its help and gives undefined. */
function parseServeOptions(args: readonly string[]): ServeOptions | undefined {
  const parsed = parseArguments(describeServe(), args);
  if (!parsed) return undefined;
  const [paths] = parsed.processedArgs as [readonly string[]];
  const { host, port, open = false } = parsed.opts();
  return { host, port, open, paths };
}

export function describeServe(): Command {
  return addExamples(
    new Command('typecase serve')
      .description('Shows runs in the browser, and edits the templates of configs.')
      .argument(
        '[paths...]',
        `run folders, or folders that contain them (default: ${usualFolder}); configs for the workbench; results of other harnesses`,
      )
      .option(
        '--port <number>',
        `port; 0 for any free one (default: ${usualPort}, or a free one)`,
        portValue,
      )
      .option(
        '--host <address>',
        'address to listen on; if other machines can reach it, the URL carries a token',
        '127.0.0.1',
      )
      .option('--open', 'open the browser'),
    [
      ['all runs below runs/', 'typecase serve'],
      ['one run and the workbench for its config', 'typecase serve runs/eval eval.yaml --open'],
    ],
  );
}
