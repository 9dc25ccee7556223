import type {
  FastifyContextConfig,
  FastifyReply,
  FastifyRequest,
  RouteHandlerMethod,
  RouteShorthandOptions,
} from 'fastify';
import type { Static, TObject, TSchema } from 'typebox';
import { fileResponses, type ServedFile, sendFile } from './response/send-file.ts';
import { failures, publicFailures } from './schema/failures.ts';
import { type Domain, type DomainInput, fromWire, toWire } from './schema/wire.ts';
import type { App } from './types.ts';

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Defaults of the routes of a room. `tag` is the area of the API. */
export type RouteDefaults = FastifyContextConfig & {
  tag: string;
  /** Scope of reads; operations that write need `write` if this is `read`. */
  scope: NonNullable<FastifyContextConfig['scope']>;
};

type Content = { description?: string; content: Record<string, { schema: TSchema }> };

type OperationText = { id: string; tag?: string; summary: string; description: string };

/** Options of Fastify for a few routes. */
type RouteOptions = Pick<
  RouteShorthandOptions,
  'bodyLimit' | 'exposeHeadRoute' | 'validatorCompiler' | 'onRequest' | 'preParsing' | 'preHandler'
>;

export type Operation<
  Params extends TObject,
  Query extends TObject,
  Headers extends TObject,
  Body extends TSchema,
  Response extends TSchema,
> = OperationText &
  FastifyContextConfig &
  RouteOptions & {
    params?: Params;
    query?: Query;
    headers?: Headers;
    body?: Body;
    /** Content types of the body; JSON unless given. */
    consumes?: readonly string[];
    /** The JSON response; its status is 200 unless `status` is given. */
    response?: Response;
    status?: number;
    /** Success responses that are not JSON: event streams, files, empty ones. */
    responses?: Record<number, Content | TSchema>;
    /** Error statuses besides those that follow from authentication, limits and the body. A public route lists all. */
    errors?: readonly number[];
  };

/** A request in domain form: names in camelCase, timestamps as dates. Headers are unchanged. */
type RouteRequest<
  Params extends TSchema,
  Query extends TSchema,
  Headers extends TSchema,
  Body extends TSchema,
> = FastifyRequest<{
  Params: Domain<Params>;
  Querystring: Domain<Query>;
  Headers: Static<Headers>;
  Body: Domain<Body>;
}>;

type Awaitable<T> = T | Promise<T>;
/** Results without a JSON schema are not mapped. */
type Result<Response extends TSchema> = TSchema extends Response ? unknown : DomainInput<Response> | FastifyReply;

type FileOperation<Params extends TObject, Query extends TObject> = OperationText & {
  params: Params;
  query: Query;
  /** Content type and description of the file; text has an example. */
  type: string;
  what: string;
  example?: string;
};

/**
 * Declares the operations of a room: `route.get(path, operation, handler)`. Requests are validated by the schemas of
 * the operation. Handlers receive and return domain objects, which are mapped by the same schemas.
 */
export function routes(app: App, defaults: RouteDefaults) {
  const { tag: areaTag, scope: readScope, ...shared } = defaults;

  const declare =
    (method: Method) =>
    <
      Params extends TObject = TObject,
      Query extends TObject = TObject,
      Headers extends TObject = TObject,
      Body extends TSchema = TSchema,
      Response extends TSchema = TSchema,
    >(
      path: string,
      operation: Operation<Params, Query, Headers, Body, Response>,
      handler: (
        request: RouteRequest<Params, Query, Headers, Body>,
        reply: FastifyReply,
      ) => Awaitable<Result<Response>>,
    ): void => {
      const { id, tag, summary, description, params, query, headers, body, consumes, ...rest } = operation;
      const { response, status = 200, responses, errors = [], ...options } = rest;
      const { bodyLimit, exposeHeadRoute, validatorCompiler, onRequest, preParsing, preHandler, ...ownConfig } =
        options;
      const scope = ownConfig.scope ?? (readScope === 'read' && WRITES.has(method) ? 'write' : readScope);
      const mapped = async (request: FastifyRequest, reply: FastifyReply) => {
        if (params) request.params = fromWire(params, request.params as never);
        if (query) request.query = fromWire(query, request.query as never);
        if (body && !validatorCompiler) request.body = fromWire(body, request.body as never);
        if (status !== 200) reply.code(status);
        const result = await handler(request as RouteRequest<Params, Query, Headers, Body>, reply);
        return response && isJson(result, reply) ? toWire(response, result as never) : result;
      };
      app.route({
        method,
        url: path,
        ...defined({ bodyLimit, exposeHeadRoute, validatorCompiler, onRequest, preParsing, preHandler }),
        config: { ...shared, ...ownConfig, scope },
        schema: {
          operationId: id,
          tags: [tag ?? areaTag],
          summary,
          description,
          ...defined({ params, querystring: query, headers, body, consumes }),
          response: {
            ...(response ? { [status]: response } : {}),
            ...responses,
            ...(scope === 'public' ? publicFailures(...errors) : failures(...errors)),
          },
        },
        handler: mapped as RouteHandlerMethod,
      });
    };

  const get = declare('GET');
  const head = declare('HEAD');

  return {
    get,
    post: declare('POST'),
    put: declare('PUT'),
    patch: declare('PATCH'),
    delete: declare('DELETE'),
    /** A file behind a signed URL, for GET and HEAD. `open` throws where the token does not allow it. */
    file<Params extends TObject, Query extends TObject>(
      path: string,
      { type, what, example, ...operation }: FileOperation<Params, Query>,
      open: (request: RouteRequest<Params, Query, TObject, TSchema>, reply: FastifyReply) => Promise<ServedFile>,
    ): void {
      const { 200: whole, 206: part, 304: unchanged, ...refusals } = fileResponses({ type, what, example });
      const described = {
        ...operation,
        scope: 'public' as const,
        countedAs: 'file' as const,
        responses: { 200: whole, 206: part, 304: unchanged },
        errors: Object.keys(refusals).map(Number),
      };
      const send = async (request: RouteRequest<Params, Query, TObject, TSchema>, reply: FastifyReply) =>
        sendFile(request, reply, await open(request, reply));
      // The HEAD that Fastify adds to a GET would read the file to its end.
      get(path, { ...described, exposeHeadRoute: false }, send);
      head(path, described, send);
    },
  };
}

const WRITES = new Set<Method>(['POST', 'PUT', 'PATCH', 'DELETE']);

/** False for a sent reply, for text and for a stream of text (`jsonText`). */
const isJson = (result: unknown, reply: FastifyReply) =>
  result !== reply && typeof result === 'object' && result !== null && !('pipe' in result);

const defined = <T extends object>(options: T): { [K in keyof T]?: NonNullable<T[K]> } =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
