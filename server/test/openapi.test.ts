import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Errors } from 'typebox/schema';
import { describe, expect, test } from 'vitest';
import { ACCESS_TABLE } from './api/access-table.ts';

/**
 * Holds the API's description to what readers are promised (CONTRIBUTING.md, "Add an endpoint"): walks the committed
 * document, which `npm run check` holds to the code.
 */
type Schema = { $ref?: string; type?: string; format?: string; examples?: unknown[]; anyOf?: Schema[] };
type Media = { schema?: Schema; example?: unknown; examples?: Record<string, { value: unknown }> };
type Response = { description: string; headers?: Record<string, object>; content?: Record<string, Media> };
type Operation = {
  operationId?: string;
  summary?: string;
  description?: string;
  security: object[];
  parameters?: { name: string; in: string; description?: string; schema: object }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response | { $ref: string }>;
};

const text = await readFile(join(import.meta.dirname, '../openapi.json'), 'utf8');
const document = JSON.parse(text) as {
  info: { version: string };
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> };
};
const responseOf = (response: Response | { $ref: string }): Response =>
  '$ref' in response ? document.components.responses[response.$ref.split('/').at(-1)!]! : response;
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
);

/** Examples of a request or response; none for binary content. */
const examplesOf = ({ schema, example, examples = {} }: Media): unknown[] => [
  ...(example === undefined ? [] : [example]),
  // Several examples of one body have names.
  ...Object.values(examples).map(({ value }) => value),
  ...(schema ? examplesIn(schema) : []),
];
const examplesIn = ({ $ref, examples = [], anyOf = [] }: Schema): unknown[] => [
  ...examples,
  ...anyOf.flatMap(examplesIn),
  ...($ref ? examplesIn(document.components.schemas[$ref.split('/').at(-1)!]!) : []),
];
const isBinary = ({ schema }: Media) => schema?.format === 'binary';

/** The statuses that an operation can give because of what it is. */
function expectedOf({ security, parameters = [], requestBody }: Operation): string[] {
  const has = (place: string, parameter?: string) =>
    parameters.some((each) => each.in === place && (parameter === undefined || each.name === parameter));
  return [
    '500',
    ...(security.length > 0 ? ['400', '401', '403', '429', '503'] : []),
    ...(has('path') ? ['404'] : []),
    ...(has('query', 'token') ? ['400', '403', '404', '503'] : []),
    ...(has('header', 'idempotency-key') ? ['409'] : []),
    ...(requestBody ? ['413', '415'] : []),
  ];
}

test('states the version of the interface, which is not that of the product', () => {
  expect(document.info.version).toBe('1.0.0');
});

describe.each(operations)('%s', (_name, operation) => {
  const bodies = [
    ...Object.entries(operation.requestBody?.content ?? {}).map(([type, media]) => [`request ${type}`, media] as const),
    ...Object.entries(operation.responses).flatMap(([status, response]) =>
      Object.entries(responseOf(response).content ?? {}).map(([type, media]) => [`${status} ${type}`, media] as const),
    ),
  ];

  test('is named and described', () => {
    expect(operation.operationId).toMatch(/^[a-z][A-Za-z0-9]+$/);
    expect(operation.summary).toBeTruthy();
    expect(operation.description).toBeTruthy();
    for (const { name, description } of operation.parameters ?? []) expect(description, name).toBeTruthy();
  });

  test('has examples of requests and responses', () => {
    for (const [place, media] of bodies) {
      if (isBinary(media)) continue;
      const examples = examplesOf(media);
      expect(examples.length, `${place}: write \`examples\` where its schema is`).toBeGreaterThan(0);
      for (const example of examples) {
        const schema = { ...media.schema, components: document.components };
        const [, errors] = Errors(schema as never, example);
        expect(errors, place).toEqual([]);
      }
    }
  });

  test('names its body and its responses', () => {
    const json = [
      ...Object.entries(operation.requestBody?.content ?? {}),
      ...Object.entries(operation.responses).flatMap(([status, response]) =>
        status.startsWith('2') ? Object.entries(responseOf(response).content ?? {}) : [],
      ),
    ].filter(([, media]) => !isBinary(media) && media.schema?.type !== 'string');
    const named = json.every(([, { schema }]) => /^#\/components\/schemas\/\w+$/.test(schema?.$ref ?? ''));
    expect(named, 'write `resource(name, …)` around the schema').toBe(true);
  });

  test('documents all statuses, with errors in their common form', () => {
    expect(Object.keys(operation.responses)).toEqual(expect.arrayContaining(expectedOf(operation)));
    for (const [status, response] of Object.entries(operation.responses)) {
      const { content, headers, description } = responseOf(response);
      expect(description, status).not.toBe('Default Response');
      expect(headers, status).toHaveProperty('X-Request-ID');
      if (status === '429' || status === '503') expect(headers, status).toHaveProperty('Retry-After');
      if (status === '429') expect(headers).toMatchObject({ RateLimit: {}, 'RateLimit-Policy': {} });
      if (Number(status) < 400) continue;
      expect(content, status).toMatchObject({
        'application/json': { schema: { $ref: '#/components/schemas/ErrorResponse' } },
      });
    }
  });
});

test('every operation has an entry in the access table', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(Object.keys(ACCESS_TABLE).sort()).toEqual(ids.sort());
});

test('no two operations have one name', () => {
  const ids = operations.map(([, { operationId }]) => operationId);
  expect(ids.filter((id, i) => ids.indexOf(id) < i)).toEqual([]);
});
