import type { Step, What } from '../plan/index.ts';
import type { Hit, Looked } from './hit.ts';
import type { Scene } from './scene.ts';

const anything = { text: 'anything', classes: [], colors: [], count: { min: 1, max: null }, state: null, place: null };

/**
 * What an open prompt ("what happens here?") looks for: every thing that comes, goes or stays, changes of shot and light, failures of the
 * picture, large motions of the camera, and bangs.
 */
export const NOTABLE: readonly What[] = [
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
  ).map((signal): What => ({ kind: 'signal', signal })),
  { kind: 'camera', move: 'pans', direction: null },
  { kind: 'camera', move: 'stops', direction: null },
  { kind: 'sound', sound: 'bang' },
];

/** Everything worth a mention; what could not be looked for is a limit, not a failure. */
export function findNotable(look: (step: Pick<Step, 'what'>) => Looked, scene: Scene): Looked {
  const by = new Set<string>();
  const limits = new Set<string>();
  const hits = NOTABLE.flatMap((what) => {
    const looked = look({ what });
    if ('unavailable' in looked) {
      // No sound track is a fact about the video, not a limit.
      if (what.kind !== 'sound' || scene.observations.video.hasAudio) limits.add(looked.unavailable);
      return [];
    }
    for (const name of looked.by) by.add(name);
    return looked.hits;
  });
  if (by.size === 0) return { unavailable: [...limits].join('; ') || 'nothing was observed for this video' };
  return { hits: withoutEchoes(hits), by: [...by], limits: [...limits], domain: scene.frames };
}

/** A cut or fade changes the light too; saying so as well tells nothing new. */
function withoutEchoes(hits: readonly Hit[]): Hit[] {
  const signalOf = (hit: Hit) => (hit.what.kind === 'signal' ? hit.what.signal : null);
  const changes = hits.filter((hit) =>
    ['cut', 'dissolve', 'fade_in', 'fade_out', 'black'].includes(signalOf(hit) ?? ''),
  );
  const overlaps = (a: Hit, b: Hit) => a.start.timeS <= b.end.timeS + 0.1 && a.end.timeS >= b.start.timeS - 0.1;
  return hits.filter((hit) => {
    const signal = signalOf(hit);
    return !(signal === 'gets_dark' || signal === 'gets_bright') || !changes.some((change) => overlaps(hit, change));
  });
}
