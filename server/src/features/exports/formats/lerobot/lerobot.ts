import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';
import { problems } from '../../problems.ts';
import type { EpisodeForm, EventSource, ExportedEvent, ExportMedia } from '../../types.ts';
import { writeArchive } from '../archive.ts';
import { sizeOf } from '../boxes/frame-size.ts';
import { nominal, rateOf } from '../cuts/frame-rate.ts';
import { CAMERA, type EpisodeRow } from './episode.ts';
import { toStatistics } from './statistics.ts';
import { writeEpisodes, writeFrames, writeTasks } from './tables.ts';

/** Episodes of a folder. */
const CHUNK = 1000;
/** Longest side of frames in pixels, and most frames per second: policies are trained on less. */
const MAX_SIDE = 640;
const MAX_FPS = 30;

const INTEGERS = ['frame_index', 'episode_index', 'index', 'task_index'];

/**
 * A ZIP archive with a dataset of LeRobot, version 3: one episode for each event, with its label as the task. All
 * episodes have the frame rate and the size of the first one. Throws `export_empty` if no event has a video.
 */
export const writeLeRobot = (events: EventSource, media: ExportMedia): AsyncGenerator<Uint8Array> =>
  writeArchive(async (archive) => {
    const episodes: EpisodeRow[] = [];
    const tasks = new Map<string, number>();
    let form: EpisodeForm | null = null;
    let from = 0;
    for await (const event of events()) {
      form ??= toForm(event);
      await using episode = await media.episode(event, form);
      if (!episode) continue;
      const index = episodes.length;
      const path = `videos/${CAMERA}/${toPath(index)}.mp4`;
      await archive.stream(path, createReadStream(episode.path), 'stored');
      if (!tasks.has(event.label)) tasks.set(event.label, tasks.size);
      const row = { index, from, length: episode.frames, task: tasks.get(event.label)!, fps: form.fps };
      episodes.push({ ...row, chunk: Math.floor(index / CHUNK), file: index % CHUNK, pixels: episode.pixels, event });
      from += episode.frames;
    }
    if (!form || episodes.length === 0) throw problems.export_empty();
    await archive.stream(`data/${toPath(0)}.parquet`, Readable.from(writeFrames(episodes)));
    await archive.stream(`meta/episodes/${toPath(0)}.parquet`, Readable.from(writeEpisodes(episodes)));
    await archive.stream('meta/tasks.parquet', Readable.from(writeTasks([...tasks.keys()])));
    archive.add('meta/stats.json', JSON.stringify(toStatistics(episodes), null, 2));
    const totals = { total_episodes: episodes.length, total_frames: from, total_tasks: tasks.size };
    archive.add('meta/info.json', JSON.stringify(toInfo(form, totals), null, 2));
  });

const threeDigits = (value: number) => String(value).padStart(3, '0');
const toPath = (index: number) => `chunk-${threeDigits(Math.floor(index / CHUNK))}/file-${threeDigits(index % CHUNK)}`;

function toForm(event: ExportedEvent): EpisodeForm {
  const size = sizeOf(event);
  const scale = Math.min(1, MAX_SIDE / Math.max(size.width, size.height));
  const even = (side: number) => Math.max(2, 2 * Math.round((side * scale) / 2));
  return { fps: Math.min(MAX_FPS, nominal(rateOf(event))), width: even(size.width), height: even(size.height) };
}

function toInfo({ fps, width, height }: EpisodeForm, totals: { total_episodes: number }): object {
  const pattern = 'chunk-{chunk_index:03d}/file-{file_index:03d}';
  const info = {
    'video.height': height,
    'video.width': width,
    'video.channels': 3,
    'video.fps': fps,
    'video.codec': 'h264',
    'video.pix_fmt': 'yuv420p',
    'video.is_depth_map': false,
    has_audio: false,
  };
  const number = (dtype: string) => ({ dtype, shape: [1], names: null });
  return {
    codebase_version: 'v3.0',
    robot_type: null,
    ...totals,
    chunks_size: CHUNK,
    fps,
    data_files_size_in_mb: 100,
    video_files_size_in_mb: 200,
    splits: { train: `0:${totals.total_episodes}` },
    data_path: `data/${pattern}.parquet`,
    video_path: `videos/{video_key}/${pattern}.mp4`,
    features: {
      [CAMERA]: { dtype: 'video', shape: [height, width, 3], names: ['height', 'width', 'channels'], info },
      timestamp: number('float32'),
      ...Object.fromEntries(INTEGERS.map((name) => [name, number('int64')])),
    },
  };
}
