import type { Backend } from '../backend.ts';
export async function createBackend(ffmpegPath: string): Promise<Backend> {
  throw new Error(`the ffmpeg program was not found at ${ffmpegPath}`);
}
