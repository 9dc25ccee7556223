import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifySchema, RouteOptions } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { SESSION_COOKIE } from '../auth/cookies.ts';
import { idempotencyMode, storesData } from '../idempotency/idempotency.ts';
import { deprecationSentence } from '../response/deprecation.ts';
import { failures } from '../schema/failures.ts';
import { SCHEMA_NAME } from '../schema/fields.ts';
import { RESOURCE_NAME } from '../schema/resource.ts';
import type { App } from '../types.ts';
import { createResources } from './resources.ts';
import { describeResponses } from './responses.ts';

export type ApiDescription = {
  title: string;
  version: string;
  description: string;
  tags: { name: string; description: string }[];
  /** Schemas of `ServiceValidated` fields, by name. */
  schemas: Record<string, TSchema>;
};

/**
 * Describes the routes registered after this call as OpenAPI 3.1, at `/openapi.json` and, without external files, at
 * `/docs`. Security, scope, the `Idempotency-Key` header and its 409 are derived from the `config` of a route.
 */
export function serveOpenApi(app: App, { title, version, description, tags, schemas }: ApiDescription): void {
  const resources = createResources();
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
    transformObject: (spec) => {
      const document = ('openapiObject' in spec ? spec.openapiObject : {}) as { components?: { schemas?: object } };
      const components = {
        ...document.components,
        schemas: { ...document.components?.schemas, ...resources.definitions },
      };
      return describeResponses(tidy({ ...document, components }, resources.definitions) as object);
    },
    transform: ({ schema, url, route }) => ({ schema: resources.hoist(describeRoute(schema, route)), url }),
  });
  // A name with two definitions fails at start, not when the document is first read.
  app.addHook('onRoute', ({ schema }) => void resources.hoist(schema));
  app.register(async (docs) => {
    docs.addHook('onRoute', (route) => {
      route.config = { ...route.config, scope: 'public' };
    });
    docs.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      staticCSP:
        "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'self'; frame-ancestors 'none'",
      theme: { title, css: [{ filename: 'sightline.css', content: STYLE }] },
      uiConfig: {
        validatorUrl: null,
        deepLinking: true,
        displayRequestDuration: true,
        persistAuthorization: true,
        // Collapsed to the areas: the list of all operations is too long for a phone.
        docExpansion: 'none',
      },
    });
  });
}

/** Hides the bar with the name of the framework; content never exceeds the width of a phone. */
const STYLE = `
.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }
.swagger-ui .opblock-body { overflow-x: auto }
.swagger-ui .opblock-summary-path { max-width: none; min-width: 0; overflow-wrap: anywhere }
`;

/** The document as text for the repository: sorted paths and schemas, two spaces, final newline. Needs a ready app. */
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
  const { scope, folderKeys, anySession, deprecated } = route.config ?? {};
  if (!schema || schema.hide || !scope) return { hide: true };
  const mode = idempotencyMode(route);
  const once = mode !== 'none';
  const responses = schema.response as Record<string, unknown>;
  return {
    ...schema,
    description: [
      ...(deprecated ? [deprecationSentence(deprecated)] : []),
      ...(schema.description ? [schema.description] : []),
      `${NEEDS[scope]}${folderKeys ? ' A key limited to a folder can access that folder.' : ''}`,
    ].join('\n\n'),
    ...(deprecated ? { deprecated: true } : {}),
    security: SECURITY[scope] ?? [{ bearer: [] }, { apiKey: [] }, { session: [] }],
    ...(once ? { headers: withKeyHeader(schema.headers) } : {}),
    response: {
      ...named(responses, `${schema.summary}: the answer.`),
      ...(once && !responses[409] ? pick(failures(409), 409) : {}),
      ...(schema.body ? pick(failures(413, 415), 413, 415) : {}),
      ...(storesData(route) && !responses[507] ? pick(failures(507), 507) : {}),
    },
    'x-scope': scope,
    // For a client, a staged response is a replayed one.
    ...(once ? { 'x-idempotency': mode === 'resumable' ? mode : 'replay' } : {}),
    ...(folderKeys ? { 'x-folder-keys': true } : {}),
    ...(anySession ? { 'x-any-session': true } : {}),
  } as FastifySchema;
}

