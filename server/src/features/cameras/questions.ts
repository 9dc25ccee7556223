import type { Engine } from '#engine/index';
import type { DomainEvents } from '#features/events/index';
import type { SavedQuestions } from '#features/saved-questions/index';
import type { Zones } from '#features/zones/index';
import type { Database, Transaction } from '#platform/db/index';
import type { CameraMode } from './schedule.ts';
import * as store from './store.ts';

export type QuestionsDeps = {
  database: Database;
  engine: Pick<Engine, 'plan'>;
  zones: Pick<Zones, 'ofVideo'>;
  savedQuestions: Pick<SavedQuestions, 'setOfCamera' | 'listOfCameras' | 'raiseLiveAlerts'>;
};

/** Saved questions of cameras: the query of their sessions, and the alerts about what is found in them. */
export function createCameraQuestions({ engine, zones, savedQuestions }: QuestionsDeps) {
  return {
    setOfCamera: savedQuestions.setOfCamera,

    /** Questions of cameras by the id of the camera. */
    async byCamera(cameraIds: readonly string[]) {
      const questions = await savedQuestions.listOfCameras(cameraIds);
      return Map.groupBy(questions, ({ cameraId }) => cameraId);
    },

    /** The query of a session of a camera: its questions that are not paused; null without one. */
    async queryOf(cameraId: string, mode: CameraMode): Promise<string | null> {
      if (mode !== 'analyze') return null;
      const questions = (await savedQuestions.listOfCameras([cameraId])).filter(({ active }) => active);
      return questions.map(({ query }) => query).join('\n') || null;
    },

    /** Domain event: raises alerts for events that began in a session of a camera, unless it is muted. */
    async onLiveReported(
      trx: Transaction,
      { sessionId, folderId, events, startedIds }: DomainEvents['live.reported'],
    ): Promise<void> {
      if (startedIds.length === 0) return;
      const found = await store.findCameraOf(trx, sessionId);
      if (!found || (found.camera.mutedUntil ?? 0) > new Date()) return;
      const { camera, videoId } = found;
      const questions = await savedQuestions.listOfCameras([camera.id], trx);
      if (questions.length === 0) return;
      const named = await zones.ofVideo({ id: videoId, folderId, cameraId: camera.id });
      const started = events.filter(({ event_id }) => startedIds.includes(String(event_id)));
      for (const { id, query, active } of questions) {
        if (!active) continue;
        // An event has the part of the query that found it.
        const parts = new Set(engine.plan(query, named).searches.map(({ text }) => text));
        const matches = started.filter((event) => parts.has(String(event.query)));
        if (matches.length === 0) continue;
        const place = { cameraId: camera.id, cameraName: camera.name, sessionId, videoId, folderId };
        await savedQuestions.raiseLiveAlerts(trx, id, { ...place, events: matches });
      }
    },
  };
}

export type CameraQuestions = ReturnType<typeof createCameraQuestions>;
