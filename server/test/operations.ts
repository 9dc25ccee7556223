/** The operations of the API's description, as tests that walk over all of them need them. */
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

export type Operation = Pick<Described, 'parameters' | 'responses'> & {
  id: string;
  method: string;
  path: string;
  scope: string;
  body?: Body;
  schemas: Record<string, Schema>;
};
export type Field = { name: string; in: string; schema: Schema };
/** A text field; `wrap` puts a text where the body's field has one: alone, in a list, in a record. */
export type TextField = Field & { wrap(text: string): unknown };

export function operationsOf({ paths, components }: Document): Operation[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => {
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
export const bodyOf = ({ body }: Operation): unknown =>
  body && (body.example ?? Object.values(body.examples ?? {})[0]?.value ?? {});

/** Parameters of path and query, and the fields of a JSON body. */
export function fieldsOf({ parameters = [], body, schemas }: Operation): Field[] {
  const of = resolve(body?.schema, schemas)?.properties ?? {};
  return [
    ...parameters.filter((each) => each.in === 'path' || each.in === 'query'),
    ...Object.entries(of).map(([name, schema]) => ({ name, in: 'body', schema })),
  ];
}

export function textsOf(operation: Operation): TextField[] {
  return fieldsOf(operation).flatMap((field) => {
    const wrap = wrapperOf(field.schema, operation.schemas);
    return wrap ? [{ ...field, wrap }] : [];
  });
}

function wrapperOf(schema: Schema, schemas: Operation['schemas']): TextField['wrap'] | null {
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
  const wrap = typeof inner === 'object' ? wrapperOf(inner, schemas) : null;
  if (type === 'array') return wrap && ((text) => [wrap(text)]);
  if (type === 'object') return wrap && ((text) => ({ key: wrap(text) }));
  return (anyOf ?? []).map((branch) => wrapperOf(branch, schemas)).find((each) => each !== null) ?? null;
}

const resolve = (schema: Schema | undefined, schemas: Operation['schemas']): Schema | undefined =>
  schema?.$ref ? schemas[schema.$ref.split('/').at(-1)!] : schema;
