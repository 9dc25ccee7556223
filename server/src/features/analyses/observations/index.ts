import { LRUCache } from 'lru-cache';
import type { Depth, Engine, ObservationKind } from '#engine/index';
import { sidecarKey } from '#features/videos/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import * as store from './store.ts';

type Artifacts = ReadonlyMap<ObservationKind, Uint8Array>;
type Available = { kind: ObservationKind; depth: Depth; version: string };

export type ObserveOptions = {
  videoId: string;
  /** Who observes, one attempt of one job: `job:attempt`. */
  holder: string;
  /** Whether one sparse look will do; where every frame was looked at already, nothing is observed. */
  fast: boolean;
  /** A local path of the video; called only when something has to be decoded. */
  path: () => Promise<string>;
  signal: AbortSignal;
  onProgress: (fraction: number) => void;
  /** Runs in the transaction that makes new observations known. */
  onReady: (trx: Transaction) => Promise<void>;
};

export type Observations = ReturnType<typeof createObservations>;

/** Bytes of artifacts that are kept at hand for the next prompt on the same video: some dozen hours of it. */
const KEPT_BYTES = 128 * 2 ** 20;

/**
 * What was observed in videos: made once per video, kind and engine version, in one decoding pass, by whichever node comes first;
 * a lease in the database keeps the others from doing the same. The bytes are in storage, beside the video.
 */
export function createObservations(deps: { database: Database; storage: Storage; engine: Engine; log: Log }) {
  const { database, storage, engine, log } = deps;

  const keyOf = (videoId: string, { kind, version }: Available) =>
    `videos/${videoId}/observations/${kind}-${version.replaceAll(/[^A-Za-z0-9._-]/g, '-')}.bin`;

  /** What was read lately, by the stored objects it was read from and how these were then. The engine decodes each of the maps once. */
  const kept = new LRUCache<string, Artifacts>({
    maxSize: KEPT_BYTES,
    sizeCalculation: (artifacts) => 1 + artifacts.values().reduce((sum, { byteLength }) => sum + byteLength, 0),
  });

  /** What is there already; an artifact that storage has lost or spoilt counts as never made. */
  async function load(videoId: string, wanted: readonly Available[], signal: AbortSignal): Promise<Artifacts> {
    const rows = (await store.ready(database.db, videoId)).filter(({ kind, version }) =>
      wanted.some((each) => each.kind === kind && each.version === version),
    );
    const stored = JSON.stringify(
      await Promise.all(rows.map(async (row) => [row, await storage.stat(row.storageKey)])),
    );
    const known = kept.get(stored);
    if (known) return known;

    const artifacts = new Map<ObservationKind, Uint8Array>();
    await Promise.all(
      rows.map(async (row) => {
        const bytes = await read(row.storageKey, signal);
        const kind = row.kind as ObservationKind;
        if (bytes && engine.isArtifact(bytes, kind)) {
          artifacts.set(kind, bytes);
          return;
        }
        const fate = bytes ? 'damaged' : 'gone';
        log.warn({ videoId, kind }, `a stored observation is ${fate} and is made again`);
        await store.discard(database.db, videoId, row);
      }),
    );
    kept.set(stored, artifacts);
    return artifacts;
  }

  /** An object's bytes; null when storage does not have it. */
  async function read(key: string, signal: AbortSignal): Promise<Uint8Array | null> {
    try {
      return await storage.readAll(key, signal);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  /** The file that came beside the video, where there is one and somebody reads it. */
  async function sidecarOf(videoId: string, leased: readonly Available[], signal: AbortSignal): Promise<Buffer | null> {
    if (!leased.some(({ kind }) => kind === 'telemetry')) return null;
    try {
      return await storage.readAll(sidecarKey(videoId), signal);
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return null;
      throw error;
    }
  }

  /** Observes what was leased and makes it known. Throws when the lease was lost on the way. */
  async function make(leased: readonly Available[], options: ObserveOptions): Promise<Artifacts> {
    const { videoId, holder } = options;
    const lost = new AbortController();
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
        { signal, onProgress: options.onProgress, sidecar: await sidecarOf(videoId, leased, signal) },
      );
      for (const each of leased) await storage.write(keyOf(videoId, each), bytesOf(made, each.kind), { signal });
      await settle(leased, made, options);
      return made;
    } catch (error) {
      await store.release(database.db, videoId, holder).catch(() => {});
      throw error;
    } finally {
      clearInterval(renewing);
    }
  }

  async function settle(leased: readonly Available[], made: Artifacts, { videoId, holder, onReady }: ObserveOptions) {
    try {
      await database.transaction(async (trx) => {
        for (const { kind } of leased) {
          const ours = await store.settle(trx, videoId, kind, holder, bytesOf(made, kind).byteLength);
          if (!ours) throw new LeaseLost();
        }
        await onReady(trx);
      });
    } catch (error) {
      if (error instanceof LeaseLost && !(await store.known(database.db, videoId))) {
        // The video was deleted meanwhile: nothing of it may stay.
        for (const each of leased) await storage.remove(keyOf(videoId, each));
      }
      throw error;
    }
  }

  const availableHere = async () =>
    (await engine.observers()).filter((observer): observer is Available => 'version' in observer);

  return {
    /** What this node can observe in the video and nobody has yet. */
    async missing(videoId: string): Promise<Available[]> {
      const [available, rows] = await Promise.all([availableHere(), store.ready(database.db, videoId)]);
      return available
        .filter(isDense)
        .filter((each) => !rows.some(({ kind, version }) => kind === each.kind && version === each.version));
    },

    /**
     * All that can be observed in the video on this node, observing now what nobody has yet; when it is to be `fast`, what is there, or else one sparse look. Null when another
     * analysis is observing it: ask again later.
     */
    async obtain(options: ObserveOptions): Promise<Artifacts | null> {
      const { videoId, signal } = options;
      const available = await availableHere();
      const dense = await load(videoId, available.filter(isDense), signal);
      const pictureIsKnown = dense.has('signals') || dense.has('objects');
      if (options.fast && pictureIsKnown) return dense;
      const asked = available.filter(({ depth }) => depth !== (options.fast ? 'dense' : 'sparse'));
      const artifacts = options.fast ? await load(videoId, asked, signal) : dense;
      const missing = asked.filter(({ kind }) => !artifacts.has(kind));
      if (missing.length === 0) return artifacts;

      const wanted = missing.map((each) => ({ ...each, storageKey: keyOf(videoId, each) }));
      const taken = await database.transaction((trx) => store.lease(trx, videoId, wanted, options.holder));
      const leased = missing.filter(({ kind }) => taken.some((each) => each.kind === kind));
      const made: Artifacts = leased.length > 0 ? await make(leased, options) : new Map();
      const all = new Map([...artifacts, ...made]);
      // A quick answer does not wait for what somebody observes in every frame.
      const isGlanced = asked.some(({ kind, depth }) => depth === 'sparse' && all.has(kind));
      return leased.length === missing.length || isGlanced ? all : null;
    },

    /** The video is deleted: whoever observes it stops. What is there goes with the video when it is erased, and stays if it is restored. */
    stop: store.stop,

    /** What it was observed in has changed: the next question observes it anew. */
    forget: store.forget,
  };
}

const isDense = ({ depth }: Available) => depth !== 'sparse';

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
