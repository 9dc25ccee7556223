import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { describeAnswers } from './answers.ts';
import { SESSION_COOKIE } from './cookies.ts';
import { idempotencyOf, storesSomething } from './idempotency/index.ts';
import { failures, SCHEMA_NAME } from './schema.ts';
import type { App } from './types.ts';

export type ApiDescription = {
  title: string;
  version: string;
  description: string;
  tags: { name: string; description: string }[];
  /** Schemas of fields that are `CheckedElsewhere`, by name. */
  schemas: Record<string, TSchema>;
};

/**
 * Describes the app's routes, those that are registered after this, as OpenAPI 3.1: the document at `/openapi.json`, drawn at `/docs`
 * (from files of our own, so it works without a network). What follows from a route's `config` (security, scope, the
 * `Idempotency-Key` header and its 409) is written here, so that no route can forget it.
 */
export function serveOpenApi(app: App, { title, version, description, tags, schemas }: ApiDescription): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title, version, description, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
      servers: [{ url: '/', description: 'The service that serves this document.' }],
      tags,
      components: {
        schemas: schemas as Record<string, object>,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'An API key: `Authorization: Bearer sk_…`' },
          apiKey: {
            type: 'apiKey',
            in: 'header',
            name: 'X-API-Key',
            description: 'The same key in a header of its own.',
          },
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description:
              'Set by signing in; over https its name starts with `__Host-`. What changes something must come from a page of this service (`Origin`).',
          },
        },
      },
    },
    refResolver: { buildLocalReference: (json, _base, _fragment, i) => String(json.$id ?? `def-${i}`) },
    transformObject: (spec) => describeAnswers(tidy('openapiObject' in spec ? spec.openapiObject : {}) as object),
    transform: ({ schema, url, route }) => ({ schema: describeRoute(schema, route), url }),
  });
  app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, scope: 'public' };
    });
    docs.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
    docs.get('/', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs'));
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP:
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
      theme: { title, css: [{ filename: 'sightline.css', content: STYLE }] },
      uiConfig: {
        ...{ validatorUrl: null, deepLinking: true, displayRequestDuration: true, persistAuthorization: true },
        // The areas first: all operations at once are a long way on a phone.
        docExpansion: 'none',
      },
    });
  });
}

/** Without the bar that carries the framework's name and a field for other documents; nothing is wider than a phone. */
const STYLE = `
.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }
.swagger-ui .opblock-body { overflow-x: auto }
.swagger-ui .opblock-summary-path { max-width: none; min-width: 0; overflow-wrap: anywhere }
`;

