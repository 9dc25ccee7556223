import type { ObservationKind, ObserverStatus } from '#engine/index';

/**
 * The kinds that a run observes for those that were requested: what one of them is made from, and with frames the
 * objects that are already known, so that both are searched.
 */
export function kindsOfRun(
  requested: readonly string[],
  statuses: readonly ObserverStatus<ObservationKind>[],
): ObservationKind[] {
  const isRequested = (kind: string) => requested.includes(kind);
  return statuses.flatMap((status): ObservationKind[] => {
    const { kind } = status;
    const isSource = statuses.some(({ kind: other, source }) => source === kind && isRequested(other));
    const isKnown = kind === 'object_embeddings' && isRequested('embeddings') && 'version' in status;
    return isRequested(kind) || isSource || isKnown ? [kind] : [];
  });
}
