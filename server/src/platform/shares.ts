/**
 * How one node divides slots (of jobs, of media processes) between organisations: each holds at most as many as are still free. With 16 slots the first gets 8, a second 4,
 * a third 2, and so on, so however long their work takes there is room for the next organisation.
 */

/** Slots of a node for a kind of work of which one organisation may run `share` at once. */
export const totalSlots = (share: number) => 2 * share;

/** The organisations that may take no further slot while `free` are left; `holders` has one entry for each slot that is taken. */
export function saturated(holders: Iterable<string | null>, free: number): string[] {
  const held = Map.groupBy(holders, (orgId) => orgId);
  return [...held].flatMap(([orgId, slots]) => (orgId !== null && slots.length >= free ? [orgId] : []));
}
