import type { AnalysisEvent } from '@sightline/sdk';

/** Severity of an event that a person added without one. */
const ASSUMED = 'medium';

/**
 * The severity of an event that a person set, or `high`, which only the rules for danger give. Null for the rest: the
 * engine rates each event, and a person who walks would be "medium" like a person in danger.
 */
export function statedSeverity({
  severity,
  review,
}: {
  severity: string;
  review?: Pick<NonNullable<AnalysisEvent['review']>, 'added' | 'original'> | null;
}): string | null {
  const original = review?.original?.severity;
  const isChanged = original !== undefined && original !== severity;
  const isAdded = review?.added === true && severity !== ASSUMED;
  return isChanged || isAdded || severity === 'high' ? severity : null;
}
