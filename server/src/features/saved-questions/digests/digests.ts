import type { EventKey } from '#features/analyses/index';
import type { Events } from '#features/events/index';
import type { Database, Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { dayBefore, startOfDay, toLocalTime } from '#platform/local-time';
import { matchesRule } from '../alerts.ts';
import { sendDigests } from '../jobs.ts';
import * as questionStore from '../store.ts';
import type { SavedQuestion } from '../types.ts';
import * as store from './digest-store.ts';
import { summarize } from './summary.ts';

/** Renders clips of events, one after the other. */
export interface Recaps {
  /** Starts to render a recap on behalf of a user. Returns its id. */
  startRecap(trx: Transaction, owner: { orgId: string; userId: string }, events: readonly EventKey[]): Promise<string>;
  /** State of a recap, and its URL once it is rendered. */
  findRecap(id: string): Promise<{ isRunning: boolean; url: string | null }>;
}

export type DigestsDeps = {
  database: Database;
  events: Pick<Events, 'publish'>;
  jobs: Pick<Jobs, 'handle' | 'schedule'>;
  recaps: Recaps;
  now: () => Date;
};

/** Events of a recap, those of the highest confidence. */
const MAX_RECAP = 20;
/** Longest wait for a recap; the digest is then sent without it. */
const RECAP_WAIT_S = 1_800;

/** Daily digests of saved questions: one for each question and local day, whatever node runs the job. */
export function createDigests({ database, events, jobs, recaps, now }: DigestsDeps) {
  const { db } = database;

  /** Stores the digest of a day, and starts its recap. */
  async function prepare(question: SavedQuestion, day: string, today: string): Promise<void> {
    const { id: questionId, rule, orgId, ownerId, name } = question;
    const { timeZone } = rule.digest!;
    await database.transaction(async (trx) => {
      if (!(await store.insertDigest(trx, questionId, day))) return;
      const owner = { orgId, userId: ownerId };
      const interval = { from: startOfDay(day, timeZone), to: startOfDay(today, timeZone) };
      const results = await store.findResults(trx, { questionId, owner, ...interval });
      const { recorded, undated, late } = results;
      const matching = recorded.events.filter((event) => matchesRule(event, rule));
      const isShown = ({ approval }: { approval: string }) => approval !== 'rejected';
      const found = matching.filter(isShown);
      const others = undated.events.filter((event) => matchesRule(event, rule) && isShown(event));
      const shown = [...found, ...others].slice(0, MAX_RECAP);
      const exportId = shown.length > 0 ? await recaps.startRecap(trx, owner, shown) : null;
      const facts = {
        name,
        day,
        recorded: recorded.videoCount,
        undated: { videos: undated.videos, eventCount: others.length },
        late: late.videoCount,
      };
      const lines = summarize(facts, found, matching.length - found.length);
      const content = { lines, eventCount: found.length, videoCount: recorded.videoCount };
      await store.setContent(trx, { questionId, day, exportId, content });
    });
  }

  /** Publishes a digest if its recap has ended. */
  async function publish(digest: store.WaitingDigest & { ageS: number }): Promise<void> {
    const { questionId, day, exportId, content, ageS } = digest;
    const recap = exportId === null ? null : await recaps.findRecap(exportId);
    if (recap?.isRunning && ageS < RECAP_WAIT_S) return;
    await database.transaction(async (trx) => {
      const question = await questionStore.findQuestion(trx, questionId);
      if (!question || !(await store.markSent(trx, questionId, day))) return;
      await events.publish(trx, 'digest.created', {
        orgId: question.orgId,
        folderId: question.folderId,
        savedQuestionId: questionId,
        name: question.name,
        day,
        timeZone: question.rule.digest?.timeZone ?? 'UTC',
        ...content,
        recapUrl: recap?.url ?? null,
        webhookIds: question.webhookIds,
      });
    });
  }

  const digests = {
    /** Prepares the digests that are due, and publishes those whose recaps have ended. */
    async sendDue(): Promise<void> {
      const questions = await questionStore.listWithDigest(db);
      const latest = await store.findLatestDays(
        db,
        questions.map(({ id }) => id),
      );
      const at = now();
      const failures: unknown[] = [];
      const attempt = (work: Promise<void>) => work.catch((error) => failures.push(error));
      for (const question of questions) {
        const day = findDueDay(question, at);
        if (!day || (latest.get(question.id) ?? '') >= day.yesterday) continue;
        await attempt(prepare(question, day.yesterday, day.today));
      }
      for (const digest of await store.listWaiting(db)) await attempt(publish(digest));
      // The others are not held up by one that fails.
      if (failures.length > 0) throw failures[0];
    },

    registerJobs(): void {
      jobs.handle(sendDigests, () => digests.sendDue());
      jobs.schedule(sendDigests, '* * * * *', {});
    },
  };
  return digests;
}

/** The day that a digest is about, if it is due now: the question existed on it, and its time of day has come. */
export function findDueDay(
  { rule, createdAt, snoozedUntil }: Pick<SavedQuestion, 'rule' | 'createdAt' | 'snoozedUntil'>,
  now: Date,
): { yesterday: string; today: string } | null {
  if (!rule.digest || (snoozedUntil && snoozedUntil > now)) return null;
  const { at, timeZone } = rule.digest;
  const { day: today, time } = toLocalTime(now, timeZone);
  if (time < at || createdAt >= startOfDay(today, timeZone)) return null;
  return { yesterday: dayBefore(today), today };
}
