import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type * as z from 'zod';
import * as api from './api.ts';
import { assetOf, pageOf } from './assets.ts';
import { type GuardSettings, guard, securityHeaders } from './guard.ts';
import { RunLister } from './list-runs.ts';
import { loadAhead } from './load-ahead.ts';
import { OpenedRuns } from './opened-runs.ts';
import { Refusal, refusalOf } from './refusal.ts';
import type { ServedRuns } from './served-runs.ts';
import { ShownPrompts } from './shown-prompts.ts';
import { addWorkbenchRoutes } from './workbench/routes.ts';

const maxBody = 2 ** 20;
const pages = ['/', '/run', '/row', '/compare', '/sweep', '/workbench'] as const;

export interface ViewerApp {
  readonly app: Hono;
  readonly close: () => Promise<void>;
}

export interface ViewerAppSettings extends GuardSettings {
  /** Configs that the workbench opens. */
  readonly configs?: readonly string[] | undefined;
}

/** The routes of the viewer. */
export function viewerApp(served: ServedRuns, settings: ViewerAppSettings): ViewerApp {
  const app = new Hono();
  const { configs = [] } = settings;
  const runs = new OpenedRuns(served, { allowed: configs.map((file) => dirname(file)) });
  const lister = new RunLister(served);
  const refuse = (context: Context, error: unknown) => {
    const { status, body } = refusalOf(error);
    return context.json(body, status);
  };
  app.onError((error, context) => refuse(context, error));
  app.notFound((context) =>
    refuse(context, new Refusal(404, 'serve.no_such_address', `there is no ${context.req.path}`)),
  );
  app.use(async (context, next) => {
    const nonce = randomBytes(16).toString('hex');
    context.set('nonce' as never, nonce as never);
    for (const [name, value] of Object.entries(securityHeaders(nonce))) context.header(name, value);
    if (context.req.path.startsWith('/api/')) context.header('cache-control', 'no-store');
    await next();
  });
  app.use(guard(settings));
  app.use(
    bodyLimit({
      maxSize: maxBody,
      onError: (context) =>
        refuse(context, new Refusal(413, 'serve.bad_request', 'the body is too large')),
    }),
  );
  for (const path of pages) {
    app.get(path, async (context) => {
      const nonce = context.get('nonce' as never) as string;
      context.header('cache-control', 'no-store');
      return context.html(await pageOf({ nonce, token: settings.pageToken }));
    });
  }
  app.get('/assets/:name', async (context) => {
    const asset = await assetOf(context.req.param('name'), context.req.header('accept-encoding'));
    for (const [name, value] of Object.entries(asset.headers)) context.header(name, value);
    return context.body(new Uint8Array(asset.body));
  });
  app.get('/api/openapi.json', async (context) =>
    context.json((await import('./openapi.ts')).openApiDocument()),
  );
  app.get('/api/runs', async (context) => {
    loadAhead();
    return context.json(await lister.list());
  });
  addRunRoutes(app, runs);
  const prompts = new ShownPrompts();
  addRowRoutes(app, runs, prompts);
  const workbench = addWorkbenchRoutes(app, { configs, runs, json });
  return {
    app,
    close: async () => {
      prompts.forget();
      await workbench.close();
      await runs.close();
    },
  };
}

function addRunRoutes(app: Hono, runs: OpenedRuns): void {
  app.get('/api/run', async (context) => {
    const { run } = read(api.runQuery, context);
    const { runDetails } = await import('./run-details.ts');
    return context.json(await runDetails(await runs.get(run), run));
  });
  app.get('/api/notes', async (context) => {
    const { run } = read(api.runQuery, context);
    const { agreementOf } = await import('./agreement.ts');
    return context.json(await agreementOf(await runs.get(run)));
  });
  app.post('/api/notes', async (context) => {
    const { run, ...change } = api.noteBody.parse(await json(context));
    const opened = await runs.get(run);
    await runs.evaluations(opened, [JSON.stringify([change.model, change.dataset])]);
    const { writeNote } = await import('./notes.ts');
    return context.json(await writeNote(opened.run.path, change));
  });
  app.get('/api/compare', async (context) => {
    const { a, b, ea, eb, flips } = read(api.compareQuery, context);
    const { comparePage } = await import('./compare-page.ts');
    const side = async (run: string, key: string | undefined) => {
      const opened = await runs.get(run);
      const [only] = key === undefined ? [] : await runs.evaluations(opened, [key]);
      return { opened, only };
    };
    return context.json(await comparePage(await side(a, ea), await side(b, eb), flips));
  });
  app.get('/api/export', async (context) => {
    const { at } = read(api.exportQuery, context);
    const { exportRuns } = await import('./export/export-runs.ts');
    const { standAlonePage } = await import('../../api/stand-alone-page.ts');
    const { snapshot, text } = await exportRuns(runs.served, { at });
    const name = snapshot.title.replace(/[^\w.-]+/g, '-');
    context.header('content-disposition', `attachment; filename="${name}.html"`);
    return context.html(await standAlonePage(snapshot, text));
  });
  app.post('/api/stop', async (context) => {
    const { run } = api.runQuery.parse(await json(context));
    const { stopRun } = await import('./control-run.ts');
    await stopRun((await runs.get(run)).run);
    return context.json({ done: true });
  });
  app.post('/api/resume', async (context) => {
    const { run } = api.runQuery.parse(await json(context));
    const { resumeRun } = await import('./control-run.ts');
    await resumeRun((await runs.get(run)).run);
    return context.json({ done: true });
  });
}

