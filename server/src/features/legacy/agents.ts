import { problems } from './problems.ts';

/** What the fixed agents of older clients look for, in words that this service is asked in. */
const QUESTIONS: Record<string, string> = {
  agent_mode_placeholder: 'what happens?',
  'lane change detection': 'the vehicle changes lanes',
  'vehicle turns': 'the vehicle turns left, the vehicle turns right',
  'relative motion analysis': 'a vehicle approaches, a vehicle moves away, a vehicle overtakes',
  'driving violations': 'speeding, running a red light, failure to stop, improper lane usage, following too closely',
};

/**
 * The question behind an agent's category; of a category that is not known, the titles of the cases that came with it (JSON text of `{title}`s).
 * Throws `category_unknown` (400) when neither says what to look for.
 */
export function questionOf(category: string | null, casesJson: string | null): string {
  const known = QUESTIONS[category?.trim().toLowerCase() ?? ''];
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
