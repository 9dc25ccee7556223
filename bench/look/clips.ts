import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createEngine, createModelFolder } from '../../server/src/engine/index.ts';
import { decodeObservations } from '../../server/src/engine/observe/index.ts';
import type { Observations } from '../../server/src/engine/observe/observations.ts';
import type { FrameSource } from '../../server/src/engine/vision/index.ts';
import { createLog } from '../../server/src/platform/log.ts';
import type { Media } from '../../server/src/platform/media/index.ts';
import type { VisionOracle } from '../../server/test/servers/vision-oracle.ts';
import { observed } from '../lib/observed.ts';

const SHARED = fileURLToPath(new URL('../../../shared/', import.meta.url));

export type LabeledClip = { file: string; events: { start: number; end: number; text: string }[] };
export type OpenClip = { clip: LabeledClip; observations: Observations; source: FrameSource };

/** Labeled clips with their observations; the oracle learns each frame that is drawn. */
export async function openClips(
  medias: readonly Media[],
  oracle: VisionOracle,
  only: string,
  every: number,
): Promise<OpenClip[]> {
  const labels = JSON.parse(await readFile(join(SHARED, 'data/GROUND_TRUTH.json'), 'utf8')) as LabeledClip[];
  const engine = createEngine({
    media: medias[0]!,
    models: createModelFolder(join(SHARED, 'models')),
    vision: null,
    log: createLog('error'),
  });
  const opened: OpenClip[] = [];
  const chosen = labels
    .filter(({ file }) => only.split(',').some((part) => file.includes(part)))
    .filter((_, i) => i % every === 0);
  for (const clip of chosen) {
    const path = join(SHARED, 'data', clip.file);
    if (!existsSync(path) || !/\.\w+$/.test(clip.file)) continue;
    const artifacts = await observed(engine, path, { fresh: false, pass: 'dense' });
    const media = medias[opened.length % medias.length]!;
    opened.push({ clip, observations: decodeObservations(artifacts), source: sourceOf(media, oracle, clip, path) });
  }
  return opened;
}

function sourceOf(media: Media, oracle: VisionOracle, { events }: LabeledClip, path: string): FrameSource {
  const at = (timeS: number) => {
    const inView = events.filter(({ start, end }) => timeS >= start - 1e-6 && timeS <= end + 1e-6);
    return {
      timeS,
      shows: (text: string) => inView.some((event) => event.text === text),
      facts: inView.map(({ text }) => text),
    };
  };
  const drawn = new Map<number, Promise<Buffer>>();
  const parts = new Map<string, Promise<Buffer>>();
  const draw = async (timeS: number, maxSide: number) => {
    const jpeg = await media.frameImage(path, { timeS: timeS + 1e-6, maxSide });
    oracle.learn(jpeg, [at(timeS)]);
    return jpeg;
  };
  return {
    frame(timeS, maxSide) {
      const jpeg = drawn.get(timeS) ?? draw(timeS, maxSide);
      drawn.set(timeS, jpeg);
      return jpeg;
    },
    part(timeS, crop, maxSide) {
      const key = JSON.stringify([timeS, crop]);
      const jpeg = parts.get(key) ?? media.frameImage(path, { timeS: timeS + 1e-6, crop, maxSide });
      parts.set(key, jpeg);
      return jpeg;
    },
    async sheet(times, columns, tile) {
      const jpeg = await media.contactSheet(path, { times, columns, tile });
      oracle.learn(jpeg, times.map(at));
      return jpeg;
    },
  };
}
