import type { ListedEvent } from '#features/analyses/index';
import type { Label } from './types.ts';

/** Smallest temporal intersection over union of an event with the label that confirms it. */
const MIN_OVERLAP = 0.5;
/** Times that differ by less are equal. */
const SAME_S = 0.001;

type Interval = Pick<Label, 'startS' | 'endS'>;

/**
 * The event of each label; null if the analysis has none. An event with the same text and times is the same, also if a
 * reviewer has corrected it since. Of the other labels, each gets at most one event of the engine, which overlaps it in
 * time, the best pairs first.
 */
export function matchLabels(labels: readonly Label[], events: readonly ListedEvent[]): (ListedEvent | null)[] {
  const matches = labels.map((label) => events.find((event) => formsOf(event).some((form) => isSame(form, label))));
  const taken = new Set(matches);
  const pairs = labels.flatMap((label, index) => {
    if (matches[index]) return [];
    return events.flatMap((event) => {
      if (event.added || taken.has(event)) return [];
      const overlap = Math.max(...formsOf(event).map((form) => overlapOf(form, label)));
      return overlap >= MIN_OVERLAP ? [{ index, event, overlap }] : [];
    });
  });
  for (const { index, event } of pairs.sort((a, b) => b.overlap - a.overlap)) {
    if (matches[index] || taken.has(event)) continue;
    matches[index] = event;
    taken.add(event);
  }
  return matches.map((event) => event ?? null);
}

/** The event as it is, and as it was before it was corrected. */
const formsOf = ({ state, original }: ListedEvent) => (original ? [state, original] : [state]);

const isSame = (event: Interval & { label: string }, label: Label): boolean =>
  event.label === label.label &&
  Math.abs(event.startS - label.startS) < SAME_S &&
  Math.abs(event.endS - label.endS) < SAME_S;

/** Intersection over union. */
function overlapOf(a: Interval, b: Interval): number {
  const union = Math.max(a.endS, b.endS) - Math.min(a.startS, b.startS);
  if (union <= 0) return 1;
  return Math.max(0, Math.min(a.endS, b.endS) - Math.max(a.startS, b.startS)) / union;
}
