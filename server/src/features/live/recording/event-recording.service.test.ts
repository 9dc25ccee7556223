// Sessions that are recorded only around their events: what stays, that it plays, and what is stated about the rest.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { nextMessage } from '#test/child-messages';
import { AAC_OPTIONS, H264_OPTIONS, startHlsOrigin, startHttpStream, testPattern } from '#test/servers/live-sources';
import { isOver, openStudio, type RecordedEvent, type Studio } from '../live.fixture.ts';

const { ffmpeg } = inject('programs');
const run = promisify(execFile);

const ROLL_S = 2;
/** The picture is dark for three seconds, 8 seconds after the start and then every 20 seconds. */
const DARK = { firstS: 8, lengthS: 3, everyS: 20 };
const input = testPattern().map((arg) =>
  arg.startsWith('testsrc2')
    ? `${arg},drawbox=color=black:thickness=fill:enable='between(mod(t,${DARK.everyS}),${DARK.firstS},${DARK.firstS + DARK.lengthS})'`
    : arg,
);
const FORM = {
  rapid_review_query: 'the picture is dark',
  recording: 'events',
  pre_roll_s: String(ROLL_S),
  post_roll_s: String(ROLL_S),
};

type RetainedSpan = {
  start_at: string;
  from_s: number;
  until_s: number;
  event_count: number;
  video_id: string | null;
  video_from_s: number | null;
};
type Ended = {
  status: string;
  started_at: string;
  duration_s: number;
  retained_s: number;
  discarded_s: number;
  retained_spans: RetainedSpan[];
  events: (RecordedEvent & { start_at: string })[];
  chunks: unknown[];
};

