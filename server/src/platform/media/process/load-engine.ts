import type { MediaEngine } from '../engine/index.ts';

export type EngineSettings = { engine: 'auto' | 'node-av' | 'ffmpeg'; ffmpegPath: string };

/** Loads an engine. `auto` prefers the node-av binding and falls back to the command line, for example on musl. */
export async function loadEngine({ engine, ffmpegPath }: EngineSettings): Promise<MediaEngine> {
  if (engine === 'ffmpeg') return (await import('../ffmpeg/index.ts')).createEngine(ffmpegPath);
  try {
    return (await import('../libav/index.ts')).createEngine();
  } catch (binding) {
    if (engine === 'node-av') throw binding;
    return (await import('../ffmpeg/index.ts')).createEngine(ffmpegPath).catch((program: Error) => {
      throw new Error(`node-av does not load (${(binding as Error).message}), and ${program.message}`);
    });
  }
}
