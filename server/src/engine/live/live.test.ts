import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { createTestMedia, SCENE, sceneClip } from '#test/clips';
import { createEngine } from '../index.ts';
import { constantModel } from '../observe/objects/model.fixture.ts';
import { type Chunk, createWindow, decodeChunk, encodeChunk, type Lead, type Told, tell } from './index.ts';

const PIECE_S = 2;
const PIECES = SCENE.durationS / PIECE_S;

describe('a stream observed piece by piece', () => {
  let media: Media;
  let models: string;
  let engine: ReturnType<typeof createEngine>;
  let whole: Awaited<ReturnType<typeof engine.observe>>;
  const pieces: Chunk[] = [];
  beforeAll(async () => {
    media = await createTestMedia();
    models = await mkdtemp(join(tmpdir(), 'models-'));
    await writeFile(join(models, 'yolox_nano.onnx'), constantModel({ className: 'person', score: 0.8 }));
    engine = createEngine({ media, modelsDir: models, modelsDownload: false, vision: null, log: createLog('silent') });
    const clip = await sceneClip();
    whole = await engine.observe(clip, ['signals', 'sound', 'objects']);
    let before: { lead: Lead; durationS: number } | null = null;
    for (let fromS = 0; fromS < SCENE.durationS; fromS += PIECE_S) {
      await using file = await media.cut(clip, { fromS, untilS: fromS + PIECE_S, video: 'encode', as: 'segment' });
      const signal = AbortSignal.timeout(30_000);
      const { chunk, lead } = await engine.live.observe(file.path, { everyS: 0.2, before, signal });
      before = { lead, durationS: PIECE_S };
      pieces.push(decodeChunk(encodeChunk(chunk))!);
    }
  });
  afterAll(async () => {
    await media?.close();
    await rm(models, { recursive: true, force: true });
  });

  /** Asks after each piece, and tells. */
  function follow(prompt: string, seconds = 60) {
    const plan = engine.plan(prompt);
    const window = createWindow(seconds);
    let told: Told[] = [];
    let knownS = 0;
    const events = new Map<string, { label: string; startS: number; endS: number; toldS: number; endToldS: number }>();
    pieces.forEach((chunk, i) => {
      const startS = window.add({ chunk, startS: i * PIECE_S });
      const { findings } = engine.live.answer(plan, window);
      const over = i === PIECES - 1;
      const endS = window.endS();
      const newId = () => `e${events.size + 1}`;
      const news = tell({ told, findings, startS, endS, knownS, over, sinceS: () => 0, newId: () => newId() });
      for (const { id, finding, going } of news.begun) {
        const { label, startS: fromS, endS: untilS } = finding;
        events.set(id, { label, startS: fromS, endS: untilS, toldS: endS, endToldS: going ? Number.NaN : endS });
      }
      for (const { id, endS: untilS } of news.ended)
        events.set(id, { ...events.get(id)!, endS: untilS, endToldS: endS });
      told = news.told;
      knownS = endS;
    });
    return [...events.values()];
  }
  const inOnePass = (prompt: string) => engine.answer(engine.plan(prompt), whole).findings;

  test.each(['the picture is dark', 'silence', 'a loud noise', 'a person'])(
    'tells what one pass over all of it finds, each once: %s',
    (prompt) => {
      const expected = inOnePass(prompt);
      expect(expected.length).toBeGreaterThan(0);
      const events = follow(prompt);
      expect(events.map(({ label }) => label)).toEqual(expected.map(({ label }) => label));
      for (const [i, { startS, endS, toldS, endToldS }] of events.entries()) {
        expect(startS).toBeCloseTo(expected[i]!.startS, 0);
        expect(endS).toBeCloseTo(expected[i]!.endS, 0);
        // Not later than with the piece after the one that it began in.
        expect(toldS - startS).toBeLessThan(2 * PIECE_S + 0.5);
        expect(endToldS).toBeGreaterThanOrEqual(endS);
      }
    },
  );

  test('a cut between two pieces is seen', () => {
    expect(SCENE.cutS % PIECE_S).toBe(0);
    const [cut] = follow('scene changes');
    expect(cut!.startS).toBeCloseTo(SCENE.cutS, 1);
  });

  test('what goes on for longer than the window is still the same', () => {
    const events = follow('a person', 3);
    expect(events).toHaveLength(1);
    expect(events[0]!.endS).toBeCloseTo(SCENE.durationS, 0);
  });

  test('a thing is one track through all pieces', () => {
    const window = createWindow(60);
    for (const [i, chunk] of pieces.entries()) window.add({ chunk, startS: i * PIECE_S });
    expect(window.observations()!.objects!.tracks.map(({ className }) => className)).toContain('person');
    expect(window.observations()!.signals!.timeS.length).toBe(SCENE.durationS * SCENE.frameRate);
  });

  test('says what is told otherwise than of a video', () => {
    const window = createWindow(60);
    window.add({ chunk: pieces[0]!, startS: 0 });
    const { coverage } = engine.live.answer(engine.plan('the last time that something moves'), window);
    expect(coverage[0]).toMatchObject({ status: 'partly', reason: expect.stringContaining('each one is told') });
  });

  test('asks the detector only for what it sees', () => {
    expect(engine.live.needsDetector(engine.plan('a person'))).toBe(true);
    expect(engine.live.needsDetector(engine.plan('scene changes'))).toBe(false);
  });

  test('bytes of another version are no chunk', () => {
    const bytes = Buffer.from(encodeChunk(pieces[0]!));
    const at = bytes.indexOf('version') + 'version'.length + 2;
    bytes[at] = 'x'.charCodeAt(0);
    expect(decodeChunk(bytes)).toBeNull();
  });
});
