import type { Observations } from '../observe/observations.ts';
import type { Fact } from '../plan/index.ts';
import type { Scene, StepResult } from './types.ts';

/** Values of a fact about the recording, and where they come from; or the reason why it is not known. */
export type FactValue =
  | { fact: 'duration'; seconds: number; by: string }
  | { fact: 'resolution'; width: number; height: number; by: string }
  | { fact: 'frame_rate'; perSecond: number; by: string }
  | { fact: 'mean_speed' | 'top_speed'; speedMps: number; timeS: number; by: string }
  | { unavailable: string };

/** Reads a fact about the recording from its observations. Speeds are in m/s, times in seconds. */
export function readFact(fact: Fact, { video, signals, telemetry }: Observations): FactValue {
  const { durationS, width, height } = video;
  switch (fact) {
    case 'duration':
      return { fact, seconds: durationS, by: 'file' };
    case 'resolution':
      return width > 0 && height > 0
        ? { fact, width, height, by: 'file' }
        : { unavailable: 'the recording has no frames' };
    case 'frame_rate': {
      const timeS = signals?.timeS ?? new Float64Array();
      const lengthS = (timeS.at(-1) ?? 0) - (timeS[0] ?? 0);
      if (lengthS <= 0) return { unavailable: 'only some frames of this video have been decoded' };
      return { fact, perSecond: (timeS.length - 1) / lengthS, by: 'file' };
    }
    case 'mean_speed':
    case 'top_speed':
      return readSpeed(fact, telemetry);
  }
}

function readSpeed(fact: 'mean_speed' | 'top_speed', reading: Observations['telemetry']): FactValue {
  const telemetry = reading?.telemetry;
  if (!telemetry) {
    const cause = reading?.reason ?? 'the video has no telemetry';
    return { unavailable: `${cause}, and speed cannot be measured in the frames` };
  }
  const known = [...telemetry.speedMps.entries()].filter(([, speed]) => Number.isFinite(speed));
  const [first] = known;
  if (!first) return { unavailable: `the telemetry of this video (${telemetry.source}) does not contain speed` };
  const [at, top] = known.reduce((best, each) => (each[1] > best[1] ? each : best), first);
  const mean = known.reduce((sum, [, speed]) => sum + speed, 0) / known.length;
  return { fact, speedMps: fact === 'top_speed' ? top : mean, timeS: telemetry.timeS[at]!, by: 'telemetry' };
}

/** Evaluates a step for a fact: it has no events, only an answer in words. */
export function findFact(fact: Fact, scene: Scene): StepResult {
  const value = readFact(fact, scene.observations);
  if ('unavailable' in value) return value;
  return { matches: [], by: [value.by], limits: [], frames: scene.frames };
}
