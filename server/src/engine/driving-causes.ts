import type { DrivingAction } from './find/index.ts';
import type { CausationAnnotation, Coverage } from './types.ts';
import type { Cause, DrivingDecision } from './vision/index.ts';

/** A decision of a driver with its action. */
export type ActionDecision = DrivingDecision & { action: DrivingAction };

/** Decisions whose reason is requested: the most decisive ones of a long drive. */
const MAX_DECISIONS = 12;
const LONGITUDINAL = {
  braking_hard: 'the vehicle brakes hard',
  braking: 'the vehicle brakes',
  stopped: 'the vehicle stops',
  accelerating: 'the vehicle accelerates',
  driving: null,
} as const;
const ORDER = ['braking_hard', 'braking', 'stopped', 'turn', 'accelerating'];

/**
 * Decisions of a driver within the video: what the vehicle starts to do, in order of time. An action that lasts from
 * the first frame on was not decided in the video, and one that continues while another part changes, or braking that
 * becomes weaker, is no new decision.
 */
export function listDecisions(actions: readonly DrivingAction[], durationS: number): ActionDecision[] {
  const decisions = actions.flatMap((action, i) => {
    const { longitudinal, lateral, startS } = action;
    const before = actions[i - 1];
    // Behind a gap in the measurements, nobody knows when it began.
    if (!before || before.endS < startS || startS < 0 || startS >= durationS) return [];
    const isTurn = (lateral === 'left' || lateral === 'right') && lateral !== before.lateral;
    const isEased = longitudinal === 'braking' && before.longitudinal === 'braking_hard';
    const isChanged = longitudinal !== null && longitudinal !== before.longitudinal && !isEased;
    const turn = isTurn ? `the vehicle turns ${lateral}` : null;
    const change = isChanged ? LONGITUDINAL[longitudinal] : null;
    const text = [change, turn].filter((part) => part !== null).join(', and ');
    const rank = ORDER.indexOf(change === null ? 'turn' : longitudinal!);
    return text === '' ? [] : [{ timeS: startS, text, action, rank }];
  });
  return decisions
    .toSorted((a, b) => a.rank - b.rank || a.timeS - b.timeS)
    .slice(0, MAX_DECISIONS)
    .toSorted((a, b) => a.timeS - b.timeS)
    .map(({ rank: _, ...decision }) => decision);
}

/** Annotations of the decisions whose reason the model saw. */
export function annotate(
  decisions: readonly ActionDecision[],
  causes: readonly (Cause | null)[],
): CausationAnnotation[] {
  return decisions.flatMap(({ timeS, action: { longitudinal, lateral } }, i) => {
    const cause = causes[i] ?? null;
    if (cause === null) return [];
    const { text: chainOfCausation, component } = cause;
    const criticalComponents = component === null ? [] : [{ component: component.name, location: component.location }];
    return [{ keyframeS: timeS, decision: { longitudinal, lateral }, criticalComponents, chainOfCausation }];
  });
}

/** Row of the annotations. */
export function causesRow(
  name: string,
  decisions: number,
  { annotations, untrusted, limits }: { annotations: number; untrusted: string | null; limits: readonly string[] },
): Coverage {
  const reason =
    decisions === 0
      ? 'no change of speed or direction was measured, whose reason could be seen'
      : untrusted === null
        ? [`${name} saw the reason of ${annotations} of ${decisions} decisions of the driver`, ...limits].join('; ')
        : `${name} is not believed: ${untrusted}`;
  const isAnswered = untrusted === null;
  return {
    text: 'causes',
    status: isAnswered ? 'partly' : 'not_looked_for',
    by: isAnswered ? [name] : [],
    reason,
    findings: annotations,
  };
}
