import { defineConfig } from 'vite';
import { standAlonePage } from './scripts/stand-alone-page.ts';
import { thirdPartyLicences } from './scripts/third-party-licences.ts';

/** The pages of the viewer. */
export default defineConfig({
  root: 'web',
  plugins: [thirdPartyLicences(), standAlonePage('dist/web/page.html')],
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2023',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: false,
  },
});
