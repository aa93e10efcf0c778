import type { Context, Hono } from 'hono';
import type { OpenedRuns } from '../opened-runs.ts';
import * as api from './api.ts';
import type { Tries } from './tries.ts';
import type { Workbench } from './workbench.ts';

interface Parts {
  readonly bench: Workbench;
  readonly tries: Tries;
}

/** The routes of the workbench; what they do is loaded when somebody opens it. */
export function addWorkbenchRoutes(
  app: Hono,
  {
    configs,
    runs,
    json,
  }: {
    readonly configs: readonly string[];
    readonly runs: OpenedRuns;
    readonly json: (context: Context) => Promise<unknown>;
  },
): { readonly close: () => Promise<void> } {
  const open = async (): Promise<Parts> => {
    const { Workbench } = await import('./workbench.ts');
    const { Tries } = await import('./tries.ts');
    return { bench: new Workbench(configs, runs), tries: new Tries(runs.served) };
  };
  let opened: Promise<Parts> | undefined;
  const parts = () => {
    opened ??= open();
    return opened;
  };
  app.get('/api/workbench/configs', async (context) =>
    context.json(await (await parts()).bench.list()),
  );
  app.get('/api/workbench/config', async (context) => {
    const name = api.benchQuery.parse(context.req.query());
    return context.json(await (await parts()).bench.details(name));
  });
  app.post('/api/workbench/prompt', async (context) => {
    const body = api.promptBody.parse(await json(context));
    return context.json(await (await parts()).bench.prompt(body));
  });
  app.get('/api/workbench/media', async (context) => {
    const { sha256 } = api.mediumQuery.parse(context.req.query());
    const { replyWith } = await import('../media-reply.ts');
    const { headers, body } = await replyWith((await parts()).bench.medium(sha256));
    for (const [key, value] of Object.entries(headers)) context.header(key, value);
    return context.body(new Uint8Array(body));
  });
  app.post('/api/workbench/rescore', async (context) => {
    const { run, evaluator, ...name } = api.rescoreBody.parse(await json(context));
    const found = await runs.get(run);
    await runs.evaluations(found, [JSON.stringify([name.model, name.dataset])]);
    const { rescorePreview } = await import('./rescore-preview.ts');
    return context.json(await rescorePreview(found, name, evaluator));
  });
  app.post('/api/workbench/try', async (context) => {
    const { config, run, ...settings } = api.tryBody.parse(await json(context));
    const { bench, tries } = await parts();
    return context.json(tries.start(await bench.open({ config, run }), settings));
  });
  app.get('/api/workbench/try', async (context) => {
    const { id } = api.tryQuery.parse(context.req.query());
    return context.json((await parts()).tries.get(id));
  });
  app.post('/api/workbench/stop', async (context) => {
    const { id } = api.tryQuery.parse(await json(context));
    return context.json((await parts()).tries.stop(id));
  });
  app.post('/api/workbench/save', async (context) => {
    const { config, run, ...settings } = api.saveBody.parse(await json(context));
    const { bench } = await parts();
    const found = await bench.open({ config, run });
    const { saveTemplates } = await import('./save-templates.ts');
    const shown = await bench.prompt({ config, run, ...settings });
    return context.json(await saveTemplates(found, { ...settings, example: shown.row }));
  });
  return {
    close: async () => {
      const { bench, tries } = (await opened) ?? {};
      await tries?.close();
      await bench?.close();
    },
  };
}
