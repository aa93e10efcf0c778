import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'vite';
import { licencesName, thirdPartyLicences } from './third-party-licences.ts';

const web = fileURLToPath(new URL('../web/', import.meta.url));

/** Builds the pages once more as one file without a server, which reports are made from. */
export function standAlonePage(file: string): Plugin {
  return {
    name: 'stand-alone-page',
    apply: 'build',
    async closeBundle() {
      writeFileSync(file, await pageTemplate());
    },
  };
}

async function pageTemplate(): Promise<string> {
  const built = await build({
    configFile: false,
    root: web,
    logLevel: 'warn',
    plugins: [thirdPartyLicences()],
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      write: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      cssCodeSplit: false,
      reportCompressedSize: false,
      rolldownOptions: {
        input: join(web, 'held/page.tsx'),
        output: { codeSplitting: false },
      },
    },
  });
  const [result] = [built].flat();
  if (!result || !('output' in result)) throw new Error('the page was not built');
  const { output } = result;
  const assetOf = (ending: string) => {
    const found = output.find(({ fileName }) => fileName.endsWith(ending));
    if (found?.type !== 'asset') throw new Error(`the page has no ${ending}`);
    return String(found.source);
  };
  const chunks = output.filter(({ type }) => type === 'chunk');
  const [chunk] = chunks;
  if (chunk?.type !== 'chunk' || chunks.length > 1) throw new Error('the page is not one script');
  // No text of a script ends the element that holds it.
  const script = chunk.code
    .trim()
    .replaceAll('</script', '<\\/script')
    .replaceAll('<!--', '<\\!--');
  const style = assetOf('.css').trim();
  const parts: Readonly<Record<string, string>> = {
    script,
    style,
    scriptHash: hashOf(script),
    styleHash: hashOf(style),
    icon: readFileSync(join(web, 'icon.svg')).toString('base64'),
    licences: assetOf(licencesName).trim().replaceAll('--', '––'),
  };
  const template = readFileSync(join(web, 'held/page.html'), 'utf8');
  return template.replace(/%(\w+)%/g, (whole, name: string) => parts[name] ?? whole);
}

/** The hash by which a policy names what may run. */
function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
