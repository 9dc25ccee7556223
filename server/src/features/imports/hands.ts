import { LRUCache } from 'lru-cache';
import type { Events } from '#features/events/index';
import { isTransientRefusal, pauseAskedFor, uriOf } from '#features/integrations/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Interruption } from '#platform/jobs/index';
import type { Log } from '#platform/log';
import { Problem } from '#platform/problem';
import { createGate } from './gate.ts';
import { kindOf } from './kinds.ts';
import * as lanes from './lane-store.ts';
import { problems } from './problems.ts';
import { linkSets } from './sets.ts';
import { readerOf } from './source.ts';
import type { Arriving, ImportJob, Kinds, ObjectKind, Row } from './types.ts';

/** How long a lane keeps rows that it has not begun with, and what came that it has not told of. */
const HAND_MS = 2_000;
/** How many objects of one provider a node reads at once for one organisation. */
const PROVIDER_AT_ONCE = 12;
/** Organisations whose gates a node remembers. */
const MAX_GATES = 1_000;
const MAX_ATTEMPTS = 5;
const LONGEST_PAUSE_S = 300;

export type HandsDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  kinds: Kinds;
  log: Log;
  /** Seconds until an object that did not come is tried again for the first time; each further pause is twice as long. Default: 2. */
  firstPauseS?: number;
};

type Bucket = Parameters<typeof readerOf>[0];
/** Rows in the hand of a lane, and all that it takes to bring them. */
type Hand = {
  job: ImportJob;
  rows: readonly lanes.Taken[];
  holder: lanes.Holder;
  bucket: Bucket;
  /** Aborts when the worker closes. */
  closing: AbortSignal;
};
/** An object that is here, its row not ended yet. */
type Received = { id: string; row: Row; kind: ObjectKind; brought: unknown };

