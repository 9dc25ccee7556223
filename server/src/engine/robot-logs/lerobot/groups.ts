import { recordingProblem } from '../problems.ts';
import { type DatasetInfo, fillPath } from './info.ts';
import type { DatasetEpisode, EpisodeGroup, EpisodePlace, FilePlace } from './types.ts';

/** Files that several groups may share: each group lists its own. */
class FileList {
  readonly keys: string[] = [];
  readonly #places = new Map<string, number>();
  add(key: string): number {
    const known = this.#places.get(key);
    if (known !== undefined) return known;
    this.#places.set(key, this.keys.length);
    return this.keys.push(key) - 1;
  }
}

/**
 * Groups of a dataset of version 2: one for each episode. `has` reports whether the dataset has a file; a camera
 * without its video is left out of the episode. Throws `dataset_unreadable` (400) if a file with data is missing.
 */
export function groupEpisodes(
  info: DatasetInfo,
  tasks: ReadonlyMap<number, string[]>,
  has: (path: string) => boolean,
): EpisodeGroup[] {
  return Array.from({ length: info.episodes }, (_, index): EpisodeGroup => {
    const place = { episode_index: index, episode_chunk: Math.floor(index / info.chunkSize) };
    const files = new FileList();
    const dataPath = fillPath(info.dataPath, place);
    requireFile(has, dataPath);
    const data = files.add(dataPath);
    const views = info.cameras.flatMap((camera) => {
      const path = fillPath(info.videoPath, { ...place, video_key: camera });
      return has(path) ? [{ camera, file: files.add(path), fromS: 0, untilS: null }] : [];
    });
    const episode = { index, tasks: tasks.get(index) ?? [], views };
    return toGroup(info, files, data, [episode]);
  });
}

/** Groups of a dataset of version 3: the episodes in one video file of the first camera. Throws as `groupEpisodes`. */
export function groupByFile(
  info: DatasetInfo,
  rows: readonly EpisodePlace[],
  has: (path: string) => boolean,
): EpisodeGroup[] {
  const cameras = new Set(info.cameras);
  const pathOf = (template: string, { chunk, file }: FilePlace, camera = '') =>
    fillPath(template, { chunk_index: chunk, file_index: file, video_key: camera });
  const groupOf = ({ data, views }: EpisodePlace) => {
    const { chunk, file } = views.find(({ camera }) => camera === info.cameras[0]) ?? data;
    // Episodes in one file with data are read together.
    return `${chunk} ${file} ${data.chunk} ${data.file}`;
  };
  return [...Map.groupBy(rows, groupOf).values()].map((ofGroup) => {
    const files = new FileList();
    const dataPath = pathOf(info.dataPath, ofGroup[0]!.data);
    requireFile(has, dataPath);
    const data = files.add(dataPath);
    const episodes = ofGroup.map(({ index, tasks, views }): DatasetEpisode => {
      const known = views.filter(({ camera }) => cameras.has(camera));
      return {
        index,
        tasks,
        views: known.flatMap(({ camera, fromS, untilS, ...place }) => {
          const path = pathOf(info.videoPath, place, camera);
          return has(path) ? [{ camera, file: files.add(path), fromS, untilS }] : [];
        }),
      };
    });
    return toGroup(info, files, data, episodes);
  });
}

function requireFile(has: (path: string) => boolean, path: string): void {
  if (!has(path)) throw recordingProblem.dataset_unreadable(`The file ${path.slice(0, 200)} is missing.`);
}

function toGroup(
  { fps, columns }: DatasetInfo,
  files: FileList,
  data: number,
  episodes: DatasetEpisode[],
): EpisodeGroup {
  const [first, last] = [episodes[0]!.index, episodes.at(-1)!.index];
  const sixDigits = (value: number) => String(value).padStart(6, '0');
  const label = first === last ? `episode_${sixDigits(first)}` : `episodes_${sixDigits(first)}-${sixDigits(last)}`;
  return { label, fps, columns, files: files.keys, data, episodes };
}
