import { lengthOf, taskObserver } from '../observer.ts';
import { createTriageObserver, HEIGHT, KEYFRAME_EVERY_S, WIDTH } from './index.ts';
import type { Triage } from './observation.ts';

/** Walks through the packets and decodes keyframes, nothing else. */
export const triage = taskObserver({
  kind: 'triage',
  version: 'triage-3',
  depth: 'sparse',
  share: 0.03,
  encode: ({ rows, columns, ...arrays }: Triage) => ({ facts: { rows, columns }, arrays }),
  decode({ facts, arrays }): Triage {
    return { ...(facts as Pick<Triage, 'rows' | 'columns'>), ...(arrays as Omit<Triage, 'rows' | 'columns'>) };
  },
  async observe({ path, video, decoder, progress }) {
    const observer = createTriageObserver();
    const seen = await decoder.decode(path, {
      skip: 'non-key',
      pictures: [
        { width: WIDTH, height: HEIGHT, format: 'gray', minIntervalS: KEYFRAME_EVERY_S, onFrame: observer.take },
      ],
      onPacket: observer.packet,
      onProgress: progress,
    });
    return { observation: observer.finish(), ...lengthOf(seen, video) };
  },
});
