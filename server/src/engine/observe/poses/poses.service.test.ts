import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia, flatClip } from '#test/media/clips';
import { createEngine, createModelFolder, type Engine } from '../../index.ts';
import { CATALOG, createModelConverter } from '../../models/index.ts';
import { decodeObservations } from '../encoding.ts';
import { JOINTS, VALUES_PER_JOINT, VALUES_PER_POSE } from './joints.ts';

describe.skipIf(!hasFootage)('of a worker who walks away from the camera', () => {
  let media: Media;
  let dir: string;
  let engine: Engine;
  let artifacts: Awaited<ReturnType<Engine['observe']>>;
  const path = footage('security/intel_worker_zone_detection.gif');

  beforeAll(async () => {
    media = await createTestMedia();
    dir = await mkdtemp(join(tmpdir(), 'poses '));
    await cp(join(MODELS!, 'yolox_nano.onnx'), join(dir, 'yolox_nano.onnx'));
    const log = createLog('silent');
    const catalog = CATALOG.filter(({ name, task }) => name === 'yolox_nano' || task === 'poses');
    const models = createModelFolder(dir, createModelConverter({ log }));
    engine = createEngine({ media, models, catalog, vision: null, log });
    artifacts = await engine.observe(path, ['signals', 'objects', 'poses']);
  }, 120_000);
  afterAll(async () => {
    await media?.close();
    await rm(dir, { recursive: true, force: true });
  });

  test('each pose is of a tracked person, with the head above the hips and those above the knees', () => {
    const { objects, poses } = decodeObservations(artifacts);
    expect(poses!.detector).toBe(objects!.model);
    expect(poses!.model).toMatch(/^movenet_lightning [0-9a-f]{12}$/);
    expect(poses!.track.length).toBeGreaterThan(10);
    expect(poses!.points).toHaveLength(poses!.track.length * VALUES_PER_POSE);
    const heightsOf = (at: number, joint: (typeof JOINTS)[number]) =>
      poses!.points[at * VALUES_PER_POSE + JOINTS.indexOf(joint) * VALUES_PER_JOINT + 1]!;
    let upright = 0;
    for (const [at, id] of poses!.track.entries()) {
      const track = objects!.tracks.find((each) => each.id === id)!;
      expect(track.className).toBe('person');
      expect([...track.frame]).toContain(poses!.frame[at]!);
      const [shoulder, hip, knee] = (['leftShoulder', 'leftHip', 'leftKnee'] as const).map((joint) =>
        heightsOf(at, joint),
      );
      if (shoulder! < hip! && hip! < knee!) upright++;
    }
    expect(upright).toBeGreaterThan(0.7 * poses!.track.length);
  });

  test('a worker who walks raises no hand and does not run or sit', () => {
    for (const prompt of ['a person raises a hand', 'a person runs', 'a person sits']) {
      const { events, candidates, coverage } = engine.answer(engine.plan(prompt), artifacts);
      expect([...events, ...candidates], prompt).toEqual([]);
      expect(coverage[0]!.status).not.toBe('not_looked_for');
    }
  });

  test('stored objects are enough, the result is the same to the byte, and aborting ends it', async () => {
    const alone = await engine.observe(path, ['poses'], { sources: artifacts });
    expect(Buffer.compare(alone.get('poses')!, artifacts.get('poses')!)).toBe(0);
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(engine.observe(path, ['poses'], { sources: artifacts, signal })).rejects.toThrow('enough');
  });

  test('a video without people has no poses', async () => {
    const empty = await engine.observe(await flatClip({ times: [0, 0.5], endS: 1 }), ['objects', 'poses']);
    expect(decodeObservations(empty).poses!.track).toHaveLength(0);
  });
});
