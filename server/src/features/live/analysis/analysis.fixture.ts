import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, LiveEngine } from '#engine/index';
import { constantModel } from '#engine/observe/objects/detector/model.fixture';
import { newId } from '#platform/ids';
import type { Media } from '#platform/media/index';
import { type Env, startTestNode } from '#test/app';
import { openLibrary } from '#test/library';
import { SCENE, sceneClip } from '#test/media/clips';
import { temporaryFolder } from '#test/temporary-folder';
import { createSegmentWriters } from '../recording/segment-writer.ts';
import * as recordingStore from '../recording/store.ts';
import { findSession } from '../store.ts';

export const PIECE_S = 2;

export type LiveTestEngine = Engine & { readonly live: LiveEngine };
const NEVER = new AbortController().signal;

export type Desk = Awaited<ReturnType<typeof openDesk>>;
type SessionIds = { stream_id: string; session_id: string };
export type AnalyzedEvent = Record<string, unknown> & { event_id: string; label: string; stream_time: number };

/** Events as their labels with their times in whole seconds. */
export const inShort = (events: readonly AnalyzedEvent[]) =>
  events.map(({ label, start_s, end_s, ongoing }) => {
    const [from, until] = [start_s, end_s].map((at) => Math.round(Number(at)));
    return `${label}, ${from} to ${until}${ongoing ? ' and on' : ''}`;
  });

/**
 * Pieces of `sceneClip` as a session would record them, two seconds each: the initialization section and the fragment.
 */
function scenePieces(media: Media) {
  const made = new Map<number, Promise<{ init: Buffer; data: Buffer }>>();
  async function make(index: number) {
    const cut = { fromS: index * PIECE_S, untilS: (index + 1) * PIECE_S, video: 'encode', output: 'segment' } as const;
    await using file = await media.trim(await sceneClip(), cut);
    const bytes = await readFile(file.path);
    return { init: bytes.subarray(0, file.headerBytes), data: bytes.subarray(file.headerBytes) };
  }
  return (index: number) => {
    made.set(index, made.get(index) ?? make(index));
    return made.get(index)!;
  };
}

/**
 * Sessions that are recorded by hand and looked at by a worker, with a detector that sees a person in every picture.
 */
export async function openDesk() {
  const models = await temporaryFolder();
  await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
  const library = await openLibrary({ SIGHTLINE_MODELS_DIR: models, SIGHTLINE_MAX_LIVE_SESSIONS: '100' });
  const { api, engine, live: front, media } = library;
  const pieceOf = scenePieces(media);
  const { key } = await library.keyOf(library.owner, ['read', 'write']);

  async function read({ stream_id, session_id }: SessionIds) {
    const { json } = await api.call('GET', `/api/live/live-sessions/${stream_id}/${session_id}`, { key });
    return json as {
      events: AnalyzedEvent[];
      interpretation: string | null;
      analysis: Record<string, unknown> & { analysed_s: number };
    };
  }

  async function until<State>(
    look: () => Promise<State>,
    fits: (state: State) => boolean,
    seconds = 60,
  ): Promise<State> {
    for (const lateMs = Date.now() + seconds * 1000; ; await sleep(50)) {
      const state = await look();
      if (fits(state)) return state;
      if (Date.now() > lateMs) throw new Error(`still ${JSON.stringify(state)}`);
    }
  }

  /** Waits until a session has been analyzed up to a time in seconds. */
  const analyzed = (session: SessionIds, seconds: number) =>
    until(
      () => read(session),
      ({ analysis }) => analysis.analysed_s >= seconds - 0.1,
    );

  return {
    library,
    engine,
    media,
    api,
    key,
    front,

    /** A worker of its own. */
    createWorker: (own: LiveTestEngine = engine, env: Env = {}) =>
      startTestNode(
        { ...library.env, ...env },
        { roles: { api: false, worker: false }, overrides: { engine: own, media } },
      ),

    async start(query: string | null): Promise<SessionIds> {
      const json = { source_url: 'rtsp://camera.example/1', name: 'Gate', rapid_review_query: query };
      const started = await api.call('POST', '/api/live/start-session', { key, json });
      return started.json as SessionIds;
    },

    /**
     * Records pieces as the worker that follows a session does, `gapS` after the last one and, in a stream, from
     * `startedMs` on. Returns where the stream is then, in seconds.
     */
    async recorder({ session_id: sessionId }: SessionIds, startedMs = Date.now()) {
      const jobId = newId();
      const lease = { sessionId, jobId, leaseHolder: `${jobId}:${newId()}` };
      if (!(await recordingStore.claimSession(library.database.db, lease))) throw new Error('the session is held');
      const writers = createSegmentWriters({ ...library, timeouts: { diskFullS: 1 } });
      const writer = await writers.open((await findSession(library.database.db, sessionId))!, lease);
      const { width, height } = SCENE;
      let startS = 0;
      let gapsS = 0;
      return async (index: number, { breaks = false, spoilt = false, gapS = 0 } = {}): Promise<number> => {
        gapsS += gapS;
        const { init, data: whole } = await pieceOf(index);
        const data = spoilt ? Buffer.alloc(whole.length, 7) : whole;
        const begins = startS === 0 || breaks || gapS > 0;
        const epoch = begins ? { init, codecs: 'avc1.64001f,mp4a.40.2', width, height, leadS: 0 } : null;
        const capturedMs = startedMs + (startS + gapsS) * 1000;
        await writer.write({ epoch, startS, durationS: PIECE_S, capturedMs, data }, null);
        startS += PIECE_S;
        return startS + gapsS;
      };
    },

    /** As if its worker had not been heard of for as long as a lease lasts: from now on it cannot renew it either. */
    async expireLease({ session_id: sessionId }: SessionIds): Promise<void> {
      await library.database.db
        .updateTable('liveAnalyses')
        .set({ leaseUntil: new Date(0), leaseHolder: newId() })
        .where('sessionId', '=', sessionId)
        .execute();
    },

    read,
    until,
    analyzed,

    /** Records pieces of the scene with `keep`, and waits until each is analyzed. */
    async record(session: SessionIds, keep: (piece: number) => Promise<number>, ...pieces: number[]) {
      for (const piece of pieces) await analyzed(session, await keep(piece));
      return read(session);
    },

    /** The session once all that was recorded is analyzed. */
    async over(session: SessionIds) {
      await front.analysis.drain(session.session_id, NEVER);
      return read(session);
    },

    close: library.close,
  };
}
