import { requireText } from '#platform/http/index';
import { problems } from './problems.ts';

/** What people note on a batch, under names of their own. */
export type Notes = Record<string, string | number>;

/** How many notes a batch can have, and how long each may be, in characters. */
export const NOTES = { count: 100, name: 200, value: 5_000 };

/** Reads notes as existing clients send them: the JSON text of a flat object. Throws `metadata_invalid` or `metadata_too_large` (400). */
export function checkNotes(text: string): Notes {
  let notes: unknown;
  try {
    notes = JSON.parse(text);
  } catch {
    throw problems.metadata_invalid('The field `metadata` must hold the text of a JSON object.');
  }
  requireText(notes, 'body', 'metadata');
  if (typeof notes !== 'object' || notes === null || Array.isArray(notes)) throw problems.metadata_invalid();
  const entries = Object.entries(notes);
  for (const [name, value] of entries) {
    const fits = typeof value === 'string' ? value.length <= NOTES.value : Number.isSafeInteger(value);
    if (typeof value !== 'string' && !Number.isSafeInteger(value)) {
      throw problems.metadata_invalid(`The value of \`${name.slice(0, 50)}\` must be a text or a whole number.`);
    }
    if (!fits || name.length > NOTES.name) throw problems.metadata_too_large();
  }
  if (entries.length > NOTES.count) throw problems.metadata_too_large();
  return Object.fromEntries(entries) as Notes;
}
