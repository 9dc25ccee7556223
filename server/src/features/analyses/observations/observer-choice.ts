import { detectorIn, type Engine, familyOf, type ObservationKind, type ObserverStatus, rangeIn } from '#engine/index';
import type { Database } from '#platform/db/index';
import * as store from './store.ts';
import type { AvailableObserver, DetectorChoice } from './types.ts';

/** The observers of this node, and which stored observations serve instead of theirs. */
export function createObserverChoice({ database, engine }: { database: Database; engine: Engine }) {
  const availableHere = async (detector: string | null = null) =>
    (await engine.observers({ detector })).filter(isAvailable);

  /**
   * The observers of this node, and those whose stored observations are to be used: the same, but for observations by
   * another detector where those serve. These do if no detector is needed, or if that of the service is missing: its
   * fallback finds less than any other one.
   * `hasOther`: objects by some detector are stored.
   */
  async function observersFor(videoId: string, { name, isNeeded }: DetectorChoice) {
    const [statuses, rows] = await Promise.all([
      engine.observers({ detector: name }),
      store.listReady(database.db, videoId),
    ]);
    const stored = statuses.flatMap((status): AvailableObserver[] => {
      const own = isAvailable(status) ? [status] : [];
      const { kind, family } = status;
      const version = own[0]?.version;
      const hasOwn = rows.some((row) => row.kind === kind && row.version === version);
      const isWeak = own[0]?.fallback !== undefined;
      const isReplaceable = !isNeeded || (name === null && (own.length === 0 || version === family || isWeak));
      if (family === undefined || (hasOwn && !isWeak) || !isReplaceable) return own;
      const others = rows.filter(
        (row) => row.kind === kind && !rangeIn(row.version) && familyOf(row.version) === family,
      );
      const isOfFallback = (row: { version: string }) => isWeak && detectorIn(row.version) === detectorIn(version!);
      const better = others.findLast((row) => !isOfFallback(row));
      const other = better ?? (hasOwn || isNeeded ? undefined : others.at(-1));
      return other ? [{ ...status, version: other.version }] : own;
    });
    const hasOther = statuses.some(
      ({ kind, family }) =>
        kind === 'objects' && rows.some((row) => row.kind === kind && familyOf(row.version) === family),
    );
    return { available: statuses.filter(isAvailable), stored, hasOther };
  }

  return { availableHere, observersFor };
}

const isAvailable = <Status extends ObserverStatus<ObservationKind>>(
  status: Status,
): status is Status & AvailableObserver => 'version' in status;
