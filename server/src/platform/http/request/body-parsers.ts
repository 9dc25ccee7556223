import { createHash } from 'node:crypto';
import { parse as parseForm } from 'node:querystring';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import secureJson from 'secure-json-parse';
import { problems } from '../problems.ts';

/** No client needs deeper JSON, and the database rejects it at some thousands. */
const MAX_DEPTH = 100;
const MAX_FORM_FIELDS = 5_000;

/**
 * Parses JSON and form bodies. An empty JSON body counts as none: clients send `Content-Type: application/json` without
 * one. Stores a digest of the bytes for the idempotency check.
 */
export function acceptBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  for (const type of ['application/json', /^application\/[\w.+-]*\+json\b/]) {
    app.addContentTypeParser(type, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) => {
      digest(request, body);
      return parseJson(body);
    });
  }
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'buffer' },
    async (request: FastifyRequest, body: Buffer) => {
      digest(request, body);
      // The parsed object has no prototype, so `__proto__` is an ordinary field.
      return parseForm(body.toString('utf8'), '&', '=', { maxKeys: MAX_FORM_FIELDS });
    },
  );
}

function digest(request: FastifyRequest, body: Buffer): void {
  if (request.headers['idempotency-key'] === undefined) return;
  request.bodyDigest = createHash('sha256').update(body).digest('base64url');
}

function parseJson(body: Buffer): unknown {
  if (depthExceeds(body, MAX_DEPTH)) throw problems.body_too_deep();
  const text = body.toString('utf8');
  if (text.trim() === '') return undefined;
  try {
    return secureJson.parse(text);
  } catch (error) {
    const reason = (error as Error).message;
    throw problems.body_not_json(
      reason.includes('forbidden prototype')
        ? 'The body has a field that is not allowed anywhere: __proto__, or prototype inside constructor.'
        : `The body is not valid JSON: ${reason}.`,
      { cause: error },
    );
  }
}

/** True if brackets nest deeper than `limit`. Scans the bytes before the parser allocates anything. */
function depthExceeds(body: Buffer, limit: number): boolean {
  if (body.length <= limit) return false;
  let depth = 0;
  let inString = false;
  for (let i = 0; i < body.length; i++) {
    const byte = body[i]!;
    if (inString) {
      if (byte === 0x5c) i++;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > limit) return true;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  return false;
}
