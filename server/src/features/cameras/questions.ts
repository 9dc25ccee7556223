import type { Engine, Plan } from '#engine/index';
import type { DomainEvents } from '#features/events/index';
import type { CameraQuestion, SavedQuestions } from '#features/saved-questions/index';
import type { Zones } from '#features/zones/index';
import type { Database, Transaction } from '#platform/db/index';
import type { CameraMode } from './schedule.ts';
import * as store from './store.ts';
import type { Camera } from './types.ts';

export type QuestionsDeps = {
  database: Database;
  engine: Pick<Engine, 'readings'>;
  zones: Pick<Zones, 'ofVideo'>;
  savedQuestions: Pick<SavedQuestions, 'setOfCamera' | 'listOfCameras' | 'raiseLiveAlerts'>;
};

/** The query of a session, and the reading that it is analyzed by; `digest` identifies both. */
export type ReadQuery = { query: string; plan: Plan; digest: string };

/** Saved questions of cameras: the query of their sessions, and the alerts about what is found in them. */
export function createCameraQuestions({ engine, zones, savedQuestions }: QuestionsDeps) {
  /** The reading of a question, without the points of zones. One of an earlier version is stored within a minute. */
  const readingOf = ({ query, plan }: CameraQuestion): Plan =>
    plan === null ? engine.readings.read(query, []) : engine.readings.open(plan, query, null).plan;

  return {
    setOfCamera: savedQuestions.setOfCamera,

    /** Questions of cameras by the id of the camera. */
    async byCamera(cameraIds: readonly string[], trx?: Transaction) {
      const questions = await savedQuestions.listOfCameras(cameraIds, trx);
      return Map.groupBy(questions, ({ cameraId }) => cameraId);
    },

    /** The query of a session of a camera: its questions that are not paused; null without one. */
    async queryOf({ id, folderId }: Pick<Camera, 'id' | 'folderId'>, mode: CameraMode): Promise<ReadQuery | null> {
      if (mode !== 'analyze') return null;
      const questions = (await savedQuestions.listOfCameras([id])).filter(({ active }) => active);
      if (questions.length === 0) return null;
      const named = await zones.ofVideo({ id: '', folderId, cameraId: id });
      const readingIn = (question: CameraQuestion) => {
        const reading = readingOf(question);
        return engine.readings.renew(reading, question.query, named) ?? reading;
      };
      const query = questions.map((question) => question.query).join('\n');
      const plan = engine.readings.join(query, questions.map(readingIn));
      return { query, plan, digest: engine.readings.digestOf(plan) };
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
      for (const question of questions) {
        const { id, query, active } = question;
        if (!active) continue;
        // An event has the part of the query that found it.
        const { searches } = engine.readings.place(readingOf(question), query, named);
        const parts = new Set(searches.map(({ text }) => text));
        const matches = started.filter((event) => parts.has(String(event.query)));
        if (matches.length === 0) continue;
        const place = { cameraId: camera.id, cameraName: camera.name, sessionId, videoId, folderId };
        await savedQuestions.raiseLiveAlerts(trx, id, { ...place, events: matches });
      }
    },
  };
}

export type CameraQuestions = ReturnType<typeof createCameraQuestions>;
