import { subtitlesKey, type Video } from '#features/videos/index';
import type { ServedFile } from '#platform/http/index';
import {
  type Caption,
  type CaptionFormat,
  captionsToWebVtt,
  formatCaptions,
  type Media,
  READ_SUBTITLES,
} from '#platform/media/index';
import type { Storage } from '#platform/storage/index';
import { runTask } from '#platform/threads/index';
import type { createRenditions, RenderRendition } from './renditions.ts';
import { serveBytes } from './serve-bytes.ts';
import type { FindTranscript } from './types.ts';

type CaptionsDeps = {
  storage: Pick<Storage, 'readAll'>;
  media: Pick<Media, 'captions'>;
  renditions: ReturnType<typeof createRenditions>;
  findTranscript: FindTranscript;
};

type VersionedCaptions = { captions: readonly Caption[]; version: string; language?: string | null };

const CONTENT_TYPES: Record<CaptionFormat, string> = {
  vtt: 'text/vtt; charset=utf-8',
  srt: 'application/x-subrip; charset=utf-8',
};
/** Sizes of files without captions, in bytes. */
const EMPTY_SIZES: Record<CaptionFormat, number> = { vtt: captionsToWebVtt([]).length, srt: 0 };

export function createCaptions({ storage, media, renditions, findTranscript }: CaptionsDeps) {
  /** The subtitle file that was added to the video; null without one. */
  async function readAdded({ id, metadata }: Video, signal: AbortSignal) {
    const summary = metadata.subtitles as { sha256: string } | undefined;
    if (!summary) return null;
    const bytes = await storage.readAll(subtitlesKey(id), signal);
    const file = await runTask(READ_SUBTITLES, bytes, { bytes: bytes.length, signal });
    return 'captions' in file ? { captions: file.captions, version: summary.sha256 } : null;
  }

  return {
    /** The subtitle file that was added to the video, otherwise the subtitles in its file, otherwise the transcript. */
    async open(video: Video, format: CaptionFormat, signal: AbortSignal): Promise<ServedFile> {
      const contentType = CONTENT_TYPES[format];
      const serve = ({ captions, version, language = null }: VersionedCaptions) =>
        serveBytes(Buffer.from(formatCaptions(captions, format, language)), {
          etag: `${video.id}-${version}.${format}`,
          modified: video.createdAt,
          contentType,
        });
      const added = await readAdded(video, signal);
      if (added) return serve(added);
      const render: RenderRendition = async (path, signal, store) => {
        await store(Buffer.from(formatCaptions(await media.captions(path, { signal }), format)));
      };
      const subtitles = await renditions.open(video, { name: `captions-2.${format}`, contentType, render }, signal);
      if (subtitles.size > EMPTY_SIZES[format]) return subtitles;
      const transcript = await findTranscript(video.id);
      return transcript ? serve(transcript) : subtitles;
    },
  };
}
