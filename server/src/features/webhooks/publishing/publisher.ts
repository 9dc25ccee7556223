import { eventIdOf } from '#features/analyses/index';
import type { DomainEvents } from '#features/events/index';
import type { Transaction } from '#platform/db/index';
import type { Jobs } from '#platform/jobs/index';
import { insertMessages, type NewMessage } from '../delivery-store.ts';
import { deliverMessage } from '../jobs.ts';
import { listEnabled, listSubscribers } from '../store.ts';
import type { ReportedFact, WebhookEvent } from '../types.ts';
import * as facts from './fact-store.ts';

/** Messages about single events of one analysis. */
const MAX_FOUND = 100;

/** Handlers of domain events: they store messages and the jobs that deliver them in the transaction of the change. */
export function createPublisher({ jobs, publicUrl }: { jobs: Pick<Jobs, 'sendMany'>; publicUrl: string }) {
  /** Stores messages for the endpoints that want them. `read` is called only if there are such endpoints. */
  async function publish(
    trx: Transaction,
    orgId: string,
    types: readonly WebhookEvent[],
    read: () => Promise<ReportedFact[]>,
  ): Promise<void> {
    const endpoints = await listSubscribers(trx, orgId, types);
    if (endpoints.length === 0) return;
    const messages = (await read()).map(({ folderId, ...message }) => ({
      ...message,
      webhookIds: endpoints
        .filter(({ eventTypes }) => eventTypes.length === 0 || eventTypes.includes(message.type))
        .filter((endpoint) => endpoint.folderId === null || endpoint.folderId === folderId)
        .map(({ id }) => id),
    }));
    await store(trx, orgId, messages);
  }

  /**
   * Stores messages of a saved question for the endpoints that it names, whatever else those want. Null: for those that
   * want messages of the type.
   */
  async function announce(
    trx: Transaction,
    { orgId, webhookIds }: { orgId: string; webhookIds: readonly string[] | null },
    type: WebhookEvent,
    read: () => Promise<ReportedFact[]>,
  ): Promise<void> {
    if (webhookIds === null) return publish(trx, orgId, [type], read);
    const named = await listEnabled(trx, orgId, webhookIds);
    if (named.length === 0) return;
    const messages = (await read()).map(({ folderId: _, ...message }) => ({ ...message, webhookIds: named }));
    await store(trx, orgId, messages);
  }

  async function store(trx: Transaction, orgId: string, messages: readonly NewMessage[]): Promise<void> {
    const wanted = messages.filter(({ webhookIds }) => webhookIds.length > 0);
    const deliveryIds = await insertMessages(trx, orgId, wanted);
    await jobs.sendMany(
      trx,
      deliverMessage,
      deliveryIds.map((deliveryId) => ({ deliveryId })),
      { orgId },
    );
  }

  const videoUrl = (videoId: string) => `${publicUrl}/videos/${videoId}`;

  function toEventData(event: facts.EventFacts) {
    const { analysisId, position, videoId, startS } = event;
    const eventId = eventIdOf({ analysisId, position });
    const address = new URLSearchParams({ t: String(startS), tab: 'events', analysis: analysisId, event: eventId });
    return {
      event_id: eventId,
      incident_id: event.incidentId,
      analysis_id: analysisId,
      batch_id: event.batchId,
      video_id: videoId,
      video_name: event.videoName,
      folder_id: event.folderId,
      type: event.type,
      label: event.label,
      severity: event.severity,
      confidence: event.confidence,
      start_s: startS,
      end_s: event.endS,
      url: `${videoUrl(videoId)}?${address}`,
    };
  }

  /** An event of a camera that is recorded. Its analysis and its video are complete at the end of the session. */
  function toLiveEventData(
    { cameraId, cameraName, sessionId, videoId, folderId }: NonNullable<DomainEvents['alert.raised']['live']>,
    { query: _, ...event }: Record<string, unknown>,
  ) {
    // The id of the event changes when its recording is complete; the time is then about the same.
    const address = new URLSearchParams({ event: String(event.event_id), t: String(event.start_s) });
    return {
      // Events of a session are compared with others once the recording has an analysis.
      incident_id: null,
      analysis_id: null,
      batch_id: null,
      video_id: videoId,
      video_name: cameraName,
      camera_id: cameraId,
      session_id: sessionId,
      folder_id: folderId,
      type: event.category,
      ...pick(event, LIVE_FIELDS),
      url: `${videoUrl(videoId)}?${address}`,
    };
  }

  return {
    onVideosReady: (trx: Transaction, { orgId, videos }: DomainEvents['videos.ready']) =>
      publish(trx, orgId, ['video.ready'], async () => {
        const ids = videos.map(({ videoId }) => videoId);
        return (await facts.findVideos(trx, ids)).map(({ id, name, folderId, durationS, sizeBytes, source }) => ({
          type: 'video.ready',
          subject: `video/${id}`,
          folderId,
          data: {
            video_id: id,
            name,
            folder_id: folderId,
            duration_s: durationS,
            size_bytes: sizeBytes,
            source,
            url: videoUrl(id),
          },
        }));
      }),

    onVideoFailed: (trx: Transaction, { orgId, videoId }: DomainEvents['video.failed']) =>
      publish(trx, orgId, ['video.failed'], async () =>
        (await facts.findVideos(trx, [videoId])).map(({ id, name, folderId, source, problemCode, problemMessage }) => ({
          type: 'video.failed',
          subject: `video/${id}`,
          folderId,
          data: { video_id: id, name, folder_id: folderId, source, error: problemCode, message: problemMessage },
        })),
      ),

    onAnalysisEnded(trx: Transaction, event: DomainEvents['analysis.ended']) {
      const { orgId, analysisId, batchId, videoId, code, message } = event;
      const type = event.status === 'COMPLETED' ? 'analysis.completed' : 'analysis.failed';
      return publish(trx, orgId, [type, 'event.found'], async () => {
        const analysis = await facts.findAnalysis(trx, analysisId);
        if (!analysis) return [];
        const { videoName, folderId, query, mode } = analysis;
        const subject = `analysis/${analysisId}`;
        const found = event.events.length > 0 ? await facts.findEventsOf(trx, analysisId, MAX_FOUND) : [];
        const address = new URLSearchParams({ analysis: analysisId });
        const data = {
          analysis_id: analysisId,
          batch_id: batchId,
          video_id: videoId,
          video_name: videoName,
          folder_id: folderId,
          query,
          mode,
          error: code,
          message,
          event_count: event.events.length,
          url: `${videoUrl(videoId)}?${address}`,
        };
        return [
          ...found.map((each): ReportedFact => ({ type: 'event.found', subject, folderId, data: toEventData(each) })),
          { type, subject, folderId, data },
        ];
      });
    },

    onAlertRaised(trx: Transaction, raised: DomainEvents['alert.raised']) {
      const { savedQuestionId, name, query, alerts, live } = raised;
      const subject = `saved-question/${savedQuestionId}`;
      const others = new Map(alerts.map(({ position, otherEvents }) => [position, otherEvents]));
      const question = {
        saved_question_id: savedQuestionId,
        saved_question_name: name,
        query: query.slice(0, facts.MAX_TEXT),
      };
      if (live) {
        return announce(trx, raised, 'alert.raised', async () =>
          live.alerts.map(({ event, otherEvents }) => ({
            type: 'alert.raised',
            subject,
            folderId: live.folderId,
            data: { ...question, ...toLiveEventData(live, event), other_events: otherEvents },
          })),
        );
      }
      return announce(trx, raised, 'alert.raised', async () =>
        (await facts.findEvents(trx, alerts)).map((event) => ({
          type: 'alert.raised',
          subject,
          folderId: event.folderId,
          data: { ...question, ...toEventData(event), other_events: others.get(event.position)! },
        })),
      );
    },

    onDigestCreated: (
      trx: Transaction,
      { orgId, webhookIds, savedQuestionId, folderId, ...digest }: DomainEvents['digest.created'],
    ) =>
      announce(trx, { orgId, webhookIds }, 'digest.created', async () => [
        {
          type: 'digest.created',
          subject: `saved-question/${savedQuestionId}`,
          folderId,
          data: {
            saved_question_id: savedQuestionId,
            saved_question_name: digest.name,
            folder_id: folderId,
            day: digest.day,
            time_zone: digest.timeZone,
            lines: digest.lines,
            event_count: digest.eventCount,
            video_count: digest.videoCount,
            recap_url: digest.recapUrl,
            url: `${publicUrl}/saved-questions`,
          },
        },
      ]),

    onEventsReviewed: (trx: Transaction, { orgId, userId, kind, events }: DomainEvents['events.reviewed']) =>
      publish(trx, orgId, ['event.reviewed'], async () => {
        const reviewer = { user_id: userId, email: await facts.findMember(trx, userId) };
        return (await facts.findEvents(trx, events)).map((event) => ({
          type: 'event.reviewed',
          subject: `analysis/${event.analysisId}`,
          folderId: event.folderId,
          data: { ...toEventData(event), change: kind, approval: event.approval, added: event.added, reviewer },
        }));
      }),

    onBatchEnded: (trx: Transaction, { orgId, batchId, query, ...batch }: DomainEvents['batch.ended']) =>
      publish(trx, orgId, ['batch.completed'], async () => [
        {
          type: 'batch.completed',
          subject: `batch/${batchId}`,
          folderId: null,
          data: {
            batch_id: batchId,
            query: query.slice(0, facts.MAX_TEXT),
            ...batch,
            url: `${publicUrl}/questions/${batchId}`,
          },
        },
      ]),

    onImportEnded(trx: Transaction, event: DomainEvents['import.ended']) {
      const { orgId, importId, folderId, status, total, uploaded, skipped, failed, code, message } = event;
      const type = status === 'failed' ? 'import.failed' : 'import.completed';
      return publish(trx, orgId, [type], async () => [
        {
          type,
          subject: `import/${importId}`,
          folderId,
          data: {
            import_job_id: importId,
            folder_id: folderId,
            status,
            total,
            uploaded,
            skipped,
            failed,
            error: code,
            message,
            url: `${publicUrl}/imports/${importId}`,
          },
        },
      ]);
    },

    onLiveReported: (trx: Transaction, { orgId, sessionId, folderId, events }: DomainEvents['live.reported']) =>
      publish(trx, orgId, ['live.event'], async () =>
        events.map((event) => ({
          type: 'live.event',
          subject: `live/${sessionId}`,
          folderId,
          data: { session_id: sessionId, folder_id: folderId, ...pick(event, LIVE_FIELDS) },
        })),
      ),

    onLiveEnded(trx: Transaction, event: DomainEvents['live.ended']) {
      const { orgId, sessionId, folderId, videoId, status, code, message } = event;
      return publish(trx, orgId, ['live.ended'], async () => [
        {
          type: 'live.ended',
          subject: `live/${sessionId}`,
          folderId,
          data: {
            session_id: sessionId,
            folder_id: folderId,
            status: status.toLowerCase(),
            error: code,
            message,
            ...(status === 'FINISHED' ? { video_id: videoId, url: videoUrl(videoId) } : { video_id: null, url: null }),
          },
        },
      ]);
    },

    onCameraFault(trx: Transaction, fault: DomainEvents['camera.fault']) {
      const { orgId, folderId, cameraId, name, sessionId, faultId, kind, message, startedAt, endedAt } = fault;
      const type = endedAt === null ? 'camera.fault' : 'camera.recovered';
      return publish(trx, orgId, [type], async () => [
        {
          type,
          subject: `camera/${cameraId}`,
          folderId,
          data: {
            fault_id: faultId,
            camera_id: cameraId,
            camera_name: name,
            folder_id: folderId,
            session_id: sessionId,
            kind,
            message: endedAt === null ? message : null,
            started_at: startedAt.toISOString(),
            ended_at: endedAt?.toISOString() ?? null,
            url: `${publicUrl}/live/cameras`,
          },
        },
      ]);
    },

    onQuotaReached: (trx: Transaction, { orgId, ...data }: DomainEvents['quota.reached']) =>
      publish(trx, orgId, ['limit.reached'], async () => [
        { type: 'limit.reached', subject: `organization/${orgId}`, folderId: null, data },
      ]),
  };
}

/** Fields of a live event that messages have; its evidence stays in the API. */
const LIVE_FIELDS = [
  'event_id',
  'category',
  'label',
  'description',
  'severity',
  'confidence',
  'start_s',
  'end_s',
  'ongoing',
  'query',
  'stream_time',
  'capture_time',
];

const pick = (from: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(
    names.filter((name) => name in from).map((name) => [name, shortened(from[name])] as [string, unknown]),
  );
const shortened = (value: unknown) => (typeof value === 'string' ? value.slice(0, facts.MAX_TEXT) : value);
