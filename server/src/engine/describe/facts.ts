import { type FactValue, readFact, round } from '../find/index.ts';
import type { Observations } from '../observe/observations.ts';
import type { Fact, Plan } from '../plan/index.ts';
import { clock } from './words.ts';

/** Names of facts in restated prompts. */
export const FACT_NAMES: Record<Fact, string> = {
  duration: 'length of the video',
  resolution: 'resolution of the video',
  frame_rate: 'frame rate of the video, in frames per second',
  mean_speed: 'average speed, from telemetry',
  top_speed: 'top speed, from telemetry',
};

const MINUTE_S = 60;

/** Answers a prompt for a fact about the recording in words; null for any other prompt. */
export function answerFact({ searches }: Plan, observations: Observations): string | null {
  const [search] = searches;
  const what = search?.steps[0]?.what;
  if (searches.length !== 1 || what?.kind !== 'fact') return null;
  const value = readFact(what.fact, observations);
  return 'unavailable' in value ? `Not known for "${search!.text}": ${value.unavailable}.` : factText(value);
}

function factText(value: Exclude<FactValue, { unavailable: string }>): string {
  switch (value.fact) {
    case 'duration': {
      const inMinutes = value.seconds >= MINUTE_S ? ` (${clock(value.seconds)})` : '';
      return `The video is ${round(value.seconds, 1)} s long${inMinutes}.`;
    }
    case 'resolution':
      return `${value.width} × ${value.height} pixels.`;
    case 'frame_rate':
      return `${round(value.perSecond, 2)} frames per second.`;
    case 'mean_speed':
      return `${speedText(value.speedMps)} on average.`;
    case 'top_speed':
      return `${speedText(value.speedMps)}, at ${clock(value.timeS)}.`;
  }
}

const speedText = (mps: number) => `${round(mps, 1)} m/s (${round(mps * 3.6, 1)} km/h)`;
