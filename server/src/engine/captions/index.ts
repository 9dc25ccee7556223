import { round, type Scene } from '../find/index.ts';
import { detectorName, detectorOf } from '../observe/objects/index.ts';
import type { Objects } from '../observe/observations.ts';
import type { Answer, VideoEvent } from '../types.ts';
import { type CaptionSegment, divideIntoSegments } from './segments.ts';
import { tracksOf, writeCaption } from './write-caption.ts';

/** States of the frame that captions mention, each with the prompt that finds it. */
const STATES = { camera: 'the camera moves', dark: 'it is dark' } as const;
const CUT = 'a cut';
/** Confidence of a caption that a model wrote and confirmed once. Not calibrated (docs/models.md). */
const WRITTEN = 0.7;
const LIMITS =
  'captions state what observers measured: known objects, their direction, cuts, light and camera motion, not what they mean';

/**
 * Time-stamped captions of a whole video from its observations: one event for each range with the same view.
 * `ask` answers a prompt on the same scene.
 */
export function captionScene(scene: Scene, ask: (prompt: string) => Answer): Answer {
  const { video, signals, objects } = scene.observations;
  const tracks = scene.trackViews();
  const segments = divideIntoSegments({
    durationS: video.durationS,
    tracks,
    states: new Map(Object.entries(STATES).map(([name, prompt]) => [name, ask(prompt).events])),
    cutsS: ask(CUT).events.map(({ startS }) => startS),
  });
  const missing = objects ? describeVocabulary(objects) : ['the object detector was not available'];
  const reasons = [...missing, LIMITS];
  const events = segments.map((segment) => toEvent(segment, scene, signals !== null));
  return {
    interpretation: 'Captions of the whole video.',
    events,
    candidates: [],
    answer: null,
    summary: `${events.length} ${events.length === 1 ? 'caption' : 'captions'}.`,
    coverage: [
      {
        text: 'captions',
        status: 'partly',
        by: [...(objects ? [`objects (${objects.model})`] : []), ...(signals ? ['signals'] : [])],
        reason: reasons.join('; '),
        findings: events.length,
      },
    ],
  };
}

/** Where the detector knows few classes, captions are silent about all others. */
function describeVocabulary({ model }: Objects): string[] {
  const { better, classes } = detectorOf(model);
  return better
    ? [`${detectorName(model)} knows ${classes.length} classes of objects and misses more than ${better.name}`]
    : [];
}

/** Replaces the texts of captions that a model wrote. `texts` has one for each event, or null. */
export function withTexts(
  answer: Answer,
  { texts, limits }: { texts: readonly (string | null)[]; limits: readonly string[] },
  name: string,
): Answer {
  const isWritten = texts.some((text) => text !== null);
  return {
    ...answer,
    events: answer.events.map((event, i) => {
      const text = texts[i] ?? null;
      if (text === null) return event;
      const { label: measured } = event;
      return { ...event, label: text, confidence: WRITTEN, explanation: `${name} wrote it. Measured: ${measured}` };
    }),
    coverage: answer.coverage.map((row) => ({
      ...row,
      by: isWritten ? [...row.by, name] : row.by,
      reason: [...limits, row.reason].join('; '),
    })),
  };
}

function toEvent(segment: CaptionSegment, scene: Scene, isMotionKnown: boolean): VideoEvent {
  const start = scene.frameTimeAt(segment.startS);
  const end = scene.frameTimeAt(segment.endS);
  const middle = scene.frameTimeAt((segment.startS + segment.endS) / 2);
  const views = scene.trackViews();
  const shown = [...segment.counts.keys()].flatMap((name) => tracksOf(segment, views, name));
  const label = writeCaption(segment, views, { isMotionKnown });
  return {
    startS: round(segment.startS, 3),
    endS: round(segment.endS, 3),
    startPts: start.pts,
    endPts: end.pts,
    timeBase: scene.observations.video.timeBase,
    label,
    category: 'caption',
    severity: 'low',
    confidence: round(shown.length === 0 ? 1 : shown.reduce((sum, { score }) => sum + score, 0) / shown.length, 3),
    explanation: label,
    caveats: [],
    evidence: {
      frames: [{ role: 'best', timeS: round(middle.timeS, 6), pts: middle.pts, boxes: [] }],
      tracks: [],
      signals: [],
    },
  };
}
