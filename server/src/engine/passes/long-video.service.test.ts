// Fast mode on a long video: a person walks for seconds of a quarter of an hour, seen by a camera that does not move.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import {
  type ArtifactName,
  createEngine,
  createModelFolder,
  type Engine,
  rangeSuffix,
  type TimeRange,
} from '../index.ts';

const { ffmpeg } = inject('programs');
/** The walk begins here. */
const WALK_S = 722;
const STILL_AFTER_S = 20;

let media: Media;
let engine: Engine;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'long video '));
  const log = createLog('silent');
  engine = createEngine({ media, models: createModelFolder(MODELS ?? 'no models'), vision: null, log });
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

/** The first frame for a long time, then the clip, then its last frame. */
async function makeLongVideo(): Promise<string> {
  const path = join(dir, 'long.mp4');
  const held = `tpad=start_mode=clone:start_duration=${WALK_S}:stop_mode=clone:stop_duration=${STILL_AFTER_S}`;
  const filter = `fps=5,scale=480:-2,${held}`;
  const output = ['-c:v', 'libx264', '-preset', 'veryfast', '-pix_fmt', 'yuv420p', '-g', '10'];
  const input = footage('security/intel_worker_zone_detection.gif');
  await promisify(execFile)(ffmpeg!, ['-v', 'error', '-i', input, '-vf', filter, ...output, path]);
  return path;
}

test.runIf(hasFootage && ffmpeg)(
  'fast mode finds what moves in a long video, and says where it looked',
  async () => {
    const path = await makeLongVideo();
    const sparse = await engine.observe(path, ['triage', 'glance']);
    const plan = engine.plan('a person walks');
    expect(engine.answer(plan, sparse).coverage[0]).toMatchObject({ status: 'not_looked_for' });

    const ranges = engine.selectCloserLook(plan, sparse);
    // The encoder settles in the first cell; after that nothing changes until the walk.
    expect(ranges).toEqual([
      { fromS: 0, untilS: 30 },
      { fromS: 720, untilS: 750 },
    ]);
    const ranged = (await engine.observers()).filter((observer) => observer.ranged).map(({ kind }) => kind);
    expect(ranged.toSorted()).toEqual(['objects', 'signals']);
    const artifacts = new Map<ArtifactName, Uint8Array>(sparse);
    for (const range of ranges as TimeRange[]) {
      const made = await engine.observe(path, ranged, { range });
      for (const [kind, bytes] of made) artifacts.set(`${kind}${rangeSuffix(range)}`, bytes);
    }

    const { events, coverage } = engine.answer(plan, artifacts);
    expect(events.length).toBeGreaterThan(0);
    for (const { startS, endS, evidence } of events) {
      expect(startS).toBeGreaterThan(WALK_S - 0.5);
      expect(endS).toBeLessThan(WALK_S + 5);
      expect(evidence.frames.every(({ boxes }) => boxes.length > 0)).toBe(true);
      expect(evidence.tracks[0]!.path.length).toBeGreaterThan(2);
    }
    expect(coverage[0]!.status).toBe('partly');
    expect(coverage[0]!.reason).toContain('every frame was processed in 0:56.');
    expect(coverage[0]!.reason).toContain('(0:00.0 to 0:30.0, 12:00.0 to 12:26.');
    expect(engine.selectCloserLook(plan, artifacts)).toBeNull();
    // "No" would be more than is known.
    expect(engine.answer(engine.plan('does a dog run?'), artifacts).answer).toMatch(/^Not certain/);

    const picture = await engine.drawEvidence(path, events[0]!.evidence.frames[0]!);
    expect(picture.subarray(0, 2)).toEqual(Buffer.of(0xff, 0xd8));
  },
  120_000,
);
