import { problems } from '../problems.ts';

/** Queries for the fixed agents of older clients. */
const QUERIES: Record<string, string> = {
  agent_mode_placeholder: 'what happens?',
  'lane change detection': 'the vehicle changes lanes',
  'vehicle turns': 'the vehicle turns left, the vehicle turns right',
  'relative motion analysis': 'a vehicle approaches, a vehicle moves away, a vehicle overtakes',
  'driving violations': 'speeding, running a red light, failure to stop, improper lane usage, following too closely',
};

/**
 * The query of an agent category; for an unknown category, the titles of the cases sent with it (JSON text of `{title}`
 * objects). Throws `category_unknown` (400) if neither is given.
 */
export function toQuery(category: string | null, casesJson: string | null): string {
  const known = QUERIES[category?.trim().toLowerCase() ?? ''];
  if (known) return known;
  const titles = titlesOf(casesJson);
  if (titles.length > 0) return titles.join(', ');
  throw problems.category_unknown();
}

function titlesOf(casesJson: string | null): string[] {
  try {
    const cases: unknown = JSON.parse(casesJson ?? '[]');
    if (!Array.isArray(cases)) return [];
    return cases.flatMap((each: { title?: unknown } | null) =>
      typeof each?.title === 'string' && each.title.trim() !== '' ? [each.title.trim()] : [],
    );
  } catch {
    return [];
  }
}
