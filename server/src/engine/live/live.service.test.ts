import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, SCENE, sceneClip } from '#test/media/clips';
import { createEngine, createModelFolder } from '../index.ts';
import { constantModel } from '../observe/objects/detector/model.fixture.ts';
import {
  createStreamWindow,
  decodeObservedSegment,
  encodeObservedSegment,
  type ObservedSegment,
  type ReportedEvent,
  type SegmentTail,
  updateEvents,
} from './index.ts';

const SEGMENT_S = 2;
const SEGMENT_COUNT = SCENE.durationS / SEGMENT_S;

describe('a stream observed segment by segment', () => {
  let media: Media;
  let models: string;
  let engine: ReturnType<typeof createEngine>;
  let whole: Awaited<ReturnType<typeof engine.observe>>;
  const segments: ObservedSegment[] = [];
  beforeAll(async () => {
    media = await createTestMedia();
    models = await mkdtemp(join(tmpdir(), 'models-'));
    await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
    engine = createEngine({ media, models: createModelFolder(models), vision: null, log: createLog('silent') });
    const clip = await sceneClip();
    whole = await engine.observe(clip, ['signals', 'sound', 'objects']);
    let before: { tail: SegmentTail; durationS: number } | null = null;
    for (let fromS = 0; fromS < SCENE.durationS; fromS += SEGMENT_S) {
      await using file = await media.trim(clip, {
        fromS,
        untilS: fromS + SEGMENT_S,
        video: 'encode',
        output: 'segment',
      });
      const signal = AbortSignal.timeout(30_000);
      const { segment, tail } = await engine.live.observe(file.path, {
        detectionIntervalS: 0.2,
        previous: before,
        signal,
      });
      before = { tail, durationS: SEGMENT_S };
      segments.push(decodeObservedSegment(encodeObservedSegment(segment))!);
    }
  });
  afterAll(async () => {
    await media?.close();
    await rm(models, { recursive: true, force: true });
  });

  /** Answers the prompt after each segment and collects the event updates. */
  function follow(prompt: string, seconds = 60) {
    const plan = engine.plan(prompt);
    const window = createStreamWindow(seconds);
    let reported: ReportedEvent[] = [];
    let previousEndS = 0;
    const events = new Map<
      string,
      { label: string; explanation: string; startS: number; endS: number; reportedS: number; endReportedS: number }
    >();
    segments.forEach((segment, i) => {
      const startS = window.add({ segment, startS: i * SEGMENT_S });
      const { events: windowEvents } = engine.live.answer(plan, window);
      const isFinal = i === SEGMENT_COUNT - 1;
      const endS = window.endS();
      const newId = () => `e${events.size + 1}`;
      const changes = updateEvents({
        reported,
        events: windowEvents,
        startS,
        endS,
        previousEndS,
        isFinal,
        requestedSinceS: () => 0,
        newId: () => newId(),
      });
      for (const { id, event: finding, going } of changes.started) {
        const { label, explanation, startS: fromS, endS: untilS } = finding;
        events.set(id, {
          label,
          explanation,
          startS: fromS,
          endS: untilS,
          reportedS: endS,
          endReportedS: going ? Number.NaN : endS,
        });
      }
      for (const { id, endS: untilS, event } of changes.ended) {
        const before = events.get(id)!;
        const { explanation } = event ?? before;
        events.set(id, { ...before, explanation, endS: untilS, endReportedS: endS });
      }
      reported = changes.reported;
      previousEndS = endS;
    });
    return [...events.values()];
  }
  /** Levels are measured in steps that begin with a segment, so that those of one pass differ by some tenths. */
  const withoutLevel = (explanation: string) => explanation.replace(/-[\d.]+ dBFS(?= \(threshold)/, 'dBFS');
  const inOnePass = (prompt: string) => engine.answer(engine.plan(prompt), whole).events;

  test.each(['the picture is dark', 'silence', 'a loud noise', 'a person'])(
    'reports the events of one pass over the whole video, each once: %s',
    (prompt) => {
      const expected = inOnePass(prompt);
      expect(expected.length).toBeGreaterThan(0);
      const events = follow(prompt);
      expect(events.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
      for (const [i, { explanation, startS, endS, reportedS, endReportedS }] of events.entries()) {
        // Its figures are those of the whole event, and not those of the part that was seen when it was reported.
        expect(withoutLevel(explanation)).toBe(withoutLevel(expected[i]!.explanation));
        expect(startS).toBeCloseTo(expected[i]!.startS, 0);
        expect(endS).toBeCloseTo(expected[i]!.endS, 0);
        // At the latest with the segment after the one in which it starts.
        expect(reportedS - startS).toBeLessThan(2 * SEGMENT_S + 0.5);
        expect(endReportedS).toBeGreaterThanOrEqual(endS);
      }
    },
  );

  test('finds a cut between two segments', () => {
    expect(SCENE.cutS % SEGMENT_S).toBe(0);
    const [cut] = follow('scene changes');
    expect(cut!.startS).toBeCloseTo(SCENE.cutS, 1);
  });

  test('reports an event longer than the window once', () => {
    const events = follow('a person', 3);
    expect(events).toHaveLength(1);
    expect(events[0]!.endS).toBeCloseTo(SCENE.durationS, 0);
    expect(events[0]!.explanation).toMatch(/^Its last 4 s: Person/);
  });

  test('an object has one track through all segments', () => {
    const window = createStreamWindow(60);
    for (const [i, segment] of segments.entries()) window.add({ segment, startS: i * SEGMENT_S });
    expect(window.observations()!.objects!.tracks.map(({ className }) => className)).toContain('person');
    expect(window.observations()!.signals!.timeS.length).toBe(SCENE.durationS * SCENE.frameRate);
  });

  test('reports how the answer differs from that of a video', () => {
    const window = createStreamWindow(60);
    window.add({ segment: segments[0]!, startS: 0 });
    const { coverage } = engine.live.answer(engine.plan('the last time that something moves'), window);
    expect(coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('each event is reported') });
  });

  test('uses the detector only for objects', () => {
    expect(engine.live.needsDetector(engine.plan('a person'))).toBe(true);
    expect(engine.live.needsDetector(engine.plan('scene changes'))).toBe(false);
  });

  test('does not decode an observed segment of another version', () => {
    const bytes = Buffer.from(encodeObservedSegment(segments[0]!));
    const at = bytes.indexOf('version') + 'version'.length + 2;
    bytes[at] = 'x'.charCodeAt(0);
    expect(decodeObservedSegment(bytes)).toBeNull();
  });
});
