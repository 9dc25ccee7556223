import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { Multipart } from '@fastify/multipart';
import { requireText } from '#platform/http/index';
import { Problem } from '#platform/problem';
import { problems } from '../problems.ts';

/** One part of a form, in order of arrival. The stream of a file is read to its end before the next part arrives. */
export type FormPart =
  | { kind: 'field'; name: string; value: string }
  | { kind: 'file'; name: string; filename: string; stream: Readable };

/** Longest time that the rest of a refused body is read and dropped; some clients read the response only after it. */
const DRAIN_TIMEOUT_MS = 60_000;

/**
 * Parts of a multipart body. Throws `upload_form_unreadable` or `upload_incomplete` (400) if the form is not
 * complete.
 */
export async function* multipartParts(parts: AsyncIterableIterator<Multipart>): AsyncGenerator<FormPart> {
  for (;;) {
    const next = await parts.next().catch((error) => {
      const tooMany = /^FST_(PARTS|FIELDS|FILES)_LIMIT$/.test(error.code)
        ? 'The form has too many fields or files.'
        : undefined;
      throw toFormProblem(error) ?? problems.upload_form_unreadable(tooMany, { cause: error });
    });
    if (next.done) return;
    const part = next.value;
    if (part.type === 'field') {
      if (part.valueTruncated) throw problems.upload_field_invalid(`The field \`${part.fieldname}\` is too long.`);
      const value = toText(part.value);
      requireText([part.fieldname, value], 'body', part.fieldname);
      yield { kind: 'field', name: part.fieldname, value };
    } else {
      yield { kind: 'file', name: part.fieldname, filename: part.filename ?? '', stream: part.file };
    }
  }
}

/** Parts of a URL-encoded or JSON body. The last value of a repeated field counts, as in multipart. */
export async function* bodyParts(body: unknown): AsyncGenerator<FormPart> {
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== null && last !== undefined) yield { kind: 'field', name, value: toText(last) };
  }
}

/** Problem for an error of the form's stream, such as its early end; null for any other error. */
export function toFormProblem(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const ended = code === 'FST_MP_PREMATURE_CLOSE' || /terminated early|unexpected end/i.test(message);
  return ended ? problems.upload_incomplete(undefined, { cause: error }) : null;
}

/** Reads and drops the rest of a body, so that its client reads the response. Cuts the connection after a minute. */
export function drainBody(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), DRAIN_TIMEOUT_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

const toText = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
