import {
  describeUnknownClasses,
  estimateRecall,
  findUnknownClasses,
  isRecognizedSound,
  SOUND_RULES,
  TENTATIVE_SOUND,
  uncheckedText,
} from './find/index.ts';
import { detectorIn } from './observe/index.ts';
import { detectorOf } from './observe/objects/index.ts';
import type { ObservationKind } from './observe/observations.ts';
import type { ObserverStatus } from './observe/types.ts';
import { type Plan, picturableSearches, type Step, type Target } from './plan/index.ts';
import type { Coverage } from './types.ts';
import { isLeftToModel } from './vision/index.ts';

/** Outcome that a part of a prompt will have on a video that has what it needs: sound, telemetry, a camera. */
export type PlanPart = Pick<Coverage, 'text' | 'status' | 'by' | 'reason'>;

/** Observer whose results each kind of target is searched in. */
const OBSERVER_OF: Record<Target['kind'], ObservationKind | null> = {
  object: 'objects',
  signal: 'signals',
  motion: 'signals',
  camera: 'signals',
  sound: 'sound',
  speech: 'speech',
  text: 'text',
  traffic_light: 'objects',
  quantity: 'telemetry',
  fact: null,
  notable: 'signals',
  unknown: null,
};

/**
 * Previews a plan before any video is opened: who would search for each part, or the reason why nobody can. A vision
 * model, if one is configured, takes the parts that no observer can find.
 */
export function previewPlan(
  plan: Plan,
  observers: readonly ObserverStatus<ObservationKind>[],
  visionModel: string | null,
): PlanPart[] {
  const vectors = observers.find(({ kind }) => kind === 'embeddings');
  const compared = vectors && 'version' in vectors ? picturableSearches(plan) : [];
  return plan.searches.flatMap((search) => {
    const byModel = visionModel !== null && isLeftToModel(search);
    return search.steps.flatMap((step): PlanPart[] => [
      byModel
        ? { text: step.text, status: 'partly', by: [`look (${visionModel})`], reason: ONLY_SOME_FRAMES }
        : compared.includes(search)
          ? { text: step.text, status: 'partly', by: ['embeddings'], reason: ONLY_CANDIDATES }
          : previewStep(step, observers),
      ...step.unchecked
        .filter(({ text }) => text !== step.text)
        .map(({ text, reason }): PlanPart => ({ text, status: 'not_looked_for', by: [], reason })),
    ]);
  });
}

const ONLY_SUBTITLES = 'only in videos that have subtitles';
const ONLY_SOME_FRAMES = 'a vision model is shown some frames of the video, not all of them';
const ONLY_CANDIDATES =
  'frames and tracked objects are compared with these words as whole pictures, which finds candidates only';

function previewStep({ text, what, unchecked }: Step, observers: readonly ObserverStatus<ObservationKind>[]): PlanPart {
  const blocking = unchecked.filter(({ blocks }) => blocks);
  const notLookedFor = (reason: string): PlanPart => ({ text, status: 'not_looked_for', by: [], reason });
  if (blocking.length > 0) return notLookedFor(reasonsOf(blocking));
  if (what.kind === 'fact') return { text, status: 'looked_for', by: ['file'], reason: null };
  const { kind, limits } = observerOf(what, observers);
  if (kind === null) return notLookedFor('no observer can detect this');
  const observer = observers.find((each) => each.kind === kind);
  if (!observer) return notLookedFor('this service has no observer for it');
  if ('unavailable' in observer && what.kind === 'speech')
    return { text, status: 'partly', by: ['subtitles'], reason: `${ONLY_SUBTITLES}: ${observer.unavailable}` };
  if ('unavailable' in observer) return notLookedFor(observer.unavailable);
  const detector = observer.family === undefined ? null : detectorIn(observer.version);
  const unknown = unknownRequest(what, detector);
  if (unknown !== null) return notLookedFor(unknown);
  const reasons = [...(unchecked.length > 0 ? [reasonsOf(unchecked)] : []), ...limits, ...recallLimits(what, detector)];
  const status = reasons.length > 0 ? 'partly' : 'looked_for';
  return { text, status, by: [kind], reason: reasons.length > 0 ? reasons.join('; ') : null };
}

const isLoudness = (what: Target) => what.kind === 'quantity' && what.quantity === 'loudness';

/** The observer whose results a target is searched in, and its limits. Without a model, sounds are found by level. */
function observerOf(
  what: Target,
  observers: readonly ObserverStatus<ObservationKind>[],
): { kind: ObservationKind | null; limits: string[] } {
  if (what.kind !== 'sound' || !isRecognizedSound(what.sound))
    return { kind: isLoudness(what) ? 'sound' : OBSERVER_OF[what.kind], limits: [] };
  const isTranscribed = observers.some((each) => each.kind === 'speech' && 'version' in each);
  if (what.sound === 'speech' && isTranscribed) return { kind: 'speech', limits: [] };
  const { isReliable, level } = SOUND_RULES[what.sound];
  const recognizer = observers.find(({ kind }) => kind === 'sounds');
  if (recognizer && 'unavailable' in recognizer)
    return { kind: 'sound', limits: [`looked for as any ${level}: ${recognizer.unavailable}`] };
  return { kind: 'sounds', limits: isReliable ? [] : [TENTATIVE_SOUND] };
}

/** Reason why the detector cannot find one of the requested objects at all; null if it can. */
function unknownRequest(what: Target, detector: string | null): string | null {
  if (detector === null) return null;
  const known = { classes: [...detectorOf(detector).classes] };
  const unknown = requestedObjects(what)
    .map((requested) => ({ requested, unknown: findUnknownClasses(requested, known) }))
    .find(({ requested, unknown: none }) => none.length > 0 && none.length === requested.classes.length);
  return unknown ? describeUnknownClasses(unknown.unknown, detector) : null;
}

/** Limits of the detector on the requested objects. */
function recallLimits(what: Target, model: string | null): string[] {
  const requested = requestedObjects(what);
  return [...new Set(requested.flatMap((query) => estimateRecall(query, null, model).limit ?? []))];
}

function requestedObjects(what: Target): readonly Parameters<typeof estimateRecall>[0][] {
  if (what.kind === 'traffic_light') return [{ classes: ['traffic light'] }];
  if (what.kind !== 'object') return [];
  return what.relation ? [what.subject, what.relation.other] : [what.subject];
}

const reasonsOf = (unchecked: Step['unchecked']) => unchecked.map(uncheckedText).join('; ');