describe.runIf(ffmpeg)('a session that is recorded around its events', { timeout: 400_000 }, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio({ SIGHTLINE_LIVE_WINDOW_SECONDS: '10' }, { worker: false });
  });
  afterAll(async () => studio?.close());

  async function spawnWorker(): Promise<ChildProcess> {
    const env = JSON.stringify(studio.library.env);
    const child = fork(new URL('worker.fixture.ts', import.meta.url), [env], { execArgv: [] });
    await nextMessage(child);
    return child;
  }
  const kill = async (worker: ChildProcess) => {
    const exited = once(worker, 'exit');
    worker.kill('SIGKILL');
    await exited;
  };

  const filesOf = async (sessionId: string) => {
    const rows = await studio.library.database.db
      .selectFrom('liveSegments')
      .select(['storageKey', 'decision'])
      .where('sessionId', '=', sessionId)
      .execute();
    const files = await Promise.all(rows.map(({ storageKey }) => studio.library.storage.stat(storageKey)));
    return rows.map(({ decision }, i) => ({ decision, exists: files[i] !== null }));
  };

  /** Checks that the events of a session, and what is around them, are in its recording, which plays. */
  async function expectRecordedEvents(session: { session_id: string; video_id: string }, done: Ended): Promise<void> {
    expect(done).toMatchObject({ status: 'FINISHED', error: null, unanswered_s: 0, gaps: [] });
    expect(done.retained_s + done.discarded_s).toBeCloseTo(done.duration_s, 3);
    // A dark part at the very end may be too short.
    const least = Math.floor((done.duration_s - DARK.firstS - DARK.lengthS) / DARK.everyS);
    const events = done.events.toSorted((a, b) => a.start_s - b.start_s);
    expect(events.length).toBeGreaterThanOrEqual(Math.max(2, least));
    for (const { start_s, end_s } of events) {
      const span = done.retained_spans.find(({ from_s, until_s }) => from_s <= start_s && until_s >= end_s)!;
      expect(span.from_s).toBeLessThanOrEqual(Math.max(0, start_s - ROLL_S) + 0.01);
      expect(span.until_s).toBeGreaterThanOrEqual(Math.min(end_s + ROLL_S, done.duration_s) - 0.01);
    }
    let beforeS = 0;
    for (const span of done.retained_spans) {
      expect(span.video_id).toBe(session.video_id);
      expect(span.event_count).toBeGreaterThan(0);
      // Whole segments stay, and no more.
      expect(span.until_s - span.from_s).toBeLessThan(DARK.lengthS + 2 * ROLL_S + 6);
      expect(span.video_from_s).toBeCloseTo(beforeS, 2);
      beforeS += span.until_s - span.from_s;
      const sinceMs = Date.parse(span.start_at) - Date.parse(done.started_at);
      expect(Math.abs(sinceMs - span.from_s * 1_000)).toBeLessThan(1_500);
    }
    expect(beforeS).toBeCloseTo(done.retained_s, 2);
    expect(done.retained_s).toBeLessThan(done.duration_s * 0.75);

    const video = (await studio.library.videos.find(session.video_id))!;
    expect(video.durationS).toBeCloseTo(done.retained_s, 0);
    // It decodes without an error, its frames follow each other, and it is dark where its events are.
    await using file = await studio.library.storage.local(video.storageKey);
    const { stderr } = await run(ffmpeg!, ['-i', file.path, '-vf', 'blackdetect=d=0.5:pix_th=0.05', '-f', 'null', '-']);
    expect(stderr).not.toMatch(/non.monoton|error|invalid|out of order/i);
    const dark = [...stderr.matchAll(/black_start:([\d.]+)/g)].map(([, from]) => Number(from));
    const { json } = await studio.api.call('GET', `/api/events?video_id=${session.video_id}`, { key: studio.key });
    const found = (json.events as { start_s: number; start_at: string }[]).toSorted((a, b) => a.start_s - b.start_s);
    expect(found).toHaveLength(events.length);
    expect(dark).toHaveLength(done.retained_spans.length);
    for (const [i, { start_s, start_at }] of found.entries()) {
      // An event that was interrupted continues as another one, in the same dark part.
      expect(dark.some((from) => start_s > from - 0.6 && start_s < from + DARK.lengthS)).toBe(true);
      // The clock of the recording knows what is left out.
      expect(Math.abs(Date.parse(start_at) - Date.parse(events[i]!.start_at))).toBeLessThan(1_500);
    }
    expect(await filesOf(session.session_id)).not.toContainEqual(expect.objectContaining({ decision: 'discarded' }));
    const { text } = await studio.playlist(session);
    expect(text.match(/#EXTINF/g)).toHaveLength(done.chunks.length);
  }

  test('keeps them with what is before and after them, and plays', async () => {
    const stream = await startHttpStream(ffmpeg!, {
      makes: [[...input, ...H264_OPTIONS, ...AAC_OPTIONS, '-f', 'mpegts']],
      contentType: 'video/mp2t',
    });
    const worker = await spawnWorker();
    try {
      const session = await studio.start(stream.url, FORM);
      // Segments are deleted while the session runs.
      const running = await studio.until(session, ({ discarded_s }) => Number(discarded_s) >= 8);
      expect(running).toMatchObject({ status: 'ACTIVE', recording: 'events', unanswered_s: 0 });
      await studio.until(session, async () =>
        (await filesOf(session.session_id)).some(({ decision, exists }) => decision === 'discarded' && !exists),
      );
      await studio.until(session, ({ duration_s }) => Number(duration_s) >= 40);
      // Players that look back skip what is not there any more.
      const { url } = await studio.playlist(session);
      const past = await (await fetch(`${url}&start_s=0`)).text();
      expect(past.match(/#EXT-X-GAP\n#EXTINF/g)!.length).toBeGreaterThan(2);
      await studio.end(session);
      await expectRecordedEvents(session, (await studio.until(session, isOver)) as unknown as Ended);
    } finally {
      await kill(worker);
      await stream.stop();
    }
  });

  test('loses none of them when workers are killed, before and after its end', async () => {
    const origin = await startHlsOrigin(ffmpeg!, { input, listed: 300 });
    const workers = [await spawnWorker()];
    const replace = async () => {
      await kill(workers.at(-1)!);
      workers.push(await spawnWorker());
    };
    try {
      const session = await studio.start(origin.url, FORM);
      // Between the report of an event and the decision about what is after it.
      await studio.until(session, ({ events }) => events.length >= 1);
      await replace();
      // While segments are discarded.
      await studio.until(session, ({ discarded_s }) => Number(discarded_s) > 0);
      await replace();
      await studio.until(session, ({ events }) => events.length >= 2);
      await replace();
      await studio.until(session, ({ duration_s }) => Number(duration_s) >= 55);
      await studio.end(session);
      await studio.until(session, ({ status }) => status !== 'ACTIVE');
      await replace();
      await expectRecordedEvents(session, (await studio.until(session, isOver)) as unknown as Ended);
    } finally {
      await kill(workers.at(-1)!);
      await origin.stop();
    }
  });

  test('without an event has no video, and states how much was analyzed', async () => {
    const stream = await startHttpStream(ffmpeg!, {
      makes: [[...testPattern({ seconds: 12 }), ...H264_OPTIONS, ...AAC_OPTIONS, '-f', 'mpegts']],
      contentType: 'video/mp2t',
    });
    const worker = await spawnWorker();
    try {
      const session = await studio.start(stream.url, FORM);
      await studio.until(session, ({ duration_s }) => Number(duration_s) >= 8);
      await studio.end(session);
      const done = (await studio.until(session, isOver)) as unknown as Ended;
      expect(done).toMatchObject({ status: 'FINISHED', error: null, retained_s: 0, retained_spans: [], events: [] });
      expect(done.discarded_s).toBeCloseTo(done.duration_s, 3);
      expect(await studio.library.videos.find(session.video_id)).toBeNull();
      expect(await filesOf(session.session_id)).toEqual([]);
    } finally {
      await kill(worker);
      await stream.stop();
    }
  });

  test('is refused without a query', async () => {
    const form = { source_url: 'rtsp://camera.example/1', name: 'Gate', recording: 'events' };
    expect(await studio.post('/api/live/start-session', form)).toMatchObject({
      status: 400,
      json: { error: 'live_recording_without_query' },
    });
  });
});
