import type { MediaEngine } from '../engine/index.ts';
import type { Caption } from './plain-text.ts';
import { readSubtitleTrack } from './subtitle-track.ts';

/** Task of `Media.captions`. */
export async function captions({ path }: { path: string }, { decoder }: { decoder: MediaEngine }): Promise<Caption[]> {
  return (await readSubtitleTrack(path, decoder))?.captions ?? [];
}
