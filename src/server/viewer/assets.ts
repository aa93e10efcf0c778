import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { packageFolder } from '../../base/package-folder.ts';
import { UsageError } from '../../base/usage-error.ts';
import { Refusal } from './refusal.ts';

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

interface Asset {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const folder = packageFolder('dist', 'web');
const kept = new Map<string, Promise<Buffer>>();

/** The page, with the token that its requests show. */
export async function pageOf({ nonce, token }: { nonce: string; token: string }): Promise<string> {
  const text = await readFile(join(folder, 'index.html'), 'utf8').catch((cause: unknown) => {
    throw new UsageError('serve.not_built', 'The pages of the viewer are not built', {
      cause,
      hint: 'In a clone of Typecase, run `npm run build`.',
    });
  });
  return text.replaceAll('%TOKEN%', token).replaceAll('%NONCE%', nonce);
}

/** A file of the page; names have hashes, so browsers may keep them. */
export async function assetOf(name: string, encodings = ''): Promise<Asset> {
  const type = types[extname(name)];
  const names = await readdir(join(folder, 'assets')).catch((): string[] => []);
  if (!type || !names.includes(name)) {
    throw new Refusal(404, 'serve.no_such_address', 'there is no such file');
  }
  const encoding = encodings.includes('br') ? 'br' : encodings.includes('gzip') ? 'gzip' : '';
  const key = `${name} ${encoding}`;
  const body = kept.get(key) ?? encoded(join(folder, 'assets', name), encoding);
  kept.set(key, body);
  return {
    headers: {
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      vary: 'accept-encoding',
      ...(encoding !== '' && { 'content-encoding': encoding }),
    },
    body: await body,
  };
}

async function encoded(file: string, encoding: string): Promise<Buffer> {
  const bytes = await readFile(file);
  if (encoding === 'gzip') return promisify(gzip)(bytes);
  if (encoding !== 'br') return bytes;
  return promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5 },
  });
}
