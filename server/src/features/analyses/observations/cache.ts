import {
  type Artifacts,
  type Engine,
  type ObservationKind,
  PASSAGE_KINDS,
  type PassageKind,
  rangeSuffix,
  type TimeRange,
} from '#engine/index';
import { sidecarKey, subtitlesKey, toReading, type Videos } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { lockVideo } from '../event-index/index.ts';
import { insertObjectVectors, insertVectors } from '../frame-vectors/index.ts';
import { storePassages } from '../passages/index.ts';
import { createArtifactReader } from './artifact-reader.ts';
import { createObserverChoice } from './observer-choice.ts';
import * as store from './store.ts';
import { createStoredRanges } from './stored-ranges.ts';
import type { AvailableObserver, LeasedOptions, ObtainOptions, ObtainRangesOptions } from './types.ts';

export type ObservationCache = ReturnType<typeof createObservations>;

/**
 * Observations of videos: made once per video, kind and engine version in one decoding pass. A lease in the database
 * prevents that several nodes make the same. The artifacts are in storage beside the video.
 */
export function createObservations(deps: {
  database: Database;
  storage: Storage;
  engine: Engine;
  videos: Pick<Videos, 'setClockReading'>;
  log: Log;
}) {
  const { database, storage, engine, videos, log } = deps;

  const keyOf = (videoId: string, { kind, version }: AvailableObserver) =>
    `videos/${videoId}/observations/${kind}-${version.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.bin`;

  const { load, read } = createArtifactReader(deps);
  const openRanges = createStoredRanges(deps);

  /** A file beside the video, if there is one and an observer of these kinds reads it. */
  async function readBeside(
    key: string,
    kinds: readonly ObservationKind[],
    leased: readonly AvailableObserver[],
    signal: AbortSignal,
  ): Promise<Uint8Array | null> {
    return leased.some(({ kind }) => kinds.includes(kind)) ? read(key, signal) : null;
  }

  /**
   * Makes and stores the leased observations, from `sources` where they are made from others. Throws if the lease is
   * lost.
   */
  async function observe(
    leased: readonly AvailableObserver[],
    options: LeasedOptions,
    { range, sources }: { range?: TimeRange; sources?: Artifacts } = {},
  ): Promise<Artifacts> {
    const { videoId, holder, onPartial } = options;
    const lost = new AbortController();
    const stored = openRanges({ videoId, holder, leased, range });
    const renewing = setInterval(
      () => {
        store.renew(database.db, videoId, holder).then(
          (ours) => ours || lost.abort(new Error('the lease on the observation was lost')),
          (error) => log.warn({ err: error, videoId }, 'cannot renew the lease on an observation'),
        );
      },
      (store.LEASE_S * 1000) / 3,
    );
    try {
      const signal = AbortSignal.any([options.signal, lost.signal]);
      const made = await engine.observe(
        await options.path(),
        leased.map(({ kind }) => kind),
        {
          signal,
          onProgress: options.onProgress,
          range,
          rangesOf: stored.of,
          sources,
          ...(onPartial && {
            onPartial: (artifacts, untilS) =>
              onPartial({ artifacts: new Map([...(sources ?? []), ...artifacts]), untilS }),
          }),
          detector: options.detector.name,
          orgId: options.requester.orgId,
          priority: options.requester.priority,
          sidecar: await readBeside(sidecarKey(videoId), ['telemetry'], leased, signal),
          subtitles: await readBeside(subtitlesKey(videoId), ['subtitles', 'speech'], leased, signal),
        },
      );
      for (const each of leased) await storage.write(keyOf(videoId, each), bytesOf(made, each.kind), { signal });
      await settle(leased, made, options, stored.end);
      return made;
    } catch (error) {
      await store.release(database.db, videoId, holder).catch(() => {});
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  async function settle(
    leased: readonly AvailableObserver[],
    made: Artifacts,
    { videoId, holder, onReady }: LeasedOptions,
    endRanges: (trx: Transaction) => Promise<void>,
  ) {
    const passagesOf = (kind: PassageKind) => engine.readPassages(bytesOf(made, kind), kind);
    /** Those that a log stated when the video was made stay. */
    const setSatelliteClock = async (trx: Transaction, id: string) => {
      if (!leased.some(({ kind }) => kind === 'telemetry')) return;
      const start = engine.readSatelliteStart(bytesOf(made, 'telemetry'));
      if (start) await videos.setClockReading(trx, id, 'gps', toReading('gps', start));
    };
    /** Its lock on the video is stronger than `lockVideo`, so it is called first. */
    const setPictureClock = async (trx: Transaction, id: string) => {
      if (!leased.some(({ kind }) => kind === 'text')) return;
      const clock = engine.readPictureClock(passagesOf('text'));
      await videos.setClockReading(trx, id, 'picture', clock && { source: 'picture', ...clock, offsetMin: null });
    };
    try {
      await database.transaction(async (trx) => {
        // Before the observations: a deletion locks in the same order.
        await setPictureClock(trx, videoId);
        await setSatelliteClock(trx, videoId);
        if (leased.some(({ kind }) => isPassageKind(kind))) await lockVideo(trx, videoId);
        for (const { kind, version } of leased) {
          const ours = await store.markReady(trx, videoId, kind, holder, bytesOf(made, kind).byteLength);
          if (!ours) throw new LeaseLost();
          if (isPassageKind(kind)) await storePassages(trx, { videoId, kind, version }, passagesOf(kind));
          if (kind === 'embeddings')
            await insertVectors(trx, videoId, version, engine.readFrameVectors(bytesOf(made, kind)));
          if (kind === 'object_embeddings')
            await insertObjectVectors(trx, videoId, version, engine.readObjectViews(bytesOf(made, kind)));
        }
        await endRanges(trx);
        await onReady(trx);
      });
    } catch (error) {
      if (error instanceof LeaseLost && !(await store.hasObservations(database.db, videoId))) {
        // The video was deleted in the meantime, so its artifacts are deleted as well.
        for (const each of leased) await storage.remove(keyOf(videoId, each));
      }
      throw error;
    }
  }

  /** Leases what is missing; what is made from another observation only if that exists or is leased as well. */
  async function leaseMissing(
    videoId: string,
    missing: readonly AvailableObserver[],
    artifacts: Artifacts,
    holder: string,
  ): Promise<AvailableObserver[]> {
    return database.transaction(async (trx) => {
      const leased: AvailableObserver[] = [];
      for (const group of [missing.filter(({ source }) => !source), missing.filter(({ source }) => source)]) {
        const wanted = group
          .filter(({ source }) => !source || artifacts.has(source) || leased.some(({ kind }) => kind === source))
          .map((each) => ({ ...each, storageKey: keyOf(videoId, each) }));
        const taken = wanted.length > 0 ? await store.lease(trx, videoId, wanted, holder) : [];
        leased.push(...group.filter(({ kind }) => taken.some((each) => each.kind === kind)));
      }
      return leased;
    });
  }

  /** The observations of a sparse pass, and of the ranges of which every frame was observed. */
  const loadSparse = (
    videoId: string,
    stored: readonly AvailableObserver[],
    signal: AbortSignal,
    available: readonly AvailableObserver[] = stored,
  ) =>
    load(
      videoId,
      stored.filter(({ depth }) => depth !== 'dense'),
      signal,
      available.filter(({ ranged }) => ranged),
    );

  /** Observes a range of the video; false if another analysis does. A range that cannot be decoded is left out. */
  async function observeRange(
    range: TimeRange,
    observers: readonly AvailableObserver[],
    options: LeasedOptions,
  ): Promise<boolean> {
    const { videoId, holder } = options;
    const wanted = observers.map((each) => ({ ...each, version: `${each.version}${rangeSuffix(range)}` }));
    const ready = await store.listReady(database.db, videoId);
    const missing = wanted.filter(
      (each) => !ready.some((row) => row.kind === each.kind && row.version === each.version),
    );
    if (missing.length === 0) return true;
    const rows = missing.map((each) => ({ ...each, storageKey: keyOf(videoId, each) }));
    const leased = await database.transaction((trx) => store.lease(trx, videoId, rows, holder));
    if (leased.length < missing.length) {
      await store.release(database.db, videoId, holder);
      return false;
    }
    try {
      await observe(missing, options, { range });
    } catch (error) {
      if (!(error instanceof Problem) || error.status !== 400) throw error;
      log.warn({ err: error, videoId, range }, 'a range of a video cannot be observed');
    }
    return true;
  }

  const { availableHere, observersFor } = createObserverChoice(deps);

  return {
    /** Observers of this node whose observation of the video is missing. */
    async missing(videoId: string): Promise<AvailableObserver[]> {
      const [available, rows] = await Promise.all([availableHere(), store.listReady(database.db, videoId)]);
      return available
        .filter((each) => isDense(each) && !each.onDemand)
        .filter((each) => !rows.some(({ kind, version }) => kind === each.kind && version === each.version));
    },

    /** Those of the videos whose frames need not be decoded again: every dense observation of this node exists. */
    async listObserved(videoIds: readonly string[], detector: string | null = null): Promise<string[]> {
      const versions = (await availableHere(detector)).filter((each) => isDense(each) && !each.onDemand);
      return versions.length === 0 ? [] : store.listObserved(database.db, videoIds, versions);
    },

    /** Those of the videos that have the observations of these kinds by this node's observers. */
    async listWith(videoIds: readonly string[], kinds: readonly string[], detector: string | null): Promise<string[]> {
      const versions = (await availableHere(detector)).filter(({ kind }) => kinds.includes(kind));
      return versions.length < kinds.length ? [] : store.listObserved(database.db, videoIds, versions);
    },

    /**
     * All observations of the video that this node can make; missing ones are made now. If a sparse pass is
     * sufficient, the existing ones of a dense pass, or those of a sparse pass. Of observers on demand, the existing
     * and the requested ones. Null if another analysis is observing the video: try again later.
     */
    async obtain(options: ObtainOptions): Promise<Artifacts | null> {
      const { videoId, signal, pass, onDemand, only, detector } = options;
      const isSparse = pass === 'sparse';
      const { available, stored, hasOther } = await observersFor(videoId, detector);
      const dense = await load(videoId, stored.filter(isDense), signal);
      // Objects by another detector are no answer where this one can be asked.
      const lacksObjects = (detector.name !== null || hasOther) && !dense.has('objects');
      const isComplete = !detector.isNeeded || !lacksObjects || available.every(({ kind }) => kind !== 'objects');
      const hasDense = (dense.has('signals') || dense.has('objects')) && isComplete;
      const demanded = (each: AvailableObserver) => !each.onDemand || onDemand.includes(each.kind);
      const demands = available
        .filter(({ depth }) => depth !== (isSparse ? 'dense' : 'sparse'))
        .filter((each) => (isSparse && hasDense ? each.onDemand && demanded(each) : demanded(each)))
        .filter(({ kind }) => only === undefined || only.includes(kind));
      const artifacts = isSparse && !hasDense ? await loadSparse(videoId, stored, signal) : dense;
      const requested = demands.filter(
        ({ source }) => !source || artifacts.has(source) || demands.some(({ kind }) => kind === source),
      );
      const missing = requested.filter(({ kind }) => !artifacts.has(kind));
      if (missing.length === 0) return artifacts;

      const leased = await leaseMissing(videoId, missing, artifacts, options.holder);
      const made: Artifacts = leased.length > 0 ? await observe(leased, options, { sources: artifacts }) : new Map();
      const all = new Map([...artifacts, ...made]);
      // An analysis that needs a sparse pass does not wait for a dense one by another analysis.
      const hasSparse =
        requested.some(({ kind, depth }) => depth === 'sparse' && all.has(kind)) &&
        requested.every((each) => !each.onDemand || all.has(each.kind));
      return leased.length === missing.length || hasSparse ? all : null;
    },

    /**
     * Observes every frame in ranges of a video whose sparse pass exists. Returns all observations; null if another
     * analysis is observing one of the ranges: try again later.
     */
    async obtainRanges({ ranges, ...options }: ObtainRangesOptions): Promise<Artifacts | null> {
      const { available, stored } = await observersFor(options.videoId, options.detector);
      const ranged = available.filter((each) => each.ranged);
      for (const [at, range] of ranges.entries()) {
        const onProgress = (fraction: number) => options.onProgress((at + fraction) / ranges.length);
        if (!(await observeRange(range, ranged, { ...options, onProgress }))) return null;
      }
      return loadSparse(options.videoId, stored, options.signal, available);
    },

    /** Revokes the leases on a deleted video. Stored observations are deleted when the video is erased. */
    revokeLeases: store.revokeLeases,

    /** Discards the observations of one kind after their input has changed. */
    forget: store.forget,
  };
}

const isPassageKind = (kind: ObservationKind): kind is PassageKind => PASSAGE_KINDS.some((each) => each === kind);

const isDense = ({ depth }: AvailableObserver) => depth !== 'sparse';

function bytesOf(artifacts: Artifacts, kind: ObservationKind): Uint8Array {
  const bytes = artifacts.get(kind);
  if (!bytes) throw new Error(`the engine did not observe ${kind}`);
  return bytes;
}

class LeaseLost extends Error {
  constructor() {
    super('the lease on the observation was lost');
  }
}
