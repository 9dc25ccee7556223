import type { Sidecar, SidecarStore } from './sidecar/index.ts';
import type { ParsedSubtitles, SubtitleStore } from './subtitles/index.ts';

/** Files that arrive with a video in one form. */
export type FilesBeside = { sidecar: Sidecar | null; subtitles: ParsedSubtitles | null };

/** Stores the files that arrive with a video. */
export function createFilesBeside(stores: { sidecars: SidecarStore; subtitles: SubtitleStore }) {
  return {
    async write(videoId: string, { sidecar, subtitles }: FilesBeside, signal?: AbortSignal): Promise<void> {
      if (sidecar) await stores.sidecars.write(videoId, sidecar, signal);
      if (subtitles) await stores.subtitles.write(videoId, subtitles, signal);
    },
  };
}

export type FilesBesideStore = ReturnType<typeof createFilesBeside>;

/** Summaries of the files, for the metadata of the video. */
export const summariesOf = ({ sidecar, subtitles }: FilesBeside): Record<string, unknown> => ({
  ...(sidecar ? { sidecar: sidecar.summary } : {}),
  ...(subtitles ? { subtitles: subtitles.summary } : {}),
});
