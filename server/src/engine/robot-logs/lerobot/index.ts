export { parseEpisodeTasks } from './episode-tasks.ts';
export { groupByFile, groupEpisodes } from './groups.ts';
export { type DatasetInfo, parseDatasetInfo } from './info.ts';
export { toEpisodeTelemetry, toEpisodeTrajectory } from './measured.ts';
export type { DatasetColumn, EpisodeFrames, EpisodeGroup, EpisodePlace, EpisodeView } from './types.ts';