/** Adds a description to responses that have no JSON schema to take it from. */
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
 * Adapts the document to readers and client generators: a union of constants becomes one `enum`, repeated descriptions
 * are removed, a parameter is described once, and a body without required fields is optional.
 */
function tidy(value: unknown, definitions: Record<string, Node>): unknown {
  if (Array.isArray(value)) return value.map((item) => tidy(item, definitions));
  if (value === null || typeof value !== 'object') return value;
  const node = Object.fromEntries(Object.entries(value).map(([key, child]) => [key, tidy(child, definitions)])) as Node;
  if (node.in !== undefined && node.description !== undefined) {
    for (const repeat of [node.schema, ...(node.schema?.anyOf ?? [])]) dropDescription(repeat, node.description);
  }
  if (node.required === true && node.content && mayBeLeftOut(node.content, definitions)) delete node.required;
  if (node.content) dropRepeatedExamples(node.content, definitions);
  const reference = referenceIn(node);
  if (reference) return reference;
  // The plugin does the same in schemas without a name.
  if (node.const !== undefined && typeof node.const !== 'object') {
    node.enum = [node.const];
    delete node.const;
  }
  if (node.patternProperties && node.type === 'object') {
    node.additionalProperties = Object.values(node.patternProperties)[0];
    delete node.patternProperties;
  }
  const { anyOf, items, additionalItems, ...rest } = node;
  // OpenAPI 3.1 has another keyword for a tuple.
  if (Array.isArray(items)) return { ...rest, prefixItems: items, items: additionalItems };
  if (!Array.isArray(anyOf)) return node;
  if (anyOf.every((branch) => branch.type === 'string' && Array.isArray(branch.enum) && !branch.description)) {
    return { type: 'string', enum: anyOf.flatMap((branch) => branch.enum), ...rest };
  }
  for (const branch of anyOf) dropDescription(branch, rest.description);
  return node;
}

/** The reference to a named schema. */
function referenceIn(node: Node): object | undefined {
  const { [RESOURCE_NAME]: resource, [SCHEMA_NAME]: checkedElsewhere } = node;
  if (checkedElsewhere !== undefined) return { ...referenceTo(checkedElsewhere), description: node.description };
  return resource === undefined ? undefined : referenceTo(resource);
}

const referenceTo = (name: string) => ({ $ref: `${SCHEMAS}${name}` });
const SCHEMAS = '#/components/schemas/';

/** True for a body without required fields: no body means an empty one. */
const mayBeLeftOut = (content: Record<string, Media>, definitions: Record<string, Node>) =>
  Object.values(content).every(({ schema }) => {
    const body = definitionOf(schema, definitions) ?? schema;
    return body?.type === 'object' && body.required === undefined;
  });

/** The plugin repeats the examples of a schema beside it; a named schema has its own. */
function dropRepeatedExamples(content: Record<string, Media>, definitions: Record<string, Node>): void {
  for (const media of Object.values(content)) {
    if (!definitionOf(media.schema, definitions)?.examples) continue;
    delete media.example;
    delete media.examples;
  }
}

const definitionOf = (schema: Node | undefined, definitions: Record<string, Node>): Node | undefined =>
  schema?.$ref?.startsWith(SCHEMAS) ? definitions[schema.$ref.slice(SCHEMAS.length)] : undefined;

function dropDescription(node: Node | undefined, repeated: string | undefined): void {
  if (node?.description === repeated) delete node?.description;
}

type Media = { schema?: Node; example?: unknown; examples?: unknown };

type Node = {
  [RESOURCE_NAME]?: string;
  [SCHEMA_NAME]?: string;
  $ref?: string;
  in?: string;
  description?: string;
  schema?: Node;
  required?: unknown;
  content?: Record<string, Media>;
  examples?: unknown[];
  anyOf?: Node[];
  items?: unknown;
  additionalItems?: unknown;
  const?: unknown;
  additionalProperties?: unknown;
  patternProperties?: Record<string, Node>;
  type?: string;
  enum?: unknown[];
};
