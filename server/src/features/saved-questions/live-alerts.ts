import type { DomainEvents, Events } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import { decideAlerts } from './alerts.ts';
import { inboxStore } from './inbox/index.ts';
import * as store from './store.ts';

/** Events that began while a camera is recorded, and that a question asks for. */
export type LiveMatches = Pick<
  NonNullable<DomainEvents['alert.raised']['live']>,
  'cameraId' | 'cameraName' | 'sessionId' | 'videoId' | 'folderId'
> & { events: readonly Record<string, unknown>[] };

/** Stores and publishes those events that match the rule of a question, as its alerts. */
export async function raiseLiveAlerts(
  trx: Transaction,
  { events, now }: { events: Pick<Events, 'publish'>; now: () => Date },
  questionId: string,
  { events: found, ...place }: LiveMatches,
): Promise<void> {
  const question = await store.lockQuestion(trx, questionId);
  if (!question) return;
  const at = now();
  const confident = found.filter(({ confidence }) => Number(confidence ?? 0) >= question.minConfidence);
  const { alerts } = decideAlerts(confident, { ...question, announces: true }, at);
  if (alerts.length === 0) return;
  await store.setLastAlert(trx, questionId, at);
  const { orgId, name, query, webhookIds } = question;
  const stored = alerts.map(({ position, otherEvents }) => ({
    liveEventId: String(confident[position]!.event_id),
    otherEvents,
  }));
  await inboxStore.insertLiveAlerts(trx, question, place.sessionId, stored);
  const live = {
    ...place,
    alerts: alerts.map(({ position, otherEvents }) => ({ event: confident[position]!, otherEvents })),
  };
  const raised = { orgId, savedQuestionId: questionId, name, query, alerts: [], webhookIds, live };
  await events.publish(trx, 'alert.raised', raised);
}
