import { requireText } from '#platform/http/index';
import { problems } from './problems.ts';

/** Metadata that users add to a batch. */
export type BatchMetadata = Record<string, string | number>;

/** Largest number of names in the metadata of a batch, and lengths of names and values in characters. */
export const METADATA_LIMITS = { count: 100, nameLength: 200, valueLength: 5_000 };

/**
 * Parses metadata in the form of existing clients: a flat object as JSON text. Throws `metadata_invalid` or
 * `metadata_too_large` (400).
 */
export function parseBatchMetadata(text: string): BatchMetadata {
  let metadata: unknown;
  try {
    metadata = JSON.parse(text);
  } catch {
    throw problems.metadata_invalid('The field `metadata` must be a JSON object as text.');
  }
  requireText(metadata, 'body', 'metadata');
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) throw problems.metadata_invalid();
  const entries = Object.entries(metadata);
  for (const [name, value] of entries) {
    const fits = typeof value === 'string' ? value.length <= METADATA_LIMITS.valueLength : Number.isSafeInteger(value);
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
      throw problems.metadata_invalid(`The value of \`${name.slice(0, 50)}\` must be a string or an integer.`);
    }
    if (!fits || name.length > METADATA_LIMITS.nameLength) throw problems.metadata_too_large();
  }
  if (entries.length > METADATA_LIMITS.count) throw problems.metadata_too_large();
  return Object.fromEntries(entries) as BatchMetadata;
}
