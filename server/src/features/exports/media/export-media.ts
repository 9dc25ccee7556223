import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Videos } from '#features/videos/index';
import { clock } from '#platform/clock';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { LocalFile, Storage } from '#platform/storage/index';
import { localTimes } from '../formats/local-times.ts';
import { problems } from '../problems.ts';
import type { ExportedEvent, ExportMedia, PixelStatistics } from '../types.ts';
import type { EpisodeRequest } from './episode-task.ts';
import type { RecapClip } from './recap-task.ts';

export type ExportMediaDeps = {
  media: Pick<Media, 'frameImage' | 'trim' | 'run'>;
  storage: Pick<Storage, 'local'>;
  videos: Pick<Videos, 'find'>;
};

/** Seconds of a clip before and after its event. */
const MARGIN_S = 1;
/** Longest clip in seconds; of longer events the beginning is shown. */
const MAX_CLIP_S = 60;
const EPISODE_TASK = new URL('./episode-task.ts', import.meta.url);
const RECAP_TASK = new URL('./recap-task.ts', import.meta.url);

/** Creates the media of one export. `folder` is empty and deleted by the caller. Dispose it after use. */
export function createExportMedia(
  { media, storage, videos }: ExportMediaDeps,
  { folder, orgId, signal }: { folder: string; orgId: string; signal: AbortSignal },
): ExportMedia & AsyncDisposable {
  // Images and clips of an export take minutes: posters, frames and clips that somebody looks at go first.
  const requester = { signal, orgId, priority: 'batch' } as const;
  // Events are ordered by video, so one file at a time is sufficient.
  let open = null as { videoId: string; file: LocalFile | null } | null;

  async function closeFile(): Promise<void> {
    await open?.file?.[Symbol.asyncDispose]();
    open = null;
  }

  async function openFile(videoId: string): Promise<LocalFile | null> {
    const video = await videos.find(videoId);
    return video?.status === 'UPLOADED' ? storage.local(video.storageKey, signal) : null;
  }

  async function provideFile(videoId: string): Promise<LocalFile | null> {
    if (open?.videoId === videoId) return open.file;
    await closeFile();
    open = { videoId, file: await openFile(videoId) };
    return open.file;
  }

  /** Renders from the file of a video. Problems of the video (4xx) are null: the rest of the export is still useful. */
  async function render<T>(videoId: string, work: (path: string) => Promise<T>): Promise<T | null> {
    signal.throwIfAborted();
    const file = await provideFile(videoId);
    if (!file) return null;
    try {
      return await work(file.path);
    } catch (error) {
      if (!(error instanceof Problem) || error.isFault) throw error;
      return null;
    }
  }

  const rangeOf = ({ startS, endS, durationS }: ExportedEvent) => {
    const fromS = Math.max(0, startS - MARGIN_S);
    return { fromS, untilS: Math.min(endS + MARGIN_S, fromS + MAX_CLIP_S, durationS ?? Number.POSITIVE_INFINITY) };
  };

  return {
    image(event, { timeS, boxes }, maxSide) {
      const labeled = boxes.map(({ label, ...box }) => ({ ...box, label: label ?? undefined }));
      return render(event.videoId, (path) => media.frameImage(path, { timeS, boxes: labeled, maxSide, ...requester }));
    },

    clip: (event) =>
      render(event.videoId, (path) =>
        media.trim(path, { ...rangeOf(event), video: 'encode', output: 'mp4', ...requester }),
      ),

    episode: ({ videoId, startS, endS }, form) =>
      render(videoId, async (path) => {
        const target = join(folder, 'episode.mp4');
        const frames = Math.max(1, Math.round(Math.min(endS - startS, MAX_CLIP_S) * form.fps));
        const args: EpisodeRequest = { path, target, fromS: startS, count: frames, ...form };
        const task = { module: EPISODE_TASK, name: 'renderEpisode', args, reads: [path], writes: [target] };
        const pixels = await media.run<PixelStatistics>(task, requester);
        return { path: target, frames, pixels, [Symbol.asyncDispose]: () => rm(target, { force: true }) };
      }),

    async recap(events) {
      await using files = new AsyncDisposableStack();
      const paths = new Map<string, string | null>();
      const clips: RecapClip[] = [];
      for await (const event of events()) {
        const { videoId, label, videoName, startS, endS } = event;
        if (!paths.has(videoId)) {
          const file = await openFile(videoId);
          paths.set(videoId, file && files.use(file).path);
        }
        const path = paths.get(videoId);
        const recorded = localTimes(event);
        const subtitle = [videoName, `${clock(startS)} to ${clock(endS)}`, recorded].filter(Boolean).join(' · ');
        if (path) clips.push({ path, ...rangeOf(event), title: label, subtitle });
      }
      if (clips.length === 0) throw problems.export_empty();
      const target = join(folder, 'recap.mp4');
      const reads = clips.map(({ path }) => path);
      const args = { clips, target };
      await media.run({ module: RECAP_TASK, name: 'renderRecap', args, reads, writes: [target] }, requester);
      return target;
    },

    [Symbol.asyncDispose]: closeFile,
  };
}
