import { expect, test } from 'vitest';
import type { VideoEvent } from '#engine/index';
import { rounded } from '#platform/numbers';
import { toNewEvent } from './event-payload.ts';

const CLOCK_HZ = 90_000;
const SEGMENTS = 2000;

test('an event at the start of a segment belongs to that segment, whatever the clock', () => {
  const segments = Array.from({ length: SEGMENTS }, (_, sequence) => ({
    sequence,
    startS: (sequence * 180_001) / CLOCK_HZ,
    durationS: 2,
    capturedAt: new Date('2026-11-23T12:00:00Z'),
  }));
  for (const { sequence, startS } of segments) {
    const atS = rounded(startS);
    const evidence = { frames: [{ timeS: atS, boxes: [] }], tracks: [], signals: [] };
    const { chunkIndex, data } = toNewEvent(
      'event-id',
      'session-id',
      'the picture is dark',
      { startS: atS, endS: atS, evidence } as unknown as VideoEvent,
      segments,
    );
    expect([chunkIndex, data.chunk_relative_time]).toEqual([sequence, 0]);
    expect(data.evidence.frames[0]).toMatchObject({ chunk_index: sequence, chunk_relative_time: 0 });
  }
});
