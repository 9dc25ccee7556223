import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Engine } from '#engine/index';
import type { Media } from '#platform/media/index';
import { renderDemoVideo } from '../../demo/scene.ts';
import { attempt, type Finding, ok, warning } from './finding.ts';

/** Containment of media processes, with what this system lacks. */
export function checkSandbox({ sandbox: { level, missing } }: Pick<Media, 'sandbox'>): Finding[] {
  if (missing.length === 0) return [ok('sandbox', level)];
  return missing.map(({ protection, remedy }) => warning('sandbox', `${level}: ${protection} is missing`, remedy));
}

/** Encodes a video with sound in a media process, and decodes it. `folder` is one for temporary files. */
export const checkCodecs = (media: Media, folder: string, signal: AbortSignal): Promise<Finding[]> =>
  attempt('codecs', 'Install Sightline again: its media library must fit this platform (docs/ffmpeg.md).', async () => {
    const path = join(folder, 'doctor.mp4');
    try {
      await renderDemoVideo(media, path, signal);
      const { container, video, audio } = await media.probe(path, { signal });
      return ok('codecs', `${container} with ${video.codec} and ${audio?.codec ?? 'no sound'}`);
    } finally {
      await rm(path, { force: true });
    }
  });

/** Observers that cannot run here; their reasons state what to do. */
export const checkObservers = (engine: Pick<Engine, 'observers'>): Promise<Finding[]> =>
  attempt('models', 'See docs/models.md.', async () => {
    const observers = await engine.observers();
    const missing = observers.flatMap((each) =>
      'unavailable' in each ? [warning(`model of ${each.kind}`, 'not available', each.unavailable)] : [],
    );
    return [ok('models', `${observers.length - missing.length} of ${observers.length} observers can run`), ...missing];
  });
