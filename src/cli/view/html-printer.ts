import { resolve } from 'node:path';
import pc from 'picocolors';
import { standAlonePage } from '../../api/stand-alone-page.ts';
import { displayPath, exportedPath } from '../../base/display-path.ts';
import { hideBase64In } from '../../base/hidden-text.ts';
import { version } from '../../base/version.ts';
import { toPlain } from '../../prompt/mapping.ts';
import { cutForFile, usualBytes } from '../../report/snapshot/sampled-run.ts';
import { addressOf } from '../../report/snapshot/snapshot.ts';
import { writeWhole } from '../../run/store/write-whole.ts';
import { FileShelf } from '../../server/viewer/export/shelf.ts';
import { mediaOf } from '../../server/viewer/row-details.ts';
import type { PromptView } from '../../study/view/prompt-view.ts';
import { formatError } from '../../terminal/report-error.ts';
import { describeTerminal, type Terminal } from '../../terminal/terminal.ts';
import { showControls } from '../../terminal/text/show-controls.ts';
import { jsonView } from '../../terminal/view/json-view.ts';
import { renderView } from '../../terminal/view/render-view.ts';
import type { Printer } from './printer.ts';

const textWidth = 100;
const plain: Terminal = { colors: pc.createColors(false), hasColors: false, width: textWidth };

/** Writes prompts as one page that works without a server: each as the page of a row. */
export function htmlPrinter(file: string, source: string): Printer {
  const views: PromptView[] = [];
  return {
    view: (view) => {
      views.push(view);
    },
    comparison: () => undefined,
    failure: ({ model, dataset, error }) => {
      process.stderr.write(`${showControls(`${model ?? 'no model'} · ${dataset}`)}\n`);
      process.stderr.write(`${formatError(error, describeTerminal(process.stderr))}\n`);
    },
    end: async () => {
      await writeWhole(resolve(file), await pageOf(views, exportedPath(source)));
      process.stdout.write(`Page: ${displayPath(resolve(file))}\n`);
    },
  };
}

async function pageOf(views: readonly PromptView[], run: string): Promise<string> {
  const shelf = new FileShelf(usualBytes);
  const replies: Record<string, unknown> = {};
  const media: Record<string, string> = {};
  const prompts = [];
  for (const view of views) {
    const { model = '', dataset } = view;
    const name = { run, model, dataset, id: Number(view.row.id) };
    const rule = { evaluator: '', postprocessors: [] };
    const details = { ...name, rule, parts: [], earlier: [], cut: [] };
    replies[addressOf('/api/row', name)] = details;
    replies[addressOf('/api/prompt', name)] = cutForFile({
      view: hideBase64In(toPlain(jsonView(view))) as Record<string, unknown>,
      examples: [],
      command: `typecase view ${run} --row ${view.row.index}`,
    });
    for (const [sha256, content] of mediaOf({ view })) {
      const address = await shelf.media(content);
      if (address !== undefined) media[sha256] = address;
    }
    prompts.push(name);
  }
  const [first] = prompts;
  replies['/api/prompts'] = prompts;
  const start = first && prompts.length === 1 ? addressOf('/row', first) : '/prompts';
  const snapshot = { version, title: run, start, replies, evaluations: [], pieces: {}, media };
  return standAlonePage(snapshot, views.map(textOf).join('\n\n'));
}

function textOf(view: PromptView): string {
  const settings = { origins: false, full: true, tokens: false, withTemplateRemarks: true };
  return renderView({ view, terminal: plain, ...settings }).join('\n');
}
