/** A numeric feature of a dataset, with the name of each of its elements. */
export type DatasetColumn = { name: string; elements: string[] };

/** Range of a video file that shows an episode, in seconds; `untilS` is null if the file contains nothing else. */
export type EpisodeView = { camera: string; file: number; fromS: number; untilS: number | null };
export type DatasetEpisode = { index: number; tasks: string[]; views: EpisodeView[] };

/**
 * Episodes of a dataset that are imported together, because they share files. `data` and `EpisodeView.file` are
 * positions in `files`, which are keys of the bucket.
 */
export type EpisodeGroup = {
  label: string;
  fps: number;
  columns: DatasetColumn[];
  files: string[];
  data: number;
  episodes: DatasetEpisode[];
};

/** Place of an episode in the files of a dataset of version 3. Times in seconds. */
export type EpisodePlace = {
  index: number;
  tasks: string[];
  data: FilePlace;
  views: (FilePlace & { camera: string; fromS: number; untilS: number })[];
};
export type FilePlace = { chunk: number; file: number };

/** Values of an episode by frame: `values[column][element][frame]`, times in seconds from its first frame. */
export type EpisodeFrames = { index: number; timeS: Float64Array; values: Float64Array[][] };
