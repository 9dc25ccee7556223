import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { testPattern } from '#test/servers/live-sources';
import { startRtspServer } from '#test/servers/rtsp-server';
import { isOver, openStudio, type Studio } from '../live.fixture.ts';
import type { RecordedPlace } from '../types.ts';
import { toRecordedEvent } from './recorded-answer.ts';

const { ffmpeg } = inject('programs');

type Document = {
  analysis: { query: string; status: string; interpretation: string; coverage: { text: string; findings: number }[] };
  events: { event_id: string; label: string; start_s: number; end_s: number; annotated_thumbnail_url: string }[];
};

describe.runIf(ffmpeg)('a recording', { timeout: 240_000 }, () => {
  let studio: Studio;
  beforeAll(async () => {
    studio = await openStudio();
  });
  afterAll(async () => studio?.close());

  const get = async <Answer>(path: string) =>
    (await studio.api.call('GET', path, { key: studio.key })).json as unknown as Answer;
  type Analyses = { analyses: { analysis_id: string }[] };

  test('has the events of its session after an interruption, to be reviewed and searched', async () => {
    const camera = await startRtspServer(ffmpeg!, { input: testPattern({ sound: false, darkS: 3 }) });
    try {
      const url = `rtsp://127.0.0.1:${camera.port}/stream`;
      const session = await studio.start(url, { rapid_review_query: 'the picture is dark' });
      await studio.until(session, ({ events }) => events.length > 0);
      camera.refuse(true);
      await studio.until(session, ({ connected }) => connected === false);
      camera.refuse(false);
      const { gaps } = await studio.until(
        session,
        ({ gaps: found, events }) =>
          found.length > 0 && events.some(({ start_s }) => start_s > Number(found[0]!.until_s)),
      );
      await studio.end(session);
      const { events, status } = await studio.until(session, isOver);
      expect(status).toBe('FINISHED');

      const { analyses } = await get<Analyses>(`/api/videos/${session.video_id}/analyses`);
      expect(analyses).toMatchObject([
        { status: 'COMPLETED', query: 'the picture is dark', event_count: events.length },
      ]);
      const document = await get<Document>(`/api/videos/${session.video_id}/analyses/${analyses[0]!.analysis_id}`);
      expect(document.analysis.coverage).toMatchObject([{ findings: events.length }]);
      // Times of the recording leave the gap out.
      const gapS = Number(gaps[0]!.until_s) - Number(gaps[0]!.from_s);
      const expected = events
        .map(({ start_s }) => start_s - (start_s > Number(gaps[0]!.from_s) ? gapS : 0))
        .sort((a, b) => a - b);
      for (const [i, { start_s, end_s }] of document.events.entries()) {
        expect(start_s).toBeCloseTo(expected[i]!, 1);
        expect(end_s).toBeGreaterThanOrEqual(start_s);
      }
      const image = await fetch(
        document.events[0]!.annotated_thumbnail_url.replace(/^https?:\/\/[^/]+/, studio.api.base),
      );
      expect(image.headers.get('content-type')).toBe('image/jpeg');
      await image.arrayBuffer();
      const listed = await get<{ events: unknown[] }>(`/api/events?video_id=${session.video_id}`);
      expect(listed.events).toHaveLength(events.length);
      const { status: reviewed } = await studio.api.call('PATCH', `/api/events/${document.events[0]!.event_id}`, {
        key: studio.key,
        json: { approval: 'approved' },
      });
      expect(reviewed).toBe(200);
    } finally {
      await camera.stop();
    }
  });

  test('of a session without a question has no analysis', async () => {
    const camera = await startRtspServer(ffmpeg!);
    try {
      const session = await studio.start(`rtsp://127.0.0.1:${camera.port}/stream`);
      await studio.until(session, ({ chunk_count }) => chunk_count > 0);
      await studio.end(session);
      await studio.until(session, isOver);
      expect((await get<Analyses>(`/api/videos/${session.video_id}/analyses`)).analyses).toEqual([]);
    } finally {
      await camera.stop();
    }
  });
});

describe('an event of the stream', () => {
  const segments: RecordedPlace[] = [
    // The second recording of a session, with a gap of 10 s after its first segment.
    { sequence: 5, startS: 10, streamS: 10, durationS: 2, videoId: 'b' },
    { sequence: 6, startS: 12, streamS: 22, durationS: 2, videoId: 'b' },
    { sequence: 7, startS: 14, streamS: 24, durationS: 2, videoId: 'b' },
  ];
  const frame = (chunk_index: number, chunk_relative_time: number) => ({
    role: 'best',
    boxes: [],
    pts: 0,
    chunk_index,
    chunk_relative_time,
  });
  const event = (chunkIndex: number, start_s: number, end_s: number, frames = [frame(chunkIndex, 0.5)]) => ({
    chunkIndex,
    data: { start_s, end_s, label: 'dark', evidence: { frames, tracks: [], signals: [] } },
  });
  const clock = { timeBase: [1, 1000] as [number, number], startS: 0.1 };

  test.each([
    ['before the gap', event(5, 10.5, 11), [0.5, 1]],
    ['across the gap', event(5, 11, 23), [1, 3]],
    ['that ends in the gap', event(5, 11, 18), [1, 2]],
    ['after the gap', event(7, 25, 26), [5, 6]],
    ['that lasts beyond the recording', event(7, 25, 40), [5, 6]],
    ['of another recording', event(4, 9, 9.5), null],
  ])('%s has its time in the recording', (_, live, expected) => {
    const found = toRecordedEvent(live, segments, clock);
    expect(found && [found.startS, found.endS]).toEqual(expected);
    if (found) expect(found.startPts).toBe(100 + 1000 * found.startS);
  });

  test('has the frames that the recording contains', () => {
    const found = toRecordedEvent(event(5, 9, 11, [frame(4, 1.9), frame(6, 0.25)]), segments, clock)!;
    expect(found.evidence.frames).toMatchObject([{ timeS: 2.25, pts: 2350 }]);
  });
});
