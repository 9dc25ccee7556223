/**
 * Divides the slots of a node (of jobs, of media processes) between organizations: each holds at most as many as remain
 * free. Of 16 slots the first organization gets 8, a second 4, a third 2, so that there is always room for the next
 * one.
 */

/** Slots of a node for work of which one organization may run `share` at the same time. */
export const totalSlots = (share: number) => 2 * share;

/** Organizations that may take no further slot while `free` remain. `holders` has one entry per taken slot. */
export function saturated(holders: Iterable<string | null>, free: number): string[] {
  const held = Map.groupBy(holders, (orgId) => orgId);
  return [...held].flatMap(([orgId, slots]) => (orgId !== null && slots.length >= free ? [orgId] : []));
}
