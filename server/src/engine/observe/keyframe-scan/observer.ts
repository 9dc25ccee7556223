import { defineTaskObserver, toDuration } from '../types.ts';
import { createKeyframeCollector, HEIGHT, KEYFRAME_EVERY_S, WIDTH } from './collector.ts';
import type { KeyframeScan } from './observation.ts';

/** Reads all packets and decodes only keyframes. */
export const keyframeScan = defineTaskObserver({
  kind: 'triage',
  version: 'keyframe-scan-3',
  depth: 'sparse',
  relativeDuration: 0.03,
  // The cells are stored as `pictures`.
  encode: ({ rows, columns, cells, ...arrays }: KeyframeScan) => ({
    facts: { rows, columns },
    arrays: { ...arrays, pictures: cells },
  }),
  decode({ facts, arrays }): KeyframeScan {
    const { pictures, ...own } = arrays as Omit<KeyframeScan, 'rows' | 'columns' | 'cells'> & { pictures: Uint8Array };
    return { ...(facts as Pick<KeyframeScan, 'rows' | 'columns'>), ...own, cells: pictures };
  },
  async observe({ path, video, decoder, onProgress }) {
    const collector = createKeyframeCollector();
    const summary = await decoder.decode(path, {
      skip: 'non-key',
      frames: [
        {
          width: WIDTH,
          height: HEIGHT,
          format: 'gray',
          minIntervalS: KEYFRAME_EVERY_S,
          onFrame: collector.addKeyframe,
        },
      ],
      onPacket: collector.addPacket,
      onProgress,
    });
    return { observation: collector.finish(), ...toDuration(summary, video) };
  },
});
