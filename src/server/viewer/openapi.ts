import * as z from 'zod';
import { version } from '../../base/version.ts';
import { failure, routes } from './api.ts';
import { workbenchRoutes } from './workbench/api.ts';

interface Route {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly reply?: z.ZodType;
}

/** The description of the server's API, made of the schemas by which it checks. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of [...routes, ...workbenchRoutes] as readonly Route[]) {
    const { path, method } = route;
    paths[path] = { ...paths[path], [method]: describe(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Typecase viewer', version },
    paths,
    components: {
      securitySchemes: {
        page: { type: 'apiKey', in: 'header', name: 'x-typecase-token' },
      },
    },
  };
}

function describe({ summary, method, query, body, reply }: Route): object {
  return {
    summary,
    ...(query && { parameters: parametersOf(query) }),
    ...(body && { requestBody: { required: true, content: jsonOf(body) } }),
    ...(method === 'post' && { security: [{ page: [] }] }),
    responses: {
      200: { description: 'OK', ...(reply && { content: jsonOf(reply) }) },
      default: { description: 'Why not', content: jsonOf(failure) },
    },
  };
}

function jsonOf(schema: z.ZodType): object {
  return { 'application/json': { schema: schemaOf(schema, 'output') } };
}

function parametersOf(query: z.ZodObject): object[] {
  return Object.entries(query.shape).map(([name, schema]) => ({
    name,
    in: 'query',
    required: !schema.safeParse(undefined).success,
    schema: schemaOf(schema as z.ZodType, 'input'),
  }));
}

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