/** The document as committed text: paths and schemas in alphabetical order, two spaces, a newline at the end. Call on an app that is ready. */
export function renderOpenApi(app: App): string {
  const document = app.swagger() as { paths?: object; components?: { schemas?: object; responses?: object } };
  const sorted = <T extends object>(record: T | undefined) =>
    Object.fromEntries(Object.entries(record ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  const { schemas, responses } = document.components ?? {};
  const components = { ...document.components, responses: sorted(responses), schemas: sorted(schemas) };
  return `${JSON.stringify({ ...document, components, paths: sorted(document.paths) }, null, 2)}\n`;
}

const KEY_HEADER = Type.Object({
  'idempotency-key': Type.Optional(
    Type.String({
      pattern: '^[!-~]{1,255}$',
      description: 'Makes a repeat of this request safe: it gets the first answer for 24 hours. Visible ASCII.',
    }),
  ),
});

const withKeyHeader = (headers: unknown) =>
  Type.Object({ ...(headers as typeof KEY_HEADER | undefined)?.properties, ...KEY_HEADER.properties });

const NEEDS = {
  public: 'Needs no key.',
  any: 'Needs a valid key or a session, whatever its scopes.',
  session: 'Needs a session: someone who is signed in. A key is not enough.',
  read: 'Needs a key with the scope `read`, or a session.',
  write: 'Needs a key with the scope `write`, or a session.',
  admin: 'Needs a key with the scope `admin`, or a session of an admin or owner.',
};

const SECURITY: Record<string, object[]> = { public: [], session: [{ session: [] }] };

function describeRoute(schema: FastifySchema | undefined, route: RouteOptions): FastifySchema {
  const { scope, folderKeys, anySession } = route.config ?? {};
  if (!schema || schema.hide || !scope) return { hide: true };
  const mode = idempotencyOf(route);
  const once = mode !== 'none';
  const responses = schema.response as Record<string, unknown>;
  return {
    ...schema,
    description:
      `${schema.description ?? ''}\n\n${NEEDS[scope]}${folderKeys ? ' A key limited to a folder reaches what lies in it.' : ''}`.trim(),
    security: SECURITY[scope] ?? [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    ...(once ? { headers: withKeyHeader(schema.headers) } : {}),
    response: {
      ...named(responses, `${schema.summary}: the answer.`),
      ...(once && !responses[409] ? pick(failures(409), 409) : {}),
      ...(schema.body ? pick(failures(413, 415), 413, 415) : {}),
      ...(storesSomething(route) && !responses[507] ? pick(failures(507), 507) : {}),
    },
    'x-scope': scope,
    // To a client, a staged answer is a replayed one.
    ...(once ? { 'x-idempotency': mode === 'resumable' ? mode : 'replay' } : {}),
    ...(folderKeys ? { 'x-folder-keys': true } : {}),
    ...(anySession ? { 'x-any-session': true } : {}),
  } as FastifySchema;
}

/** Gives every response a description; those that are not JSON objects have no schema to take it from. */
const named = (responses: Record<string, unknown>, description: string) =>
  Object.fromEntries(
    Object.entries(responses).map(([status, response]) => [
      status,
      isContent(response) ? { description, ...response } : response,
    ]),
  );

const isContent = (response: unknown): response is object =>
  typeof response === 'object' && response !== null && 'content' in response;

const pick = (record: Record<number, unknown>, ...codes: number[]) =>
  Object.fromEntries(codes.map((code) => [code, record[code]]));

/**
 * The same schemas, said more plainly: a union of single words becomes one list of words, a description that a nullable field repeats inside
 * is dropped, a parameter's description stands at the parameter alone, and a body that may be left out is not required.
 */
function tidy(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidy);
  if (value === null || typeof value !== 'object') return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, tidy(child)])) as Node;
  if (node.in !== undefined && node.description !== undefined) {
    for (const repeat of [node.schema, ...(node.schema?.anyOf ?? [])]) dropDescription(repeat, node.description);
  }
  if (node.required === true && node.content && mayBeLeftOut(node.content)) delete node.required;
  const name = node[SCHEMA_NAME];
  if (name !== undefined) return { $ref: `#/components/schemas/${name}`, description: node.description };
  const { anyOf, items, additionalItems, ...rest } = node;
  // A list of schemas, one for each place, has another name in OpenAPI 3.1.
  if (Array.isArray(items)) return { ...rest, prefixItems: items, items: additionalItems };
  if (!Array.isArray(anyOf)) return node;
  if (anyOf.every((branch) => branch.type === 'string' && Array.isArray(branch.enum) && !branch.description)) {
    return { type: 'string', enum: anyOf.flatMap((branch) => branch.enum), ...rest };
  }
  for (const branch of anyOf) dropDescription(branch, rest.description);
  return node;
}

/** A body of fields none of which is required: none at all is taken for an empty one. */
const mayBeLeftOut = (content: Record<string, { schema?: Node }>) =>
  Object.values(content).every(({ schema }) => schema?.type === 'object' && schema.required === undefined);

function dropDescription(node: Node | undefined, repeated: string | undefined): void {
  if (node?.description === repeated) delete node?.description;
}

type Node = {
  [SCHEMA_NAME]?: string;
  in?: string;
  description?: string;
  schema?: Node;
  required?: unknown;
  content?: Record<string, { schema?: Node }>;
  anyOf?: Node[];
  items?: unknown;
  additionalItems?: unknown;
  type?: string;
  enum?: unknown[];
};
