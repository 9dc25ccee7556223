import { expect, it } from 'vitest';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { footage, hasFootage, MODELS } from '../../../../test/footage.ts';
import { createEngine } from '../../engine.ts';
import { createModelFolder } from '../../models/index.ts';

/** A green light on the left until it leaves the frame at 4.6 s, and one seen from behind on the right. */
it.skipIf(!hasFootage)(
  'reads the lit lamp of real lights',
  async () => {
    const log = createLog('error');
    const media = await createMedia({ processes: 1, maxSeconds: 3600, log });
    try {
      const engine = createEngine({ media, models: createModelFolder(MODELS!), vision: null, log });
      const artifacts = await engine.observe(footage('road/camvid_0016E5_cyclists_15fps.mp4'), ['signals', 'objects']);
      const ask = (prompt: string) => engine.answer(engine.plan(prompt), artifacts);
      const green = ask('is the light green');
      expect(green.answer).toMatch(/^Yes: green traffic light/);
      expect(green.events[0]!.endS).toBeCloseTo(4.6, 1);
      expect(green.coverage[0]!.reason).toContain(
        'the color of 1 of 2 traffic lights is not known: 1 shows no lit lamp',
      );
      for (const absent of ['the light is red', 'the traffic light changes', 'we run a red light']) {
        const { events, candidates } = ask(absent);
        expect([...events, ...candidates]).toEqual([]);
      }
    } finally {
      await media.close();
    }
  },
  120_000,
);
