import pLimit from 'p-limit';
import {
  type ConvertedVideo,
  type EpisodeFrames,
  type EpisodeGroup,
  type EpisodeView,
  type Recordings,
  toEpisodeTelemetry,
  toEpisodeTrajectory,
} from '#engine/robot-logs/index';
import type { Database } from '#platform/db/index';
import type { Media } from '#platform/media/index';
import { Problem } from '#platform/problem';
import type { Storage } from '#platform/storage/index';
import { toFileKey } from '../lifecycle.ts';
import { problems } from '../problems.ts';
import * as store from '../store.ts';
import { type ChannelVideo, type ChannelVideoFacts, type LostRange, type McapIngest, toSeconds } from '../types.ts';
import type { AddVideo, Measured } from './add-video.ts';

export type EpisodeConverterDeps = {
  database: Database;
  storage: Pick<Storage, 'local'>;
  media: Pick<Media, 'trim'>;
  recordings: Pick<Recordings, 'readFrames'>;
  addVideo: AddVideo;
  /** Number of videos that are cut concurrently. */
  atOnce: number;
};

/**
 * Boundaries are moved by less than copying tolerates, because rounded times of frames may precede those in the table.
 */
const EARLIER_S = 4e-4;

/**
 * Converts episodes of LeRobot: each camera of each becomes a video, each episode a part of the recording. A failure
 * affects one video. A repeated attempt skips existing videos.
 */
export function createEpisodeConverter({
  database,
  storage,
  media,
  recordings,
  addVideo,
  atOnce,
}: EpisodeConverterDeps) {
  const { db } = database;

  /** Adds the video of one camera; `path` is a file that may show several episodes. */
  async function addView(
    ingest: McapIngest,
    { camera, fromS, untilS, path }: EpisodeView & { path: string },
    { frames, tasks, measured }: { frames: EpisodeFrames; tasks: readonly string[]; measured: Measured },
    signal: AbortSignal,
  ): Promise<void> {
    const name = toVideoName(ingest, frames.index, camera);
    const endNs = BigInt(Math.round((frames.timeS.at(-1) ?? 0) * 1e9));
    const add = (path: string, copied: boolean) => {
      const video: ConvertedVideo = {
        part: frames.index,
        frames: frames.timeS.length,
        startNs: 0n,
        endNs,
        gaps: [],
        path,
        video: copied ? 'copied' : 'encoded',
      };
      const facts: ChannelVideoFacts = {
        frame_count: video.frames,
        start_s: 0,
        end_s: toSeconds(endNs),
        copied,
        drift_ppm: null,
        gaps: [],
        notes: tasks.map((task) => `Task: ${task}`),
      };
      return addVideo(ingest, camera, video, facts, name, measured, signal);
    };
    if (untilS === null) return add(path, true);
    const range = { fromS: Math.max(0, fromS - EARLIER_S), untilS: untilS - EARLIER_S };
    const how = { ...range, startWith: 'new', video: 'copy', output: 'mp4' } as const;
    await using cut = await media.trim(path, { ...how, signal, orgId: ingest.orgId, priority: 'batch' });
    await add(cut.path, cut.copied);
  }

  return async (ingest: McapIngest, group: EpisodeGroup, signal: AbortSignal): Promise<void> => {
    const { columns, fps, episodes } = group;
    const indexes = episodes.map(({ index }) => index);
    const place = (file: number) => storage.local(toFileKey(ingest.storageKey!, file), signal);
    const frames = await (async () => {
      await using table = await place(group.data);
      const args = { path: table.path, episodes: indexes, columns };
      return await recordings.readFrames(args, { signal, orgId: ingest.orgId });
    })();
    const framesOf = new Map(frames.map((each) => [each.index, each]));
    await store.setSurvey(db, ingest.id, toSurvey(group, frames));

    const existing = await store.listVideos(db, ingest.id);
    const isDone = (channel: string, part: number) =>
      existing.some((video) => video.channel === channel && video.part === part && video.status !== 'processing');
    const limit = pLimit(atOnce);
    const views = episodes.flatMap(({ index, tasks, views }) =>
      views.filter(({ camera }) => !isDone(camera, index)).map((view) => ({ index, tasks, view })),
    );
    const failed = new AbortController();
    const stop = AbortSignal.any([signal, failed.signal]);
    const convertView = async ({ index, tasks, view }: (typeof views)[number]) => {
      stop.throwIfAborted();
      const ofEpisode = framesOf.get(index)!;
      const measured = {
        telemetry: toEpisodeTelemetry(ofEpisode, columns, fps),
        trajectory: toEpisodeTrajectory(ofEpisode, columns, fps),
        utcAheadNs: null,
      };
      try {
        await using file = await place(view.file);
        await addView(ingest, { ...view, path: file.path }, { frames: ofEpisode, tasks, measured }, stop);
      } catch (error) {
        if (stop.aborted || !(error instanceof Problem) || error.isFault) throw error;
        const { code, message } = error;
        const unconverted: ChannelVideo = {
          channel: view.camera,
          part: index,
          videoId: null,
          status: 'failed',
          facts: null,
          problem: { code, message },
        };
        await store.upsertVideo(db, ingest.id, unconverted);
      }
    };
    // All conversions end before the next attempt starts.
    await limit.map(views, (view) => convertView(view).catch((error) => failed.abort(error)));
    failed.signal.throwIfAborted();
    if (episodes.every(({ views }) => views.length === 0)) throw problems.mcap_no_pictures('No episode has a video.');
  };
}

/** Content of a dataset in the form of a recording: cameras and numeric features as channels. */
function toSurvey({ columns, episodes, fps }: EpisodeGroup, frames: readonly EpisodeFrames[]) {
  const cameras = [...new Set(episodes.flatMap(({ views }) => views.map(({ camera }) => camera)))];
  const messages = frames.reduce((sum, { timeS }) => sum + timeS.length, 0);
  const toChannel = (name: string, schema: string, pictures: boolean) => ({
    name,
    topic: name,
    schema,
    messages,
    pictures,
  });
  const measured = frames.map((each) => toEpisodeTelemetry(each, columns, fps)).find((each) => each !== null);
  const lost = episodes.flatMap(({ index, views }): LostRange[] =>
    cameras
      .filter((camera) => !views.some((view) => view.camera === camera))
      .map((camera) => ({
        channel: camera,
        from_s: null,
        until_s: null,
        reason: `episode ${index} has no video of it`,
      })),
  );
  return {
    start_s: 0,
    end_s: Math.max(0, ...frames.map(({ timeS }) => timeS.at(-1) ?? 0)),
    indexed: true,
    channels: [
      ...cameras.map((name) => toChannel(name, 'video', true)),
      ...columns.map(({ name }) => toChannel(name, 'numbers', false)),
    ],
    telemetry: { ...measured?.sources },
    notes: [],
    lost,
  };
}

/** Name of the recording without that of its episodes, with the episode and the camera. */
function toVideoName({ filename, episodes }: McapIngest, index: number, camera: string): string {
  const base = filename.replace(` ${episodes!.label}`, '');
  return `${base} episode ${index} ${camera.replace(/^observation\.images?\./, '')}`;
}
