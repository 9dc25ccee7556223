import {
  type Analyses,
  type EventFields,
  type EventKey,
  type EventState,
  eventIdOf,
  type OpenAnalysis,
} from '#features/analyses/index';
import { type AuditActor, recordAction } from '#features/audit/index';
import type { Events } from '#features/events/index';
import type { Folders } from '#features/folders/index';
import type { Database, Transaction } from '#platform/db/index';
import { type Caller, fromWire, toWire } from '#platform/http/index';
import { agreementOf } from './agreement.ts';
import { applyChange, diff, isUnchangedSince, valuesOf, WITHDRAWN } from './changes.ts';
import { applyLabels, type LabelCounts } from './labels/index.ts';
import { problems } from './problems.ts';
import { countSamples, createSamples } from './samples/index.ts';
import { EventReviewRequest, type FolderReview } from './schema.ts';
import { countReviewed } from './scores/score-store.ts';
import { toScores } from './scores/scores.ts';
import type { Review } from './service-types.ts';
import * as store from './store.ts';
import type { ReviewChange } from './types.ts';

/** Slack at the end of a video: durations of containers are not exact. */
const END_SLACK_S = 0.5;

type ReviewDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  analyses: Pick<Analyses, 'reviewing' | 'eventIndex'>;
  folders: Pick<Folders, 'require' | 'requireWritable'>;
};