/** What a lane does with the rows it took: their objects are brought, and the outcome told in one transaction. */
export function createHands({ database, events, kinds, log, firstPauseS = 2 }: HandsDeps) {
  const { db } = database;
  const gates = new LRUCache<string, ReturnType<typeof createGate>>({ max: MAX_GATES });

  function gateOf({ orgId, provider }: Pick<ImportJob, 'orgId' | 'provider'>) {
    const key = `${orgId} ${provider}`;
    const gate = gates.get(key) ?? createGate(PROVIDER_AT_ONCE);
    gates.set(key, gate);
    return gate;
  }

  /**
   * One try of each row, one after the other. Those that came are told of together; when that takes long, so far as they came, and rows not begun
   * with go back for whoever has time: a slow object holds up no other.
   */
  async function bring(hand: Hand): Promise<void> {
    const { rows, holder } = hand;
    const waiting = [...rows];
    const received: Received[] = [];
    let laid = Promise.resolve();
    const layDown = () => {
      const [untried, here] = [waiting.splice(0), received.splice(0)];
      laid = laid.then(async () => {
        await settle(hand, here);
        await lanes.giveBack(db, untried, holder, { afterS: 0, untried: true });
      });
      return laid;
    };
    const slow = setTimeout(() => layDown().catch(() => {}), HAND_MS);
    try {
      const begun = await beginAll(hand);
      for (let row = waiting.shift(); row; row = waiting.shift()) {
        const one = await receive(hand, row, begun.has(row));
        if (one) received.push(one);
      }
    } finally {
      clearTimeout(slow);
      await layDown();
    }
  }

  /** One try of one row; null when it did not come. */
  async function receive(hand: Hand, row: lanes.Taken, begun: boolean): Promise<Received | null> {
    const { job, holder, bucket, closing } = hand;
    const gone = new AbortController();
    const timer = setInterval(() => {
      lanes.renew(db, row, holder).then(
        (ours) => ours || gone.abort({ kind: 'lost' } satisfies Interruption),
        () => {},
      );
    }, lanes.RENEW_MS);
    const signal = AbortSignal.any([closing, gone.signal]);
    const gate = gateOf(job);
    try {
      const kind = kindOf(kinds, row.key);
      const object = arriving(job, row);
      if (!begun && !(await begin(kind, object, row))) throw problems.import_deleted();
      const reader = readerOf(bucket, row, signal);
      const brought = await gate(signal, () => kind.receive(object, reader, signal));
      return { id: row.videoId, row: { ...row, ...reader.facts.get(row.key) }, kind, brought };
    } catch (error) {
      if (gone.signal.aborted) return null;
      if (closing.aborted) {
        await lanes.giveBack(db, [row], holder, { afterS: 0, untried: true });
        throw error;
      }
      await failed(hand, row, error);
      return null;
    } finally {
      clearInterval(timer);
    }
  }

  /** Makes the records of rows that have none yet. Returns those; none where that fails: each is then begun by itself, and fails by itself. */
  async function beginAll({ job, rows }: Hand): Promise<Set<Row>> {
    const fresh = rows.filter(isFresh);
    if (fresh.length === 0) return new Set();
    const made = database.transaction(async (trx) => {
      for (const [kind, of] of Map.groupBy(fresh, ({ key }) => kindOf(kinds, key))) {
        const objects = of.map((row) => arriving(job, row));
        await kind.begin(trx, objects);
      }
      await lanes.setBegun(trx, fresh, true);
    });
    return made.then(
      () => new Set(fresh),
      () => new Set(),
    );
  }

  /** Makes the record, or makes it anew after a try that failed. False when it was deleted: it is not to come back. */
  async function begin(kind: ObjectKind, object: Arriving, row: Row): Promise<boolean> {
    const state = isFresh(row) ? null : await kind.stateOf(object.id);
    if (state === 'arriving') return true;
    if (state === null && row.begun) return false;
    if (state === 'failed') {
      // In this order a crash in between is no deletion.
      await database.transaction((trx) => lanes.setBegun(trx, [row], false));
      await kind.discard(object.id);
    }
    await database.transaction(async (trx) => {
      await kind.begin(trx, [object]);
      await lanes.setBegun(trx, [row], true);
    });
    return true;
  }

  async function failed(hand: Pick<Hand, 'job' | 'holder'>, row: Row, error: unknown): Promise<void> {
    const passing = !(error instanceof Problem) || error.status >= 500 || isTransientRefusal(error) || isMoved(error);
    if (passing && row.attempts < MAX_ATTEMPTS) {
      const asked = (pauseAskedFor(error) ?? 0) / 1000;
      const pause = Math.max(asked, firstPauseS * 2 ** (row.attempts - 1));
      const afterS = Math.min(pause, LONGEST_PAUSE_S);
      return lanes.giveBack(db, [row], hand.holder, { afterS, untried: false });
    }
    await end(hand, row, error);
  }

  /** Ends a row that will not come, with its record. */
  async function end({ holder }: Pick<Hand, 'holder'>, row: Row, error: unknown): Promise<void> {
    const problem = error instanceof Problem ? error : problems.import_failed(undefined, { cause: error });
    log[problem.status < 500 ? 'info' : 'error']({ err: error, videoId: row.videoId }, 'an object was not imported');
    const ended = database.transaction(async (trx) => {
      await kindOf(kinds, row.key).fail(trx, row.videoId, problem);
      if (!(await lanes.settle(trx, [row], holder, problem))) throw new Lost();
    });
    await ended.catch((error) => {
      if (!(error instanceof Lost)) throw error;
    });
  }

  /** Ends the rows of what is here with their records: together, or, where that fails, each by itself. */
  async function settle(hand: Pick<Hand, 'job' | 'holder'>, received: readonly Received[]): Promise<void> {
    const [first, ...others] = received;
    if (!first) return;
    try {
      await database.transaction((trx) => finish(trx, hand, received));
    } catch (error) {
      if (others.length > 0) for (const one of received) await settle(hand, [one]);
      else if (!(error instanceof Lost)) await failed(hand, first.row, error);
    }
  }

  /** Ends rows with their records, and tells of sets whose last view has come. */
  async function finish(
    trx: Transaction,
    { job, holder }: Pick<Hand, 'job' | 'holder'>,
    received: readonly Received[],
  ): Promise<void> {
    for (const [kind, of] of Map.groupBy(received, ({ kind }) => kind)) {
      if (!(await kind.finish(trx, of))) throw problems.import_deleted();
    }
    const rows = received.map(({ row }) => row);
    if (!(await lanes.settle(trx, rows, holder, null))) throw new Lost();
    await linkSets(trx, events, job.orgId, new Set(rows.flatMap(({ setId }) => setId ?? [])));
  }

  return { bring, end };
}

/** The row is another worker's by now: what was done for it is undone, and nobody is told. */
class Lost extends Error {}

/** Whether there was no record of it ever. */
const isFresh = ({ begun, attempts }: Row) => !begun && attempts === 1;

/** The folder went after the row was taken: the next try goes into none. */
const isMoved = (error: Problem): boolean => error.code === 'folder_not_found';

const arriving = (job: ImportJob, { videoId, key, objectId, version, sizeBytes, folderId }: lanes.Taken): Arriving => ({
  id: videoId,
  key,
  uri: uriOf(job.provider, job.bucket, key),
  objectId,
  version,
  sizeBytes,
  job: { ...job, folderId },
});
