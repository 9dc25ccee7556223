import { createHash } from 'node:crypto';
import { isBlocked } from '../blocked-search.ts';
import type { Plan } from '../schema.ts';

/** Remarks about how a prompt was read, and what the service finds in a video: they change no answer. */
const REMARKS = new Set([
  'query',
  'corrected',
  'suggestions',
  'language',
  'reader',
  'rewritten',
  'alternative',
  'clock',
]);

/**
 * Identifies what a reading asks for: readings with one id find the same events in a video. It leaves out the words of
 * the prompt, remarks about them, and the points of zones, which each video has its own of.
 */
export function idOf(plan: Plan): string {
  const requested = Object.entries(plan).filter(([field]) => !REMARKS.has(field));
  // Whatever prevents a search, nothing is searched for.
  const searches = plan.searches.map((search) => (isBlocked(search) ? null : search));
  return digestOf(normalize({ ...Object.fromEntries(requested), searches }));
}

/** Identifies a plan with its words. The order of its fields does not matter, which the database may change. */
export const digestOfPlan = (plan: Plan): string => digestOf(sortFields(plan));

const digestOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 32);

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null;

/** A part of a plan without what changes no answer. An absent field means what null and false mean. */
function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return normalizeList(value);
  if (!isFields(value)) return value;
  const { kind, zone } = value;
  const isWritten = kind === 'text';
  const fields = Object.entries(value).filter(([field, part]) => {
    if (part === null || part === false || part === undefined) return false;
    // Texts on signs are looked for; all other texts are the words that named something.
    if (field === 'text') return isWritten;
    // Only the sentence for what was not found depends on `definite` and `maker`.
    if (field === 'reason' || field === 'definite' || field === 'maker') return false;
    if (zone === true) return !['points', 'from', 'to'].includes(field);
    return field !== 'name' || !isPlace(value);
  });
  return sortFields(
    Object.fromEntries(
      fields.map(([field, part]) => [field, field === 'name' ? String(part).toLowerCase() : normalize(part)]),
    ),
  );
}

/** True for a region or line, which is where its points are, whatever it is called. */
const isPlace = (value: Fields) => 'points' in value || 'width' in value || isFields(value.from);

/** Names of classes and colors are alternatives in any order. */
function normalizeList(list: readonly unknown[]): unknown[] {
  return list.every((each) => typeof each === 'string') ? list.toSorted() : list.map(normalize);
}

function sortFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortFields);
  if (!isFields(value)) return value;
  const fields = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(fields.map(([field, part]) => [field, sortFields(part)]));
}
