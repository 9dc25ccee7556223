import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#platform/db/index';
import type { Env } from '#test/app';
import { type LibraryOptions, openLibrary, PUBLIC_URL } from '#test/library';

/** Short timeouts of sources, but long enough for one that comes back while the processors are busy. */
export const QUICK = {
  liveTimeouts: {
    firstFrameS: 20,
    reconnectForS: 30,
    stalledS: 6,
    minRetryS: 0.2,
    maxRetryS: 1,
    diskFullS: 2,
    sweepS: 1,
  },
};

/** A request takes some milliseconds of CPU, and five sessions at a time wait for a minute. */
const POLL_MS = 200;

export type RecordedEvent = {
  event_id: string;
  label: string;
  start_s: number;
  end_s: number;
  ongoing: boolean;
  chunk_index: number;
  created_at: string;
};
export type Studio = Awaited<ReturnType<typeof openStudio>>;
type Session = Record<string, unknown> & {
  status: string;
  chunk_count: number;
  chunks: {
    chunk_index: number;
    discontinuity: boolean;
    stream_time: number;
    hls_cumulative_offset: number;
    duration_s: number;
    capture_time: string;
  }[];
  gaps: Record<string, unknown>[];
  events: RecordedEvent[];
  video_ids: string[];
};

/** The service with a running worker, unless there is to be none, and a key of its owner. Close it. */
export async function openStudio(env: Env = {}, { worker = true, overrides }: LibraryOptions = {}) {
  const room = { SIGHTLINE_MAX_LIVE_SESSIONS: '20', SIGHTLINE_LIVE_PER_WORKER: '20' };
  const library = await openLibrary({ ...room, ...env }, { worker, overrides: { ...QUICK, ...overrides } });
  const { api, live, media } = library;
  const { key, caller } = await library.keyOf(library.owner, ['read', 'write']);

  const post = (path: string, form: Record<string, string>, as = key) =>
    api.call('POST', path, { key: as, body: new URLSearchParams(form) });
  async function read(session: { stream_id: string; session_id: string }): Promise<Session> {
    const { json } = await api.call('GET', `/api/live/live-sessions/${session.stream_id}/${session.session_id}`, {
      key,
    });
    return json as Session;
  }

  /** The session once it is as it should be. */
  async function until(
    session: { stream_id: string; session_id: string },
    fits: (now: Session) => boolean | Promise<boolean>,
    seconds = 100,
  ) {
    for (const lateMs = Date.now() + seconds * 1000; ; await sleep(POLL_MS)) {
      const now = await read(session);
      if (await fits(now)) return now;
      if (Date.now() > lateMs || isOver(now)) {
        throw new Error(`${now.status}, ${now.chunk_count} chunks, ${now.error}: ${now.message}`);
      }
    }
  }
  /** Signs the manifest, and follows it to the playlist: its address and its lines. */
  async function playlist({ session_id }: { session_id: string }) {
    const signed = await api.call('POST', `/api/live/session/${session_id}/signed-manifest`, { key });
    const manifest = String(signed.json.url).replace(PUBLIC_URL, api.base);
    const master = await (await fetch(manifest)).text();
    const url = new URL(master.trim().split('\n').at(-1)!, manifest).href;
    return { manifest, master, url, text: await (await fetch(url)).text() };
  }

  return {
    library,
    media,
    api,
    key,
    caller,
    post,
    read,
    live,
    async start(sourceUrl: string, form: Record<string, string> = {}) {
      const { status, json } = await post('/api/live/start-session', { source_url: sourceUrl, name: 'Gate', ...form });
      if (status !== 200) throw new Error(JSON.stringify(json));
      return json as { session_id: string; stream_id: string; video_id: string };
    },
    end: (session: { stream_id: string; session_id: string }) =>
      post('/api/live/end-session', { stream_id: session.stream_id, session_id: session.session_id }),
    until,
    playlist,
    /** Waits until the master playlist matches. */
    async shows(session: { stream_id: string; session_id: string }, pattern: RegExp) {
      await until(session, async () => pattern.test((await playlist(session)).master));
    },
    /** A token of a manifest whose time is over. */
    expired: (sessionId: string) => library.secrets.sign('live-manifest', sessionId, new Date(Date.now() - 2_000)),
    close: library.close,
  };
}

export const isOver = ({ status }: { status: string }) => status === 'FINISHED' || status === 'FAILED';

/** Number of rows of a session in each table. */
export async function rowsOf({ db }: Database, sessionId: string) {
  const count = async (table: 'liveSegments' | 'liveEpochs' | 'liveGaps') =>
    (await db.selectFrom(table).select('sessionId').where('sessionId', '=', sessionId).execute()).length;
  return { segments: await count('liveSegments'), epochs: await count('liveEpochs'), gaps: await count('liveGaps') };
}
