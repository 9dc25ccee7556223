import type { VideoEvent } from '#engine/index';

/** An event of a test engine: "red car 3" is the fourth, and each starts two seconds after the one before. */
export function createEvent(index: number, evidence: Partial<VideoEvent['evidence']> = {}): VideoEvent {
  return {
    startS: 2 * index + 0.34,
    endS: 2 * index + 1.5,
    startPts: 180_000 * index + 30_600,
    endPts: 180_000 * index + 135_000,
    timeBase: [1, 90_000],
    label: `red car ${index}`,
    category: 'object',
    severity: 'medium',
    confidence: 0.8,
    explanation: 'A red car was tracked over 12 frames.',
    caveats: [],
    evidence: {
      frames: [{ role: 'best', timeS: 2 * index + 1, pts: 180_000 * index + 90_000, boxes: [] }],
      tracks: [],
      signals: [],
      ...evidence,
    },
  };
}
