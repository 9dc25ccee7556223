import type { TaskContext } from '#platform/media/index';
import { encodeTriage } from '../encoding.ts';
import type { VideoFacts } from '../observations.ts';
import { createTriageObserver, HEIGHT, KEYFRAME_EVERY_S, WIDTH } from './index.ts';

export type TriageArgs = { path: string; video: VideoFacts };

/** The task of a media process: walks through the packets and decodes keyframes, nothing else. */
export async function triage({ path, video }: TriageArgs, { decoder, progress }: TaskContext): Promise<Uint8Array> {
  const observer = createTriageObserver();
  const { endS } = await decoder.decode(path, {
    skip: 'non-key',
    pictures: [
      { width: WIDTH, height: HEIGHT, format: 'gray', minIntervalS: KEYFRAME_EVERY_S, onFrame: observer.take },
    ],
    onPacket: observer.packet,
    onProgress: progress,
  });
  return encodeTriage({ ...video, durationS: endS }, observer.finish());
}
