import type { IncomingMessage } from 'node:http';
import type { Multipart } from '@fastify/multipart';
import { requireText } from '#platform/http/index';
import { Problem } from '#platform/problem';
import type { Part } from './form.ts';
import { problems } from './problems.ts';

/** How long a client that was refused may go on sending what nobody keeps; it reads the answer only then. */
const UNREAD_MS = 60_000;

/** A multipart body as parts. Throws `upload_form_unreadable` or `upload_incomplete` (400) when it is no whole form. */
export async function* partsOf(parts: AsyncIterableIterator<Multipart>): AsyncGenerator<Part> {
  for (;;) {
    const next = await parts.next().catch((error) => {
      const tooMany = /^FST_(PARTS|FIELDS|FILES)_LIMIT$/.test(error.code)
        ? 'The form has too many fields or files.'
        : undefined;
      throw brokenForm(error) ?? problems.upload_form_unreadable(tooMany, { cause: error });
    });
    if (next.done) return;
    const part = next.value;
    if (part.type === 'field') {
      if (part.valueTruncated) throw problems.upload_field_invalid(`The field \`${part.fieldname}\` is too long.`);
      const value = textOf(part.value);
      requireText([part.fieldname, value], 'body', part.fieldname);
      yield { kind: 'field', name: part.fieldname, value };
    } else {
      yield { kind: 'file', name: part.fieldname, filename: part.filename ?? '', stream: part.file };
    }
  }
}

/** A form without files: url-encoded, or JSON. Of a field that comes twice the last one counts, as in multipart. */
export async function* fieldsOf(body: unknown): AsyncGenerator<Part> {
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    const last = Array.isArray(value) ? value.at(-1) : value;
    if (last !== null && last !== undefined) yield { kind: 'field', name, value: textOf(last) };
  }
}

/** The problem behind an error of the form's own stream: it ended in the middle. Null for any other error. */
export function brokenForm(error: unknown): Problem | null {
  if (error instanceof Problem) return error;
  const { code = '', message = '' } = error as { code?: string; message?: string };
  const ended = code === 'FST_MP_PREMATURE_CLOSE' || /terminated early|unexpected end/i.test(message);
  return ended ? problems.upload_incomplete(undefined, { cause: error }) : null;
}

/** Reads off what is left of a body, so that its client comes to read the answer; one that goes on and on is cut off. */
export function drain(raw: IncomingMessage): void {
  if (raw.readableEnded || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  const timer = setTimeout(() => raw.destroy(), UNREAD_MS).unref();
  raw.once('close', () => clearTimeout(timer));
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));
