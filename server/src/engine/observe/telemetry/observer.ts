import { taskObserver } from '../observer.ts';
import { observeTelemetry } from './index.ts';
import type { Telemetry, TelemetryReading } from './observation.ts';

/** Reads what a recording measured, of the file beside it or of its own tracks. Nothing is decoded. */
export const telemetry = taskObserver({
  kind: 'telemetry',
  version: 'telemetry-2',
  depth: 'both',
  sameOnEveryEngine: true,
  share: 0,
  encode({ telemetry, reason }: TelemetryReading) {
    const { source = '', notes = [], gapS = 0, blank, ...arrays } = telemetry ?? {};
    const facts = { measured: telemetry !== null, reason, source, notes, gapS, ...(blank && { blank }) };
    return { facts, arrays };
  },
  decode({ facts, arrays }): TelemetryReading {
    const { measured, reason, ...told } = facts as { measured: boolean; reason: string | null };
    return { reason, telemetry: measured ? ({ ...told, ...arrays } as Telemetry) : null };
  },
  async observe({ path, video, sidecar, decoder }) {
    return { observation: await observeTelemetry(path, sidecar, decoder), durationS: video.durationS };
  },
});
