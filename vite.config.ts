import { defineConfig } from 'vite';
import { thirdPartyLicences } from './scripts/third-party-licences.ts';

/** The pages of the viewer. */
export default defineConfig({
  root: 'web',
  plugins: [thirdPartyLicences()],
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