function addRowRoutes(app: Hono, runs: OpenedRuns, prompts: ShownPrompts): void {
  app.get('/api/rows', async (context) => {
    const query = read(api.rowsQuery, context);
    const opened = await runs.get(query.run);
    const names = await runs.evaluations(opened, query.e);
    const { rowsPage } = await import('./rows-page.ts');
    return context.json(await rowsPage(opened, names, query));
  });
  app.get('/api/row', async (context) => {
    const { wholeRecord, forPage } = await import('./row-details.ts');
    const { opened, name } = await rowOf(context, runs);
    return context.json(forPage(await wholeRecord(opened, name)));
  });
  app.get('/api/prompt', async (context) => {
    const { forPage } = await import('./row-details.ts');
    const { opened, name } = await rowOf(context, runs);
    return context.json(forPage((await prompts.get(opened, name)).prompt));
  });
  app.get('/api/text', async (context) => {
    const { text, query } = await longText(context, runs, prompts);
    const { piece } = await import('../../report/snapshot/cut-texts.ts');
    return context.json({ text: piece(text, query.from), from: query.from, length: text.length });
  });
  app.get('/api/download', async (context) => {
    const { text, query } = await longText(context, runs, prompts);
    context.header('content-type', 'text/plain; charset=utf-8');
    context.header('content-disposition', `attachment; filename="row-${query.id}.txt"`);
    return context.body(text);
  });
  app.get('/api/media', async (context) => {
    const { sha256 } = read(api.mediaQuery, context);
    const { opened, name } = await rowOf(context, runs);
    const { replyWith } = await import('./media-reply.ts');
    const { headers, body } = await replyWith((await prompts.get(opened, name)).media.get(sha256));
    for (const [key, value] of Object.entries(headers)) context.header(key, value);
    return context.body(new Uint8Array(body));
  });
}

async function rowOf(context: Context, runs: OpenedRuns) {
  const name = api.rowQuery.parse(context.req.query());
  const opened = await runs.get(name.run);
  await runs.evaluations(opened, [JSON.stringify([name.model, name.dataset])]);
  return { opened, name };
}

async function longText(context: Context, runs: OpenedRuns, prompts: ShownPrompts) {
  const query = read(api.textQuery, context);
  const { opened, name } = await rowOf(context, runs);
  const { wholeRecord } = await import('./row-details.ts');
  const { textAt } = await import('../../report/snapshot/cut-texts.ts');
  const whole =
    query.of === 'record'
      ? await wholeRecord(opened, name)
      : (await prompts.get(opened, name)).prompt;
  const text = textAt(whole, readPath(query.path));
  if (text === undefined) throw new Refusal(404, 'serve.no_such_text', 'there is no such text');
  return { text, query };
}

function readPath(path: string): (string | number)[] {
  try {
    const value: unknown = JSON.parse(path);
    if (Array.isArray(value)) return value;
  } catch {
    // Said below.
  }
  throw new Refusal(400, 'serve.bad_request', 'path must be a JSON list');
}

/** The parameters of an address. */
function read<Schema extends z.ZodType>(schema: Schema, { req }: Context): z.output<Schema> {
  const { e, ...rest } = req.queries();
  const single = Object.fromEntries(Object.entries(rest).map(([name, [value]]) => [name, value]));
  return schema.parse({ ...single, ...(e && { e }) });
}

async function json({ req }: Context): Promise<unknown> {
  try {
    return await req.json();
  } catch {
    throw new Refusal(400, 'serve.bad_request', 'the body is not JSON');
  }
}
