import { defineTaskObserver } from '../types.ts';
import { type PackedChannels, packChannels, unpackChannels } from './channels.ts';
import type { Telemetry, TelemetryReading } from './observation.ts';
import { readVideoTelemetry } from './reader.ts';

/** Reads the measurements of the sidecar or of the video's tracks. Nothing is decoded. */
export const telemetry = defineTaskObserver({
  kind: 'telemetry',
  version: 'telemetry-5',
  depth: 'both',
  relativeDuration: 0,
  encode({ telemetry, reason, recorded, startMs, blank }: TelemetryReading) {
    const { source = '', notes = [], gapS = 0, ...arrays } = telemetry ?? {};
    const packed = recorded && packChannels(recorded.channels);
    const facts = {
      measured: telemetry !== null,
      reason,
      source,
      notes,
      gapS,
      ...(startMs !== undefined && { startMs }),
      ...(blank && { blank }),
    };
    if (!packed) return { facts, arrays };
    return {
      facts: { ...facts, channels: packed.names, leftOut: recorded.leftOut },
      arrays: { ...arrays, ...packed.arrays },
    };
  },
  decode({ facts, arrays }): TelemetryReading {
    const { measured, reason, channels: names, leftOut = 0, startMs, blank, ...own } = facts as StoredFacts;
    const { channelTimeS, channelValues, ...columns } = arrays as PackedChannels['arrays'];
    return {
      reason,
      telemetry: measured ? ({ ...own, ...columns } as Telemetry) : null,
      ...(names && { recorded: { channels: unpackChannels(names, { channelTimeS, channelValues }), leftOut } }),
      ...(startMs !== undefined && { startMs }),
      ...(blank && { blank }),
    };
  },
  async observe({ path, video, sidecar, decoder }) {
    return { observation: await readVideoTelemetry(path, sidecar, decoder), durationS: video.durationS };
  },
});

type StoredFacts = Pick<Telemetry, 'source' | 'notes' | 'gapS'> &
  Pick<TelemetryReading, 'reason' | 'startMs' | 'blank'> & {
    measured: boolean;
    channels?: PackedChannels['names'];
    leftOut?: number;
  };
