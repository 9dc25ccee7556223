import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { describeSidecar } from '#engine/index';
import { problems } from './problems.ts';

export const MAX_SIDECAR_BYTES = 16 * 2 ** 20;
const MAX_FIELDS = 100;
const MAX_TEXT = 600;

/** What came beside a video: JSON, or what was measured while it was filmed as CSV or subtitles. */
export type Sidecar = { bytes: Buffer; summary: Record<string, unknown> };

/**
 * Reads and checks the part `metadata_file`. One upload carries one video and one sidecar, so its name need not match the video's.
 * Throws `sidecar_invalid` (400) or `sidecar_too_large` (413).
 */
export async function readSidecar(filename: string, stream: Readable): Promise<Sidecar> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_SIDECAR_BYTES) throw problems.sidecar_too_large();
    chunks.push(chunk);
  }
  return checkSidecar(filename, Buffer.concat(chunks));
}

export function checkSidecar(filename: string, bytes: Buffer): Sidecar {
  const described = describeSidecar(bytes);
  const content = parse(bytes, 'measures' in described);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const fields = Array.isArray(content) ? undefined : fieldsOf(content);
  const telemetry =
    'measures' in described
      ? { ...described, notes: described.notes.map(shown) }
      : { unusable: shown(described.unusable) };
  const file = { filename: shown(filename), size_bytes: bytes.length, sha256 };
  return { bytes, summary: { ...file, ...(fields ? { fields } : {}), telemetry } };
}

/** What a file says, as it is kept with its video: an end to it, and nothing that the database's text cannot hold. */
const shown = (text: string) => text.slice(0, MAX_TEXT).replaceAll('\0', '');

/** `isMeasured`: whether it is of use as it is, whatever its form. */
function parse(bytes: Buffer, isMeasured: boolean): Record<string, unknown> | unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    if (isMeasured) return {};
    throw problems.sidecar_invalid(
      `The part \`metadata_file\` is not valid JSON (${(cause as Error).message}), nor CSV or subtitles with times and measurements.`,
      {
        cause,
      },
    );
  }
  if (typeof content !== 'object' || content === null) throw problems.sidecar_invalid();
  return content as Record<string, unknown> | unknown[];
}

/** The columns that a sidecar declares: `fields: [{name, type, unit}]`. */
function fieldsOf(content: Record<string, unknown>): Record<string, string>[] | undefined {
  const { fields } = content;
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) throw problems.sidecar_invalid('In `metadata_file`, `fields` must be an array.');
  if (fields.length > MAX_FIELDS) {
    throw problems.sidecar_invalid(`In \`metadata_file\`, \`fields\` has more than ${MAX_FIELDS} entries.`);
  }
  return fields.map((field: unknown, i) => {
    const { name, type, unit } = (field ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '' || name.length > 200) {
      throw problems.sidecar_invalid(`In \`metadata_file\`, \`fields[${i}].name\` must be 1 to 200 characters.`);
    }
    const said = { name, ...(typeof type === 'string' ? { type } : {}), ...(typeof unit === 'string' ? { unit } : {}) };
    return Object.fromEntries(Object.entries(said).map(([key, text]) => [key, shown(text)]));
  });
}