export function createReview({ database, events, analyses: { reviewing, eventIndex }, folders }: ReviewDeps): Review {
  const { db } = database;

  /** The number of reviewers that each of the analyses needs. */
  async function readPolicies(trx: Transaction, opened: readonly OpenAnalysis[]) {
    const policies = await store.findPolicies(
      trx,
      opened.flatMap(({ folderId }) => folderId ?? []),
    );
    return ({ folderId }: OpenAnalysis) => (folderId ? policies.get(folderId) : undefined) ?? 1;
  }

  /** Opens the analyses of these events, with the number of reviewers that each needs. */
  async function open(trx: Transaction, caller: Caller, events: readonly EventKey[]) {
    const opened = await reviewing.open(
      trx,
      caller,
      events.map(({ analysisId }) => analysisId),
    );
    const requiredBy = await readPolicies(trx, [...opened.values()]);
    return events.map(({ analysisId, position }) => {
      const analysis = opened.get(analysisId)!;
      const state = analysis.read(position);
      if (!state) throw reviewing.notFound();
      const write = (next: EventState) => analysis.write(position, next, requiredBy(analysis));
      return { analysis, analysisId, position, state, write };
    });
  }

  /** Stores the documents, the history and an entry of the audit log. */
  async function save(
    trx: Transaction,
    caller: Caller,
    by: AuditActor,
    {
      action,
      opened,
      changes,
      detail,
    }: {
      action: string;
      opened: readonly OpenAnalysis[];
      changes: store.StoredChange[];
      /** Of the entry; absent: the first change and the ids of all events. */
      detail?: Record<string, unknown>;
    },
  ): Promise<void> {
    if (changes.length === 0) return;
    await reviewing.save(trx, opened);
    const actionId = await store.insertChanges(trx, caller, changes);
    const { orgId, userId } = caller;
    for (const [kind, changed] of Map.groupBy(changes, ({ kind }) => kind)) {
      await events.publish(trx, 'events.reviewed', { orgId, userId, kind, events: changed });
    }
    const eventIds = changes.map(eventIdOf);
    await recordAction(trx, by, {
      orgId: caller.orgId,
      action,
      subjectId: eventIds.length === 1 ? eventIds[0]! : actionId,
      detail: detail ?? { ...changes[0]!.after, event_ids: eventIds },
    });
  }

  async function checkRange(
    trx: Transaction,
    videoId: string,
    { startS, endS }: Pick<EventFields, 'startS' | 'endS'>,
  ): Promise<void> {
    const { durationS } = await reviewing.findClock(trx, videoId);
    const limitS = durationS === null ? Number.POSITIVE_INFINITY : durationS + END_SLACK_S;
    if (startS < 0 || startS > endS || endS > limitS) throw problems.event_range_invalid();
  }

  const readAll = (caller: Caller, events: readonly EventKey[]) => eventIndex.getMany(caller, events);
  const parseAll = (eventIds: readonly string[]) => [...new Set(eventIds)].map((id) => reviewing.parseEventId(id));

  async function readFolder(caller: Caller, folderId: string): Promise<FolderReview> {
    const policies = await store.findPolicies(db, [folderId]);
    const pairs = await store.countVerdictPairs(db, caller, folderId);
    const names = await store.findNames(db, [
      ...new Set(pairs.flatMap(({ firstId, secondId }) => [firstId, secondId])),
    ]);
    const byReviewers = Map.groupBy(pairs, ({ firstId, secondId }) => `${firstId} ${secondId}`);
    const agreement = [...byReviewers.values()].map((of) => ({
      reviewers: [of[0]!.firstId, of[0]!.secondId].map((userId) => ({ userId, name: names.get(userId) ?? null })),
      ...agreementOf(of),
    }));
    return {
      folderId,
      reviewers: policies.get(folderId) ?? 1,
      agreement: agreement.toSorted((a, b) => b.events - a.events),
    };
  }

  async function addEvent(
    trx: Transaction,
    caller: Caller,
    { videoId, analysisId }: { videoId: string; analysisId: string },
    event: EventFields,
    by: AuditActor,
  ): Promise<number> {
    const analysis = (await reviewing.open(trx, caller, [analysisId])).get(analysisId)!;
    if (analysis.videoId !== videoId) throw reviewing.notFound();
    await checkRange(trx, videoId, event);
    const required = (await readPolicies(trx, [analysis]))(analysis);
    const added = { ...event, addedBy: caller.userId, origin: null };
    const position = analysis.add(added, await reviewing.findClock(trx, videoId), required);
    const values = valuesOf(analysis.read(position)!, caller.userId);
    const change = { analysisId, position, kind: 'added' as const, ...toStored({ before: {}, after: values }) };
    await save(trx, caller, by, { action: 'event.added', opened: [analysis], changes: [change] });
    return position;
  }

  const getEvent: Review['get'] = async (caller, eventId) => {
    const key = reviewing.parseEventId(eventId);
    await reviewing.require(caller, [key.analysisId]);
    const [event] = await readAll(caller, [key]);
    if (!event) throw reviewing.notFound();
    return event;
  };

  const review: Review = {
    samples: createSamples({ database, reviewing, folders, addEvent, getEvent }),
    get: getEvent,

    async change(caller, eventIds, change, by) {
      if (Object.values(change).every((value) => value === undefined)) throw problems.review_empty();
      const events = parseAll(eventIds);
      await database.transaction(async (trx) => {
        const opened = await open(trx, caller, events);
        const changes: store.StoredChange[] = [];
        for (const { analysis, analysisId, position, state, write } of opened) {
          const next = applyChange(state, change, caller.userId);
          const differences = diff(valuesOf(state, caller.userId), valuesOf(next, caller.userId));
          if (!differences) continue;
          if (next.startS !== state.startS || next.endS !== state.endS) await checkRange(trx, analysis.videoId, next);
          write(next);
          changes.push({ analysisId, position, kind: 'changed', ...toStored(differences) });
        }
        const analyses = opened.map(({ analysis }) => analysis);
        await save(trx, caller, by, { action: 'event.reviewed', opened: analyses, changes });
      });
      return readAll(caller, events);
    },

    async add(caller, videoId, analysisId, event, by) {
      const add = (trx: Transaction) => addEvent(trx, caller, { videoId, analysisId }, event, by);
      const position = await database.transaction(add);
      return review.get(caller, eventIdOf({ analysisId, position }));
    },

    async importLabels(caller, { origin, analyses, complete, dryRun }, by) {
      const counts: LabelCounts = { added: 0, confirmed: 0, unchanged: 0, rejected: 0 };
      await database.transaction(async (trx) => {
        const opened = await reviewing.open(
          trx,
          caller,
          analyses.map(({ analysisId }) => analysisId),
        );
        const requiredBy = await readPolicies(trx, [...opened.values()]);
        const findClock = (videoId: string) => reviewing.findClock(trx, videoId);
        const context = { origin, complete, userId: caller.userId, findClock };
        const changes: store.StoredChange[] = [];
        for (const { analysisId, labels } of analyses) {
          const analysis = opened.get(analysisId)!;
          const target = { analysis, labels, required: requiredBy(analysis) };
          const made = await applyLabels(target, context, counts);
          changes.push(...made.map((change) => ({ ...change, ...toStored(change) })));
        }
        const saved = { action: 'labels.imported', opened: [...opened.values()], changes };
        if (!dryRun) await save(trx, caller, by, { ...saved, detail: { origin, ...counts } });
      });
      return counts;
    },

    async undo(caller, by) {
      const events = await database.transaction(async (trx) => {
        const taken = await store.takeLastAction(trx, caller);
        if (taken.length === 0) throw problems.nothing_to_undo();
        const opened = await open(trx, caller, taken);
        const changes = opened.map(({ analysisId, position, state, write }, i) => {
          const { kind, before, after } = taken[i]!;
          const now = valuesOf(state, caller.userId);
          if (!isUnchangedSince(now, fromStored(after))) throw problems.review_superseded();
          const back: ReviewChange = kind === 'added' ? WITHDRAWN : fromStored(before);
          const next = applyChange(state, back, caller.userId);
          write(next);
          const differences = diff(now, valuesOf(next, caller.userId));
          return { analysisId, position, kind: 'undone' as const, ...toStored(differences!) };
        });
        const analyses = opened.map(({ analysis }) => analysis);
        await save(trx, caller, by, { action: 'review.undone', opened: analyses, changes });
        return taken;
      });
      return readAll(caller, events);
    },

    async history(caller, eventId) {
      await review.get(caller, eventId);
      return store.listChanges(db, reviewing.parseEventId(eventId));
    },

    async assign(caller, eventIds, { userId, seconds }) {
      const until = new Date(Date.now() + seconds * 1000);
      const assignee = userId ?? caller.userId;
      const orgId = await store.findOrganization(db, assignee);
      if (orgId === null) throw problems.reviewer_not_found();
      if (orgId !== caller.orgId) throw problems.reviewer_forbidden();
      const changed = await lease(caller, eventIds, { userId: assignee, until });
      return { eventIds: changed, assignedUntil: until };
    },

    async release(caller, eventIds) {
      return { eventIds: await lease(caller, eventIds, null), assignedUntil: null };
    },

    async scores(caller, filter) {
      const folderId = filter.folderId ?? caller.folderId;
      if (folderId) await folders.require(caller, folderId);
      const scoped = { ...filter, folderId };
      return toScores(await countReviewed(db, caller, scoped), await countSamples(db, caller, scoped));
    },

    async getFolder(caller, folderId) {
      await folders.require(caller, folderId);
      return readFolder(caller, folderId);
    },

    async setReviewers(caller, folderId, reviewers, by) {
      await folders.requireWritable(caller, folderId);
      await database.transaction(async (trx) => {
        await store.savePolicy(trx, folderId, reviewers);
        const { orgId } = caller;
        await recordAction(trx, by, { orgId, action: 'review.required', subjectId: folderId, detail: { reviewers } });
      });
      return readFolder(caller, folderId);
    },

    onVideoErased: (trx, { videoId }) => store.deleteOfVideo(trx, videoId),
  };

  async function lease(caller: Caller, eventIds: readonly string[], to: { userId: string; until: Date } | null) {
    const events = parseAll(eventIds);
    await reviewing.require(
      caller,
      events.map(({ analysisId }) => analysisId),
    );
    if ((await readAll(caller, events)).length < events.length) throw reviewing.notFound();
    const changed = await database.transaction((trx) => reviewing.lease(trx, caller, events, to));
    const changedIds = new Set(changed.map(eventIdOf));
    // In the order of the request.
    return events.map(eventIdOf).filter((id) => changedIds.has(id));
  }

  return review;
}

/** Changes are stored in the form of the request that makes them. */
const toStored = ({ before, after }: { before: ReviewChange; after: ReviewChange }) => ({
  before: toWire(EventReviewRequest, before),
  after: toWire(EventReviewRequest, after),
});
const fromStored = (values: Record<string, unknown>): ReviewChange => fromWire(EventReviewRequest, values);
