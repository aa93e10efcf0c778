import { readFile } from 'node:fs/promises';
import { isFileMissing } from '../base/files.ts';
import { packageFolder } from '../base/package-folder.ts';
import { embedSnapshot, type Snapshot } from '../report/snapshot/snapshot.ts';

/** In a clone that was not built: the text, and the data for programs. */
const plainTemplate = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; %media%"><title>%title%</title></head>
<body><p>The pages of Typecase were not built when this was written. Run npm run build, then typecase report.</p>
<pre>%text%</pre><script type="application/json" id="snapshot">%snapshot%</script></body></html>
`;

let template: Promise<string> | undefined;

/** A page of the viewer as one file that works without a server; the text is for readers without scripts. */
export async function standAlonePage(snapshot: Snapshot, text: string): Promise<string> {
  template ??= readFile(packageFolder('dist', 'web', 'page.html'), 'utf8').catch((error) => {
    template = undefined;
    if (isFileMissing(error)) return plainTemplate;
    throw error;
  });
  return embedSnapshot(await template, snapshot, text);
}
