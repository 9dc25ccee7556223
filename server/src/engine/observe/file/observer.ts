import type { Probe } from '#platform/media/index';
import { defineTaskObserver } from '../types.ts';
import type { FileFacts } from './observation.ts';

/** Tags of phones and cameras for the make and the model of the camera, in lower case. */
const MAKE = ['com.apple.quicktime.make', 'com.android.manufacturer', 'make'];
const MODEL = ['com.apple.quicktime.model', 'com.android.model', 'model'];

/** Keeps what a file states about itself. Nothing is decoded: the file was read when observing started. */
export const file = defineTaskObserver({
  kind: 'file',
  version: 'file-1',
  depth: 'both',
  relativeDuration: 0,
  encode: (facts: FileFacts | null) => ({ facts: { file: facts }, arrays: {} }),
  decode: ({ facts }) => (facts as { file: FileFacts | null }).file,
  async observe({ file: facts, video }) {
    return { observation: facts, durationS: video.durationS };
  },
});

/** Selects the stored facts of those that the media engine reads from a file. */
export function toFileFacts({ container, sizeBytes, video, audio, createdAt, tags }: Probe): FileFacts {
  const { codec, pixelFormat, hdr } = video;
  const named = new Map(Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value.trim()]));
  const tagOf = (names: readonly string[]) => names.map((name) => named.get(name)).find((value) => value) ?? '';
  const [make, model] = [tagOf(MAKE), tagOf(MODEL)];
  const camera = model.startsWith(make) ? model : `${make} ${model}`.trim();
  return { container, sizeBytes, codec, pixelFormat, hdr, audio, createdAt, camera: camera.slice(0, 100) || null };
}
