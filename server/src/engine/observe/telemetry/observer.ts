import { defineTaskObserver } from '../types.ts';
import type { Telemetry, TelemetryReading } from './observation.ts';
import { readVideoTelemetry } from './reader.ts';

/** Reads the telemetry of the sidecar or of the video's tracks. Nothing is decoded. */
export const telemetry = defineTaskObserver({
  kind: 'telemetry',
  version: 'telemetry-3',
  depth: 'both',
  relativeDuration: 0,
  encode({ telemetry, reason }: TelemetryReading) {
    const { source = '', notes = [], gapS = 0, blank, ...arrays } = telemetry ?? {};
    const facts = { measured: telemetry !== null, reason, source, notes, gapS, ...(blank && { blank }) };
    return { facts, arrays };
  },
  decode({ facts, arrays }): TelemetryReading {
    const { measured, reason, ...own } = facts as { measured: boolean; reason: string | null };
    return { reason, telemetry: measured ? ({ ...own, ...arrays } as Telemetry) : null };
  },
  async observe({ path, video, sidecar, decoder }) {
    return { observation: await readVideoTelemetry(path, sidecar, decoder), durationS: video.durationS };
  },
});
