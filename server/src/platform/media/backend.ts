import type { Decoder } from './decoder.ts';

/** What an engine must do, inside a media process. Implemented by `libav/` (node-av) and `ffmpeg/` (the command line). */
export interface Backend extends Decoder {
  readonly name: 'node-av' | 'ffmpeg';
}

export type BackendSettings = { engine: 'auto' | 'node-av' | 'ffmpeg'; ffmpegPath: string };
