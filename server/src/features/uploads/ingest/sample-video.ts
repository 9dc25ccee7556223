import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { Videos } from '#features/videos/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { problems } from '../problems.ts';
import { inspectFile } from './inspect-file.ts';

type Deps = {
  database: Database;
  storage: Storage;
  media: Pick<Media, 'probe'>;
  videos: Pick<Videos, 'find' | 'markReady'>;
  drawSample(name: SampleName, path: string, signal: AbortSignal): Promise<void>;
};

/** The samples, with the names of their videos: a street, a room, a robot. */
export const SAMPLES = {
  street: 'Street scene.mp4',
  room: 'Room with a visitor.mp4',
  robot: 'Robot at a bench.mp4',
} as const;

export type SampleName = keyof typeof SAMPLES;
const SCENES = Object.keys(SAMPLES) as SampleName[];

/** Returns the job that draws a sample video, stores it and marks it as ready. */
export function createSampleIngest({ database, storage, media, videos, drawSample }: Deps) {
  return async (videoId: string, storageKey: string, signal: AbortSignal): Promise<void> => {
    const video = await videos.find(videoId);
    // Nobody can rename a sample.
    const scene = SCENES.find((each) => SAMPLES[each] === video?.name) ?? 'street';
    await using folder = await storage.scratch();
    const path = join(folder.path, 'sample.mp4');
    await drawSample(scene, path, signal);
    const stored = await storage.write(storageKey, createReadStream(path), { signal });
    const file = await inspectFile({ storage, media }, storageKey, stored, signal);
    const ready = await database.transaction((trx) => videos.markReady(trx, videoId, file));
    if (!ready) throw problems.upload_deleted();
  };
}
