import type { StoredClock } from './types.ts';

/** Instant of a second of a video; null if it is unknown when it was recorded. SQL has a function of this name. */
export function recordedTime(
  { recordedAt, clock }: { recordedAt: Date | null; clock: StoredClock | null },
  seconds: number,
): Date | null {
  if (!recordedAt) return null;
  const jumped = (clock?.jumps ?? []).filter(({ atS }) => atS <= seconds);
  const later = jumped.reduce((sum, jump) => sum + jump.seconds, 0);
  return new Date(recordedAt.getTime() + (seconds * (clock?.rate ?? 1) + later) * 1_000);
}
