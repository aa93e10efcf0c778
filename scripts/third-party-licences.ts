import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const licencesName = 'THIRD-PARTY-LICENSES';

interface Chunk {
  readonly type: 'chunk' | 'asset';
  readonly moduleIds?: readonly string[];
}

/** Ships the licences of the packages whose code became part of ours. */
export function thirdPartyLicences() {
  return {
    name: 'third-party-licences',
    generateBundle(
      this: { emitFile(file: { type: 'asset'; fileName: string; source: string }): unknown },
      _options: unknown,
      bundle: Readonly<Record<string, Chunk>>,
    ): void {
      const modules = Object.values(bundle).flatMap(({ moduleIds }) => moduleIds ?? []);
      const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
      const source = [...folders].sort().map(licenceOf).join('\n');
      this.emitFile({ type: 'asset', fileName: licencesName, source });
    },
  };
}

function packageFolder(id: string): string | undefined {
  return /^.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+/.exec(id)?.[0];
}

function licenceOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  const text = readFileSync(join(folder, file), 'utf8').trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
