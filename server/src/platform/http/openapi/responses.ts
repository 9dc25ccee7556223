import { isDeepStrictEqual } from 'node:util';
import { HTTP_PROBLEMS } from '../problems.ts';

/**
 * Response headers in the API description. They are set by this layer, not by routes, so `describeResponses` adds them.
 */
const HEADERS = {
  'X-Request-ID': {
    description: 'Identifier of the request, as in the log: the one that the client sent if it is valid.',
    schema: { type: 'string' },
    example: '019a0b1c2d3e7f008000000000000099-4',
  },
  'API-Version': {
    description: 'Version of the interface that responded.',
    schema: { type: 'string' },
    example: '1.0.0',
  },
  Deprecation: {
    description: 'When this operation was deprecated: seconds since 1970 (RFC 9745).',
    schema: { type: 'string' },
    example: '@1803859200',
  },
  Sunset: {
    description: 'When this operation stops working (RFC 8594).',
    schema: { type: 'string' },
    example: 'Wed, 01 Mar 2028 00:00:00 GMT',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  'RateLimit-Policy': {
    description: 'The limits that count here: name, quota (`q`) and length of the window in seconds (`w`).',
    schema: { type: 'string' },
    example: '"write-minute";q=60;w=60, "write-day";q=10000;w=86400',
  },
  RateLimit: {
    description: 'Remaining quota of each limit: requests (`r`), and seconds until its window resets (`t`).',
    schema: { type: 'string' },
    example: '"write-minute";r=59;t=60, "write-day";r=9999;t=86400',
  },
  'Idempotency-Replayed': {
    description: '`true` on the answer to a repeat: it is the first one, and nothing was done again.',
    schema: { type: 'string', enum: ['true'] },
    example: 'true',
  },
  'Ignored-Fields': {
    description: 'Fields of the body without effect, because this operation does not have them; at most 20.',
    schema: { type: 'string' },
    example: 'color, files[].size',
  },
  ETag: {
    description: 'Stands for these bytes: the same as long as they are the same.',
    schema: { type: 'string' },
    example: '"5d41402abc4b2a76b9719d911017c592"',
  },
  'Last-Modified': {
    description: 'When the bytes came to be.',
    schema: { type: 'string' },
    example: 'Sat, 21 Nov 2026 09:30:00 GMT',
  },
  'Accept-Ranges': {
    description: 'Parts can be asked for with `Range`.',
    schema: { type: 'string', enum: ['bytes'] },
    example: 'bytes',
  },
  'Content-Range': {
    description: 'Which bytes these are, of how many; of a range outside of the file, only how many there are.',
    schema: { type: 'string' },
    example: 'bytes 0-1023/48120331',
  },
} as const;

type Sentences = Record<string, { status: number; sentence: string }>;
/** Example of an error per status: the first one known here. */
const ERRORS = Object.fromEntries(
  Object.entries<Sentences[string]>({
    key_unknown: { status: 401, sentence: 'This API key is unknown.' },
    video_not_found: { status: 404, sentence: 'There is no video with this id.' },
    ...(HTTP_PROBLEMS as Sentences),
  })
    .toReversed()
    .map(([code, { status, sentence }]) => {
      const request_id = HEADERS['X-Request-ID'].example;
      return [status, { example: { detail: sentence, message: sentence, error: code, request_id } }];
    }),
);

type Name = keyof typeof HEADERS;
type Operation = {
  deprecated?: boolean;
  security?: object[];
  parameters?: { name: string }[];
  requestBody?: object;
  responses: Record<string, { headers?: object; content?: Record<string, object>; $ref?: string }>;
};

const RATES: Name[] = ['RateLimit', 'RateLimit-Policy'];
const FILE: Name[] = ['ETag', 'Last-Modified', 'Accept-Ranges'];

/** Headers of a response with this status. A route that can respond with 206 serves a file. */
function headersOf(
  status: string,
  { deprecated, security = [], parameters = [], requestBody, responses }: Operation,
): Name[] {
  const success = status.startsWith('2');
  const file = '206' in responses;
  return [
    'X-Request-ID',
    'API-Version',
    ...(deprecated ? (['Deprecation', 'Sunset'] as const) : []),
    ...(status === '429' || status === '503' ? (['Retry-After'] as const) : []),
    ...(status === '429' || (success && (security.length > 0 || file)) ? RATES : []),
    ...(success && parameters.some(({ name }) => name === 'idempotency-key')
      ? (['Idempotency-Replayed'] as const)
      : []),
    ...(success && requestBody ? (['Ignored-Fields'] as const) : []),
    ...(file && (success || status === '304') ? FILE : []),
    ...(status === '206' || status === '416' ? (['Content-Range'] as const) : []),
  ];
}

/** Adds the headers of each response to an OpenAPI document, and moves equal error responses to components. */
export function describeResponses<T extends object>(document: T): T {
  const { paths = {}, components } = document as {
    paths?: Record<string, Record<string, Operation>>;
    components?: object;
  };
  const errors: Record<string, object> = {};
  const used = new Set<string>();
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const names = headersOf(status, operation);
      for (const name of names) used.add(name);
      const references = names.map((name) => [name, { $ref: `#/components/headers/${name}` }]);
      response.headers = { ...Object.fromEntries(references), ...response.headers };
      const json = response.content?.['application/json'];
      if (Number(status) < 400 || !json) continue;
      Object.assign(json, ERRORS[status]);
      const name = `Error${status}`;
      errors[name] ??= response;
      if (isDeepStrictEqual(errors[name], response))
        operation.responses[status] = { $ref: `#/components/responses/${name}` };
    }
  }
  const headers = Object.fromEntries(Object.entries(HEADERS).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, headers, responses: errors } };
}
