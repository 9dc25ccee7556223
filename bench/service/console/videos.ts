import { existsSync, openAsBlob } from 'node:fs';
import { mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createTestMedia, loopedClip, sceneClip } from '../../../server/test/media/clips.ts';
import type { BenchmarkService } from '../../lib/service.ts';

const TASKS = new URL('../../lib/analysis.ts', import.meta.url);
const FOOTAGE = resolve(import.meta.dirname, '../../../../shared/data/road/udacity_solidWhiteRight.mp4');
const UPLOAD_MS = 10 * 60_000;

/** Length of the long video in seconds. */
export const LONG_S = 3_600;
/** A multiple of the distance of keyframes, so that it is the same where the repetitions of the clip meet. */
const CLIP_S = 6;

/**
 * Uploads one hour at 1080p and 30 frames per second, with a keyframe every two seconds: a road clip, or a generated
 * one on machines without it, again and again. Returns the id of the video.
 */
export async function uploadLongVideo({ client }: BenchmarkService): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-'));
  const media = await createTestMedia();
  let looped: string | undefined;
  try {
    const large = join(folder, 'large.mp4');
    const source = existsSync(FOOTAGE) ? FOOTAGE : await sceneClip();
    await media.run({ module: TASKS, name: 'enlarge', args: { source, path: `${large}.part`, seconds: CLIP_S } });
    await rename(`${large}.part`, large);
    looped = await loopedClip(large, LONG_S);
    const { video_id } = await client.upload(await openAsBlob(looped), { name: 'one hour.mp4' });
    await client.ready(video_id, { signal: AbortSignal.timeout(UPLOAD_MS) });
    return video_id;
  } finally {
    await media.close();
    await rm(folder, { recursive: true });
    if (looped) await rm(looped);
  }
}
