/** The operations of the OpenAPI document, for tests that walk all of them. */
import type { ApiClient } from '../http.ts';

type Schema = {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: Schema | boolean;
  patternProperties?: Record<string, Schema>;
  anyOf?: Schema[];
  examples?: object[];
};
type Body = { schema?: Schema; example?: object; examples?: Record<string, { value: object }> };
type Described = {
  operationId: string;
  'x-scope': string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: Record<string, Body> };
  responses: Record<string, unknown>;
};
type Document = { paths: Record<string, Record<string, Described>>; components: { schemas: Record<string, Schema> } };

export type DescribedOperation = Pick<Described, 'parameters' | 'responses'> & {
  id: string;
  method: string;
  path: string;
  scope: string;
  body?: Body;
  schemas: Record<string, Schema>;
};
export type OperationField = { name: string; in: string; schema: Schema };
/** A text field; `wrap` puts a text where the body's field has one: alone, in a list, in a record. */
export type TextField = OperationField & { wrap(text: string): unknown };

/** The OpenAPI document of a service. Request bodies have their example beside the schema, also those of resources. */
// biome-ignore lint/suspicious/noExplicitAny: each test declares the parts that it reads
export async function fetchDocument(api: ApiClient): Promise<any> {
  const document: Document = JSON.parse((await api.call('GET', '/openapi.json')).text);
  for (const { requestBody } of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    const body = requestBody?.content['application/json'];
    if (body) body.example ??= resolve(body.schema, document.components.schemas)?.examples?.[0];
  }
  return document;
}

export function listOperations({ paths, components }: Document): DescribedOperation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): DescribedOperation => {
      const { operationId: id, parameters, responses, requestBody, 'x-scope': scope } = described;
      const body = requestBody?.content['application/json'];
      return {
        id,
        method: method.toUpperCase(),
        path,
        scope,
        parameters,
        responses,
        body,
        schemas: components.schemas,
      };
    }),
  );
}

/** A body as the description shows it; undefined for operations without one. */
export const exampleBody = ({ body }: DescribedOperation): unknown =>
  body && (body.example ?? Object.values(body.examples ?? {})[0]?.value ?? {});

/** Parameters of path and query, and the fields of a JSON body. */
export function listFields({ parameters = [], body, schemas }: DescribedOperation): OperationField[] {
  const of = resolve(body?.schema, schemas)?.properties ?? {};
  return [
    ...parameters.filter((each) => each.in === 'path' || each.in === 'query'),
    ...Object.entries(of).map(([name, schema]) => ({ name, in: 'body', schema })),
  ];
}

export function listTextFields(operation: DescribedOperation): TextField[] {
  return listFields(operation).flatMap((field) => {
    const wrap = findWrapper(field.schema, operation.schemas);
    return wrap ? [{ ...field, wrap }] : [];
  });
}

function findWrapper(schema: Schema, schemas: DescribedOperation['schemas']): TextField['wrap'] | null {
  const {
    type,
    enum: words,
    items,
    additionalProperties,
    patternProperties,
    anyOf,
    format,
  } = resolve(schema, schemas)!;
  if (words || format === 'binary') return null;
  if (type === 'string') return (text) => text;
  const inner = items ?? patternProperties?.['^.*$'] ?? (additionalProperties as Schema | undefined);
  const wrap = typeof inner === 'object' ? findWrapper(inner, schemas) : null;
  if (type === 'array') return wrap && ((text) => [wrap(text)]);
  if (type === 'object') return wrap && ((text) => ({ key: wrap(text) }));
  return (anyOf ?? []).map((branch) => findWrapper(branch, schemas)).find((each) => each !== null) ?? null;
}

const resolve = (schema: Schema | undefined, schemas: DescribedOperation['schemas']): Schema | undefined =>
  schema?.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema;
