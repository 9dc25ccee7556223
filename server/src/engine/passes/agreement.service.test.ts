// Certain events of fast mode are reported by thinking mode too: on labeled footage of one frame per second, where an
// object that passes is in a single frame.
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createLog } from '#platform/log';
import type { Media } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '#test/footage';
import { createTestMedia } from '#test/media/clips';
import { createEngine, createModelFolder, type Engine } from '../index.ts';
import { CLASSES } from '../observe/objects/classes.ts';

const { ffmpeg } = inject('programs');
/** Default confidence threshold of queries. */
const CERTAIN = 0.5;
const CLIPS = [
  'road/camvid_0006R0_carpark_1fps.mp4',
  'road/camvid_0016E5_cyclists_15fps.mp4',
  'road/bgs_highway_traffic.avi',
  'road/intel_car_detection_topdown.mp4',
  'road/intel_person_bicycle_car.gif',
  'road/udacity_solidWhiteRight.mp4',
  'road/udacity_vd_test_small2.mp4',
  'security/intel_store_aisle_detection.gif',
  'security/intel_worker_zone_detection.gif',
  'security/mpf_conference_people.mp4',
  'security/mpf_marathon.mkv',
  'robotics/octo--pour_corn.mp4',
  'robotics/openvla--place_banana_on_plate.mp4',
  'robotics/openvla--pour_corn.mp4',
];
const PROMPTS = [
  ...CLASSES.map((name) => `a ${name}`),
  'a vehicle',
  'a red car',
  'a black car',
  'a white car',
  'a person in black',
  'a person on the left',
  'no person',
];

let media: Media;
let engine: Engine;
let dir: string;
beforeAll(async () => {
  media = await createTestMedia();
  dir = await mkdtemp(join(tmpdir(), 'one frame per second '));
  const log = createLog('silent');
  engine = createEngine({ media, models: createModelFolder(MODELS ?? 'no models'), vision: null, log });
});
afterAll(async () => {
  await media?.close();
  await rm(dir, { recursive: true, force: true });
});

/** Re-encodes a clip with one frame per second. */
async function decimate(clip: string): Promise<string> {
  const target = join(dir, `${basename(clip)}.mp4`);
  const oneASecond = "select='isnan(prev_selected_t)+gte(t-prev_selected_t,0.999)'";
  const output = [
    '-fps_mode',
    'vfr',
    '-an',
    '-c:v',
    'libx264',
    '-preset',
    'veryfast',
    '-pix_fmt',
    'yuv420p',
    '-g',
    '4',
  ];
  await promisify(execFile)(ffmpeg!, ['-v', 'error', '-i', footage(clip), '-vf', oneASecond, ...output, target]);
  return target;
}

test.runIf(hasFootage && ffmpeg)(
  'every certain event of fast mode overlaps one of thinking mode',
  async () => {
    let compared = 0;
    const plans = PROMPTS.map((prompt) => ({ prompt, plan: engine.plan(prompt) }));
    for (const clip of CLIPS) {
      const path = await decimate(clip);
      const sparse = await engine.observe(path, ['triage', 'glance']);
      const dense = await engine.observe(path, ['signals', 'objects']);
      for (const { prompt, plan } of plans) {
        const thinking = engine.answer(plan, dense).events;
        for (const { label, startS, endS, confidence } of engine.answer(plan, sparse).events) {
          if (confidence < CERTAIN) continue;
          compared++;
          const overlaps = thinking.some((event) => event.startS <= endS + 1e-6 && event.endS >= startS - 1e-6);
          expect(overlaps, `${clip}, "${prompt}": ${label} at ${startS} to ${endS} s`).toBe(true);
        }
      }
    }
    expect(compared).toBeGreaterThan(35);
  },
  600_000,
);
