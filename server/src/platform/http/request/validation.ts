import ajvCompiler, { type BuildCompilerFromPool, type RouteDefinition } from '@fastify/ajv-compiler';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import type { Problem } from '../../problem.ts';
import { faultIn } from '../../text.ts';
import { problems } from '../problems.ts';
import { PATTERN_DESCRIPTION } from '../schema/fields.ts';

/**
 * Ajv as the API promises: unknown fields are accepted, JSON bodies are not converted (`"5"` is no number), values of
 * paths, queries and headers are.
 */
export function validatorFactory(): BuildCompilerFromPool {
  const compilers = ajvCompiler();
  const options = {
    removeAdditional: false,
    useDefaults: true,
    // Errors list all invalid fields.
    allErrors: true,
    strict: false,
    verbose: true,
    // Our schemas are checked with the description of the API; here it would take a fifth of a second of each start.
    validateSchema: false,
    meta: false,
  } as const;
  return (externalSchemas) => {
    const exact = compilers(externalSchemas, { customOptions: { ...options, coerceTypes: false } });
    const converting = compilers(externalSchemas, { customOptions: { ...options, coerceTypes: 'array' } });
    // Fastify passes the whole route definition, unlike the type of the compiler states.
    return (route) =>
      compiledWhenUsed(() => {
        const { httpPart, schema } = route as unknown as RouteDefinition & { schema: ParameterSchema };
        if (httpPart === 'body') return exact(route);
        return httpPart === 'querystring' ? withBooleans(converting(route), schema) : converting(route);
      });
  };
}

type ParameterSchema = { properties?: Record<string, { type?: string }> };

/** Spellings of booleans in query strings; Python sends `True`, and some clients send numbers. */
const BOOLEANS: Record<string, string> = { true: 'true', 1: 'true', false: 'false', 0: 'false' };

/** Wraps a validator to accept all spellings of `BOOLEANS`, in any case. */
function withBooleans(check: Check, { properties = {} }: ParameterSchema): Check {
  const names = Object.keys(properties).filter((name) => properties[name]?.type === 'boolean');
  if (names.length === 0) return check;
  const checked = (query: Record<string, unknown>) => {
    for (const name of names) query[name] = BOOLEANS[String(query[name]).toLowerCase()] ?? query[name];
    const ok = check(query);
    checked.errors = check.errors;
    return ok;
  };
  checked.errors = null as Check['errors'];
  return checked as Check;
}

type Check = ReturnType<ReturnType<BuildCompilerFromPool>>;

/** Compiles on first use: compiling all schemas takes half a second at start, and few are needed soon. */
function compiledWhenUsed(compile: () => Check): Check {
  let check: Check | undefined;
  const used = (value: unknown) => {
    check ??= compile();
    const ok = check(value);
    used.errors = check.errors;
    return ok;
  };
  used.errors = null as Check['errors'];
  return used as Check;
}

const PLACES = {
  body: 'field',
  querystring: 'query parameter',
  params: 'path parameter',
  headers: 'header',
} as const;

/** Rejects control characters and lone surrogates in all text of a request. */
export function checkTexts(app: FastifyInstance): void {
  app.addHook('preValidation', async ({ params, query, body }) => {
    requireText(params, 'params');
    requireText(query, 'querystring');
    requireText(body, 'body');
  });
}

/**
 * Throws `request_invalid` (400) if a text in the value has an invalid character. `name` is the field of the request.
 */
export function requireText(value: unknown, place: keyof typeof PLACES, name?: string): void {
  const found = faultIn(value, name === undefined ? [] : [name]);
  if (!found) return;
  const path = pathOf(['', ...found.path].join('/'));
  const subject = path ? `The ${PLACES[place]} \`${path}\`` : 'The request';
  throw problems.request_invalid(`${subject} ${found.fault}, which no text here may have.`);
}

/** Most invalid fields in an error. */
const MAX_FAULTS = 20;

/**
 * Returns `request_invalid` (400) that lists the invalid fields and names the first one: "The field `video_ids[3]` must
 * be string."
 */
export function validationProblem(errors: FastifySchemaValidationError[], place: string): Problem {
  // A union reports all branches; the null branch and the union itself do not help a reader.
  const telling = errors.filter((e) => !isNullBranch(e) && !['anyOf', 'oneOf', 'if'].includes(e.keyword));
  const reported = telling.length > 0 ? telling : errors.slice(0, 1);
  const firstByParam = new Map<string, FastifySchemaValidationError>();
  for (const error of reported) {
    const param = paramOf(error);
    if (!firstByParam.has(param)) firstByParam.set(param, error);
  }
  const faults = [...firstByParam].slice(0, MAX_FAULTS).map(([param, error]) => {
    const siblings = reported.filter((e) => e.instancePath === error.instancePath && e.keyword === error.keyword);
    return { param, message: error.keyword === 'required' ? 'is required' : ruleOf(error, siblings) };
  });
  const [first] = faults;
  const noun = PLACES[place as keyof typeof PLACES] ?? 'field';
  const subject = first!.param ? `The ${noun} \`${first!.param}\`` : place === 'body' ? 'The body' : 'The request';
  return problems.request_invalid(`${subject} ${first!.message}.`, { errors: faults });
}

/** Path of the field that an error is about; of a missing field, its own path. */
function paramOf({ keyword, instancePath, params }: FastifySchemaValidationError): string {
  const path = pathOf(instancePath);
  if (keyword !== 'required') return path;
  const missing = String(params.missingProperty);
  return path ? `${path}.${missing}` : missing;
}

const isNullBranch = (e: FastifySchemaValidationError) => e.keyword === 'type' && e.params.type === 'null';

function ruleOf(error: FastifySchemaValidationError, siblings: FastifySchemaValidationError[]): string {
  if (error.keyword === 'const')
    return `must be one of ${siblings.map((e) => String(e.params.allowedValue)).join(', ')}`;
  if (error.keyword === 'enum') return `must be one of ${(error.params.allowedValues as unknown[]).join(', ')}`;
  if (error.keyword === 'type') return `must be of type ${siblings.map((e) => String(e.params.type)).join(' or ')}`;
  if (error.keyword === 'pattern') return `must be ${formOf(error)}`;
  if (error.keyword === 'format') return `must be ${FORMATS[String(error.params.format)] ?? 'of another form'}`;
  return (error.message ?? 'is not valid').replace('must NOT', 'must not');
}

/** Formats of JSON Schema in words. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'a date and time with its zone, such as 2026-11-27T08:00:00Z',
  email: 'an email address',
};

/** The description of a pattern. */
function formOf({ parentSchema }: FastifySchemaValidationError & { parentSchema?: Record<string, unknown> }): string {
  return String(parentSchema?.[PATTERN_DESCRIPTION] ?? 'of another form');
}

/** `/video_ids/3/name` → `video_ids[3].name` */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) && path ? `${path}[${part}]` : path ? `${path}.${part}` : part), '');
}
