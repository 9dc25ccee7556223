import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { INSPECT_SIDECAR } from '#engine/index';
import { runTask } from '#platform/threads/index';
import { problems } from '../problems.ts';

export const MAX_SIDECAR_BYTES = 16 * 2 ** 20;
const MAX_FIELDS = 100;
const MAX_TEXT_LENGTH = 600;

/**
 * Data recorded together with a video: JSON, or telemetry as CSV or subtitles. `summary` is stored in the video's
 * metadata.
 */
export type Sidecar = { bytes: Buffer; summary: Record<string, unknown> };

/**
 * Reads and parses the part `metadata_file`. Its name is not matched with the video's: one upload has one of each.
 * Throws `sidecar_invalid` (400) or `sidecar_too_large` (413).
 */
export async function readSidecar(filename: string, stream: Readable, signal: AbortSignal): Promise<Sidecar> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_SIDECAR_BYTES) throw problems.sidecar_too_large();
    chunks.push(chunk);
  }
  return parseSidecar(filename, Buffer.concat(chunks), signal);
}

/** Throws `sidecar_invalid` (400). */
export async function parseSidecar(filename: string, bytes: Buffer, signal?: AbortSignal): Promise<Sidecar> {
  const { description, recorded, content } = await inspect(bytes, signal);
  const isTelemetry = 'measures' in description;
  if ('fault' in content && !isTelemetry && !recorded) {
    throw problems.sidecar_invalid(
      `The metadata file is not valid JSON (${content.fault}), and neither CSV or subtitles with times and measurements, nor GPX, NMEA, XML or a preview image that states when it was recorded.`,
    );
  }
  if ('kind' in content && content.kind === 'other') throw problems.sidecar_invalid();
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const fields = 'fields' in content ? parseFields(content.fields) : undefined;
  const telemetry = isTelemetry
    ? { ...description, notes: description.notes.map(toStorableText) }
    : { unusable: toStorableText(description.unusable) };
  const file = { filename: toStorableText(filename), size_bytes: bytes.length, sha256 };
  return { bytes, summary: { ...file, ...(fields ? { fields } : {}), ...(recorded ? { recorded } : {}), telemetry } };
}

/** Limits the length of a text from the file and removes NUL, which PostgreSQL's text type cannot store. */
const toStorableText = (text: string) => text.slice(0, MAX_TEXT_LENGTH).replaceAll('\0', '');

const inspect = (bytes: Buffer, signal: AbortSignal | undefined) =>
  runTask(INSPECT_SIDECAR, bytes, { bytes: bytes.length, signal });

/** True if the file has measurements or times of recording, such as the subtitles of a drone. */
export async function isTelemetryFile(bytes: Buffer, signal?: AbortSignal): Promise<boolean> {
  const { description, recorded } = await inspect(bytes, signal);
  return 'measures' in description || recorded !== null;
}

/** When the video beside a file was recorded; null if the file does not say. */
export const readRecorded = async (bytes: Buffer, signal?: AbortSignal) => (await inspect(bytes, signal)).recorded;

/** Columns that the sidecar declares: `fields: [{name, type, unit}]`. */
function parseFields(fields: unknown): Record<string, string>[] | undefined {
  if (fields === undefined) return undefined;
  if (!Array.isArray(fields)) throw problems.sidecar_invalid('In the metadata file, `fields` must be an array.');
  if (fields.length > MAX_FIELDS) {
    throw problems.sidecar_invalid(`In the metadata file, \`fields\` has more than ${MAX_FIELDS} entries.`);
  }
  return fields.map((field: unknown, i) => {
    const { name, type, unit } = (field ?? {}) as Record<string, unknown>;
    if (typeof name !== 'string' || name === '' || name.length > 200) {
      throw problems.sidecar_invalid(`In the metadata file, \`fields[${i}].name\` must have 1 to 200 characters.`);
    }
    const declared = { name, ...(typeof type === 'string' && { type }), ...(typeof unit === 'string' && { unit }) };
    return Object.fromEntries(Object.entries(declared).map(([key, text]) => [key, toStorableText(text)]));
  });
}
