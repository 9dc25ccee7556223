import type { Step, Target } from '../plan/index.ts';
import { always } from './limits/index.ts';
import type { IntervalMatch, Scene, StepResult } from './types.ts';

const anything = { text: 'anything', classes: [], colors: [], count: { min: 1, max: null }, state: null, place: null };

/** Conditions that an open prompt ("what happens here?") searches for. */
export const NOTABLE: readonly Target[] = [
  {
    kind: 'object',
    subject: anything,
    action: 'present',
    idle: false,
    direction: null,
    from: null,
    to: null,
    relation: null,
  },
  ...(
    [
      'cut',
      'dissolve',
      'fade_in',
      'fade_out',
      'black',
      'frozen',
      'covered',
      'gets_dark',
      'gets_bright',
      'shaking',
    ] as const
  ).map((signal): Target => ({ kind: 'signal', signal })),
  { kind: 'camera', move: 'pans', direction: null },
  { kind: 'camera', move: 'stops', direction: null },
  { kind: 'sound', sound: 'bang' },
];

/** Evaluates all notable conditions. Those that are unavailable become limits of the result. */
export function findNotable(evaluate: (step: Pick<Step, 'what'>) => StepResult, scene: Scene): StepResult {
  const by = new Set<string>();
  const limits = new Set<string>();
  const matches = NOTABLE.flatMap((what) => {
    const result = evaluate({ what });
    if ('unavailable' in result) {
      // A video without an audio track is not a limit.
      if (what.kind !== 'sound' || scene.observations.video.hasAudio) limits.add(result.unavailable);
      return [];
    }
    for (const name of result.by) by.add(name);
    return result.matches;
  });
  if (by.size === 0) return { unavailable: [...limits].join('; ') || 'no observations are available for this video' };
  return { matches: withoutSideEffects(matches), by: [...by], limits: always(...limits), frames: scene.frames };
}

/** Drops light changes that coincide with a cut or fade, which causes them. */
function withoutSideEffects(matches: readonly IntervalMatch[]): IntervalMatch[] {
  const signalOf = (match: IntervalMatch) => (match.what.kind === 'signal' ? match.what.signal : null);
  const changes = matches.filter((match) =>
    ['cut', 'dissolve', 'fade_in', 'fade_out', 'black'].includes(signalOf(match) ?? ''),
  );
  const overlaps = (a: IntervalMatch, b: IntervalMatch) =>
    a.start.timeS <= b.end.timeS + 0.1 && a.end.timeS >= b.start.timeS - 0.1;
  return matches.filter((match) => {
    const signal = signalOf(match);
    return !(signal === 'gets_dark' || signal === 'gets_bright') || !changes.some((change) => overlaps(match, change));
  });
}
