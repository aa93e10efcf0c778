import { plainText } from '../../python/traced-text.ts';
import { isText, PyTuple, type PyValue } from '../../python/values.ts';
import { machine, raise } from './machine.ts';
import { PyModule } from './objects.ts';
import { builtin } from './signature.ts';

/** `os.path.join` */
export function joinPaths(first: string, ...rest: readonly string[]): string {
  let path = first;
  for (const part of rest) {
    if (part.startsWith('/')) path = part;
    else path += path === '' || path.endsWith('/') ? part : `/${part}`;
  }
  return path;
}

/** `os.path.split` */
export function splitPath(path: string): readonly [string, string] {
  const at = path.lastIndexOf('/') + 1;
  const head = path.slice(0, at);
  return [/^\/*$/.test(head) ? head : head.replace(/\/+$/, ''), path.slice(at)];
}

/** `os.path.splitext` */
export function splitExtension(path: string): readonly [string, string] {
  const from = path.lastIndexOf('/') + 1;
  const name = path.slice(from);
  const dot = name.lastIndexOf('.');
  if (dot < 0 || /^\.*$/.test(name.slice(0, dot))) return [path, ''];
  return [path.slice(0, from + dot), name.slice(dot)];
}

/** `os.path.normpath` */
export function normalizePath(path: string): string {
  const isAbsolute = path.startsWith('/');
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '..' || !isAbsolute) parts.push(part);
  }
  return (isAbsolute ? '/' : '') + parts.join('/') || '.';
}

/** `os.path.abspath` */
export function absolutePath(path: string): string {
  return normalizePath(joinPaths(machine.host.folder, path));
}

function textOf(value: PyValue | undefined): string {
  if (value !== undefined && isText(value)) return plainText(value);
  return raise('TypeError', 'a path must be a string');
}

const onPath = (name: string, of: (path: string) => PyValue) =>
  [name, builtin(name, ['path'], (path) => of(textOf(path)), { isPlainFunction: true })] as const;

function relativePath(path: string, from: string): string {
  const [to, start] = [absolutePath(path).split('/'), absolutePath(from).split('/')];
  let common = 0;
  while (common < to.length && to[common] === start[common]) common++;
  return [...start.slice(common).map(() => '..'), ...to.slice(common)].join('/') || '.';
}

/** `os.path` */
export const pathModule = new PyModule(
  'posixpath',
  new Map<string, PyValue>([
    [
      'join',
      builtin(
        'join',
        ['a', ...Array.from({ length: 20 }, (_, index) => `p${index}?`)],
        (...parts) => joinPaths(textOf(parts[0]), ...parts.slice(1).map(textOf)),
        { isPlainFunction: true },
      ),
    ],
    onPath('dirname', (path) => splitPath(path)[0]),
    onPath('basename', (path) => splitPath(path)[1]),
    onPath('split', (path) => new PyTuple(splitPath(path))),
    onPath('splitext', (path) => new PyTuple(splitExtension(path))),
    onPath('normpath', normalizePath),
    onPath('abspath', absolutePath),
    onPath('realpath', absolutePath),
    onPath('isabs', (path) => path.startsWith('/')),
    onPath('exists', (path) => machine.host.exists(path) !== undefined),
    onPath('isfile', (path) => machine.host.exists(path) === 'file'),
    onPath('isdir', (path) => machine.host.exists(path) === 'folder'),
    onPath('expanduser', (path) => path),
    onPath('expandvars', (path) => path),
    [
      'relpath',
      builtin(
        'relpath',
        ['path', 'start?'],
        (path, start) => relativePath(textOf(path), start === undefined ? '.' : textOf(start)),
        { isPlainFunction: true },
      ),
    ],
    ['sep', '/'],
  ]),
);
