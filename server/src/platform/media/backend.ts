import type { Cut } from './cutter.ts';
import type { Decoder, VideoPacket } from './decoder.ts';
import type { Encoder } from './encoder.ts';
import type { Probe } from './index.ts';
import type { CaptureArgs, Capturing } from './live.ts';

/** What an engine must do, inside a media process. Implemented by `libav/` (node-av) and `ffmpeg/` (the command line). */
export interface Backend extends Decoder, Encoder {
  readonly name: 'node-av' | 'ffmpeg';
  /** See `Media.probe`; `maxSeconds` is the longest video accepted. */
  probe(path: string, maxSeconds: number): Promise<Probe>;
  /** The frame shown at `timeS` (the last one at or before it; the first or the last one outside of the video), upright. */
  still(path: string, timeS: number, maxSide: number): Promise<Still>;
  /** The video's packets in the file's order, where `cut` can copy them for every browser; null where it has to encode. */
  copiable(path: string): Promise<VideoPacket[] | null>;
  /**
   * Follows a live stream until it ends, breaks off or is to stop; what came until then is handed over. Throws `media_source_failed`,
   * `media_source_broken`, `media_no_video` (400) or `media_live_unavailable` (501).
   */
  capture(args: CaptureArgs, capturing: Capturing): Promise<void>;
  /** Writes a stretch of a video, its sound with it, to the file `target`. */
  cut(path: string, target: string, request: Cut): Promise<void>;
}

/** A picture as shown: `height × width × 4` bytes of RGBA. */
export type Still = { width: number; height: number; data: Uint8Array; timeS: number; pts: number };

export type BackendSettings = { engine: 'auto' | 'node-av' | 'ffmpeg'; ffmpegPath: string };

/** Loads the wanted engine, or with `auto` the binding where it loads (not on musl, say) and the command line elsewhere. */
export async function loadBackend({ engine, ffmpegPath }: BackendSettings): Promise<Backend> {
  if (engine === 'ffmpeg') return (await import('./ffmpeg/index.ts')).createBackend(ffmpegPath);
  try {
    return (await import('./libav/index.ts')).createBackend();
  } catch (binding) {
    if (engine === 'node-av') throw binding;
    return (await import('./ffmpeg/index.ts')).createBackend(ffmpegPath).catch((program: Error) => {
      throw new Error(`node-av does not load (${(binding as Error).message}), and ${program.message}`);
    });
  }
}
