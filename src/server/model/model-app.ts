import { getConnInfo } from '@hono/node-server/conninfo';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type * as z from 'zod';
import { ApiError, apiErrorOf, errorBody } from './api-error.ts';
import { chatBody, completionBody, embeddingBody } from './bodies.ts';
import { answerChat } from './chat.ts';
import { checkCaller } from './check-caller.ts';
import { answerCompletions } from './completions.ts';
import { answerEmbeddings } from './embeddings.ts';
import type { Asker, ServedModel } from './served-model.ts';

const maxBytes = 16 * 2 ** 20;

/** The routes of an OpenAI-compatible server for one local model, at this host. */
export function modelApp(served: ServedModel, host: string): Hono {
  const app = new Hono();
  app.onError((error, context) => refuse(context, error));
  app.notFound((context) => refuse(context, unknownUrl(context)));
  app.use((context, next) => {
    const header = (name: string) => context.req.header(name);
    checkCaller({ host: header('host'), origin: header('origin') }, host);
    return next();
  });
  app.use(
    bodyLimit({
      maxSize: maxBytes,
      onError: (context) => refuse(context, new ApiError(413, 'the body is too large')),
    }),
  );
  const card = { id: served.name, object: 'model', created: served.created, owned_by: 'local' };
  app.get('/v1/models', (context) => context.json({ object: 'list', data: [card] }));
  app.get('/v1/models/:name{.+}', (context) => {
    checkName(served, context.req.param('name'));
    return context.json(card);
  });
  const { type } = served.parts.engine.facts;
  const answer =
    <Body extends { model?: string | undefined }>(
      schema: z.ZodType<Body>,
      { kind, reply }: Endpoint<Body>,
    ) =>
    async (context: Context) => {
      if (type !== kind) throw wrongKind(served.name, type);
      const body = schema.parse(await readJson(context));
      checkName(served, body.model);
      const { signal } = context.req.raw;
      return reply(served, body, { client: clientOf(context), signal });
    };
  app.post('/v1/chat/completions', answer(chatBody, { kind: 'causal', reply: answerChat }));
  app.post('/v1/completions', answer(completionBody, { kind: 'causal', reply: answerCompletions }));
  app.post('/v1/embeddings', answer(embeddingBody, { kind: 'encoder', reply: answerEmbeddings }));
  for (const { path, method } of [...app.routes]) {
    if (!path.startsWith('/v1/')) continue;
    app.all(path, (context) => {
      context.header('allow', method);
      return refuse(context, wrongMethod(context));
    });
  }
  return app;
}

interface Endpoint<Body> {
  readonly kind: 'causal' | 'encoder';
  readonly reply: (served: ServedModel, body: Body, asker: Asker) => Promise<Response>;
}

function refuse(context: Context, error: unknown): Response {
  const problem = apiErrorOf(error);
  return context.json(errorBody(problem), problem.status);
}

/** Programs on one machine are told apart by the keys that they send, whatever these are. */
function clientOf(context: Context): string {
  const { address = '' } = getConnInfo(context).remote;
  return `${address} ${context.req.header('authorization') ?? ''}`;
}

async function readJson(context: Context): Promise<unknown> {
  const type = context.req.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    throw new ApiError(415, 'the body must be sent as `content-type: application/json`');
  }
  try {
    return await context.req.json();
  } catch {
    throw new ApiError(400, 'the body is not JSON');
  }
}

function checkName({ name }: ServedModel, asked: string | undefined): void {
  if (asked === undefined || asked === name) return;
  throw new ApiError(404, `unknown model \`${asked}\`; this server has \`${name}\``, {
    param: 'model',
    code: 'model_not_found',
  });
}

function wrongKind(name: string, type: 'causal' | 'encoder'): ApiError {
  const does = type === 'causal' ? 'generates text and has no embeddings' : 'only gives embeddings';
  return new ApiError(400, `\`${name}\` ${does}`, { param: 'model' });
}

function unknownUrl({ req }: Context): ApiError {
  return new ApiError(404, `unknown request URL: ${req.method} ${req.path}`, {
    code: 'unknown_url',
  });
}

function wrongMethod({ req }: Context): ApiError {
  return new ApiError(405, `${req.path} does not accept ${req.method}`, {
    code: 'method_not_allowed',
  });
}
