import type { PixelStatistics } from '../../types.ts';
import { CAMERA, type EpisodeRow } from './episode.ts';

type Values = number[] | number[][][];
/** Statistics of a feature: numbers of one element, pixels of one element for each channel. */
export type Statistics = Record<'min' | 'max' | 'mean' | 'std', Values> & { count: number[] };

/** Statistics of all features of episodes. */
export function toStatistics(episodes: readonly EpisodeRow[]): Record<string, Statistics> {
  const count = episodes.reduce((sum, { length }) => sum + length, 0);
  const numbers = (read: (episode: EpisodeRow) => Moments) => {
    const { min, max, mean, std } = combine(episodes.map((episode) => [episode.length, read(episode)]));
    return { min: [min], max: [max], mean: [mean], std: [std], count: [count] };
  };
  const channels = [0, 1, 2].map((at) =>
    combine(episodes.map(({ length, pixels }) => [length, channelOf(pixels, at)] as const)),
  );
  const pixels = (read: (moments: Moments) => number) => channels.map((channel) => [[read(channel)]]);
  return {
    [CAMERA]: {
      min: pixels(({ min }) => min),
      max: pixels(({ max }) => max),
      mean: pixels(({ mean }) => mean),
      std: pixels(({ std }) => std),
      count: [count],
    },
    timestamp: numbers(({ length, fps }) => sequence(0, length, 1 / fps)),
    frame_index: numbers(({ length }) => sequence(0, length)),
    episode_index: numbers(({ index }) => sequence(index, 1)),
    index: numbers(({ from, length }) => sequence(from, length)),
    task_index: numbers(({ task }) => sequence(task, 1)),
  };
}

type Moments = { min: number; max: number; mean: number; std: number };

const channelOf = ({ min, max, mean, std }: PixelStatistics, at: number): Moments => ({
  min: min[at]!,
  max: max[at]!,
  mean: mean[at]!,
  std: std[at]!,
});

/** Moments of `count` numbers from `start` on, `step` apart. */
function sequence(start: number, count: number, step = 1): Moments {
  const max = start + (count - 1) * step;
  return { min: start, max, mean: (start + max) / 2, std: step * Math.sqrt((count ** 2 - 1) / 12) };
}

/** Moments of several groups of numbers together. */
function combine(groups: readonly (readonly [count: number, moments: Moments])[]): Moments {
  let [total, sum, squares] = [0, 0, 0];
  for (const [count, { mean, std }] of groups) {
    total += count;
    sum += count * mean;
    squares += count * (std ** 2 + mean ** 2);
  }
  const mean = sum / total;
  return {
    min: groups.reduce((least, [, { min }]) => Math.min(least, min), Number.POSITIVE_INFINITY),
    max: groups.reduce((most, [, { max }]) => Math.max(most, max), Number.NEGATIVE_INFINITY),
    mean,
    std: Math.sqrt(Math.max(0, squares / total - mean ** 2)),
  };
}
