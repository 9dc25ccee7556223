// Coverage states how many of the requested objects the detector finds, by class, size, light and resolution.
import { describe, expect, test } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { CLASSES, detectorOf, recallOf, sizeOf } from '../../observe/objects/index.ts';
import { objects, observations, signals, still } from '../observations.fixture.ts';
import { estimateRecall } from './detector-recall.ts';

const knowing = (classes: string[], tracks: Parameters<typeof objects>[1] = []) => ({
  ...objects(10, tracks),
  classes,
});
type Footage = { luma?: number; tracks?: Parameters<typeof objects>[1]; model?: string };
const ask = (prompt: string, { luma = 110, ...more }: Footage = {}) =>
  answerPrompt(
    prompt,
    observations(10, {
      signals: signals(10, () => ({ luma })),
      objects: { ...knowing([...CLASSES], more.tracks), ...(more.model && { model: more.model }) },
    }),
  );

describe('the table', () => {
  test('has every class, larger objects being found more often, and none always', () => {
    for (const name of CLASSES) {
      const [small, medium, large] = (['small', 'medium', 'large'] as const).map((size) => recallOf(name, size));
      expect(small, name).toBeGreaterThan(0);
      expect(small, name).toBeLessThan(medium!);
      expect(medium, name).toBeLessThan(large!);
      expect(large, name).toBeLessThan(1);
    }
  });

  test('sizes are those of COCO in the input of the detector', () => {
    expect([10, 20.9, 21, 61, 62, 400].map((side) => sizeOf(side))).toEqual([
      'small',
      'small',
      'medium',
      'medium',
      'large',
      'large',
    ]);
  });
});

describe('the detector that comes with the installation', () => {
  const model = 'ssd_mobilenet_v2 6fcf9069f759';
  const { classes } = detectorOf(model);
  const found = (prompt: string) =>
    answerPrompt(prompt, observations(10, { signals: signals(10), objects: { ...knowing([...classes]), model } }));

  test.each(CLASSES.map((name) => [name]))(
    'reports for "%s" that it misses more, or which detector knows it',
    (name) => {
      const coverage = found(`a ${name}`).coverage.at(0)!;
      const { recall } = estimateRecall({ classes: [name] }, null, model);
      if (classes.includes(name)) {
        expect(coverage).toMatchObject({ status: 'partly', by: [expect.stringContaining('ssd_mobilenet_v2')] });
        expect(coverage.reason).toContain('misses more than yolox_nano');
        expect(recall).toBeGreaterThan(0);
        expect(recall).toBeLessThan(0.8);
      } else {
        expect(coverage).toMatchObject({ status: 'not_looked_for', by: [] });
        expect(coverage.reason).toMatch(
          /^ssd_mobilenet_v2 does not know .*, but yolox_nano does: .*models fetch yolox_nano"/,
        );
        expect(found(`no ${name}`).events).toEqual([]);
      }
    },
  );

  test('names what it does not know of several classes, and what it mistakes', () => {
    const [vehicles] = found('vehicles').coverage;
    expect(vehicles).toMatchObject({ status: 'partly' });
    expect(vehicles!.reason).toMatch(/does not know .*trucks.*, but yolox_nano does/);
    expect(found('a car').coverage[0]!.reason).toContain('takes trucks and buses for cars');
    expect(found('a red traffic light').coverage[0]!.reason).toContain('does not know traffic lights');
    expect(found('a person near a bus').coverage[0]!.reason).toContain('does not know buses');
    expect(found('is there a bus?').answer).toMatch(/^Not known for "bus"/);
  });

  test('reports an estimate only where its finds were not counted', () => {
    const limitOf = (name: string) => estimateRecall({ classes: [name] }, null, model).limit;
    expect(limitOf('cup')).not.toContain('estimate');
    expect(limitOf('laptop')).toContain('by estimate: ssd_mobilenet_v2 was not evaluated for each class');
  });
});

describe('detectors', () => {
  const detectors = ['yolox_nano', 'yolox_tiny', 'yolox_s', 'dfine_n'] as const;

  test('find more the stronger they are, by published figures', () => {
    for (const name of CLASSES) {
      const [, tiny, small, fine] = detectors.map((detector) => recallOf(name, 'medium', detector));
      expect(tiny, name).toBeLessThanOrEqual(small!);
      expect(small, name).toBeLessThanOrEqual(fine!);
      for (const detector of detectors) expect(recallOf(name, 'large', detector), name).toBeLessThanOrEqual(0.95);
    }
  });

  test('coverage reports an estimate where no figures for each class are known', () => {
    const limitOf = (model: string) => estimateRecall({ classes: ['handbag'] }, null, model).limit;
    expect(limitOf('yolox_nano fd7193b8405b')).toMatch(/handbags, and fewer small ones$/);
    expect(limitOf('yolox_s c5c2d13e59ae')).toMatch(/handbags, and fewer small ones$/);
    for (const model of ['yolox_tiny 427cc366d34e', 'dfine_n 0123456789ab'])
      expect(limitOf(model)).toMatch(/by estimate: (yolox_tiny|dfine_n) was not evaluated for each class$/);
    const found = ask('a handbag', { model: 'dfine_n 0123456789ab' });
    expect(found.coverage[0]).toMatchObject({ status: 'partly', by: ['objects (dfine_n 0123456789ab)'] });
    expect(found.coverage[0]!.reason).toContain('dfine_n was not evaluated for each class');
  });

  test('sizes are those of the input of the detector', () => {
    const limits = [32, 33, 95, 96].map((side) => sizeOf(side, { side: 640 }));
    expect(limits).toEqual(['small', 'medium', 'medium', 'large']);
    // The same object has the same size to either.
    expect(sizeOf(20, { side: 416 })).toBe(sizeOf((20 * 640) / 416, { side: 640 }));
  });
});

describe('coverage', () => {
  test.each([
    ['a red cup', 'cups'],
    ['two cups', 'cups'],
    ['a banana moves', 'bananas'],
    ['a bird', 'birds'],
    ['a lorry', 'trucks'],
    ['a handbag', 'handbags'],
    ['a person on a bicycle', 'bicycles'],
  ])('%s is searched partly, and the number is stated', (prompt, nouns) => {
    const { coverage, events } = ask(prompt);
    expect(events).toEqual([]);
    expect(coverage[0]).toMatchObject({ status: 'partly', findings: 0 });
    expect(coverage[0]!.reason).toMatch(new RegExp(`the detector finds about \\d in 10 medium-sized ${nouns}`));
  });

  test.each(['a person', 'a car', 'vehicles', 'a person near a car', 'something moves'])('%s is searched', (prompt) => {
    expect(ask(prompt).coverage[0]).toMatchObject({ status: 'looked_for', reason: null });
  });

  test('what is far away is found less often', () => {
    const far = {
      className: 'person',
      from: 0,
      to: 9,
      at: still(0.5, 0.5),
      size: (): [number, number] => [0.01, 0.04],
    };
    expect(ask('a person', { tracks: [far] }).coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringMatching(/finds about [1-4] in 10 people of this size$/),
      findings: 1,
    });
  });

  test('what is dark or small footage is found less often', () => {
    expect(ask('a person', { luma: 20 }).coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringMatching(
        /finds about 4 in 10 medium-sized people, and fewer small ones in a video this dark/,
      ),
    });
    const video = (width: number, height: number) =>
      ({
        lengthS: 10,
        observations: { objects: null, fineObjects: null, signals: null, video: { width, height } },
      }) as Parameters<typeof estimateRecall>[1];
    const recall = (width: number, height: number) =>
      estimateRecall({ classes: ['person'] }, video(width, height)).recall;
    expect(recall(1920, 1080)).toBe(recall(640, 360));
    expect(recall(160, 120)).toBeLessThan(0.7);
    expect(recall(320, 240)).toBeLessThan(recall(640, 480));
  });

  test('in enlarged frames more is found, if they are close enough to each other, and by the same detector', () => {
    const objects = { model: 'yolox_nano fd7193b8405b', tracks: [] };
    const recall = (frames: number, model = objects.model, stepS = 60 / frames) => {
      const video = { width: 1920, height: 1080 };
      const fineObjects = { model, timeS: Float64Array.from({ length: frames }, (_, at) => at * stepS), tracks: [] };
      const observations = { objects, fineObjects, signals: null, video };
      const footage = { lengthS: 60, observations } as unknown as Parameters<typeof estimateRecall>[1];
      return estimateRecall({ classes: ['bicycle'] }, footage).recall;
    };
    const [medium, large] = [recallOf('bicycle', 'medium'), recallOf('bicycle', 'large')];
    expect(recall(40)).toBeCloseTo((medium + large) / 2, 6);
    expect(recall(20)).toBe(medium);
    // As many frames, but all of them in a part of the video.
    expect(recall(40, objects.model, 0.5)).toBe(medium);
    expect(recall(40, 'yolox_nano 000000000000')).toBe(medium);
  });

  test('"no" is certain only where the detector finds more than it misses', () => {
    expect(ask('is there a car?').answer).toBe('No: it was looked for and not found.');
    expect(ask('is there a dog?').answer).toMatch(
      /^No: it was looked for and not found. Note: the detector finds about 6/,
    );
    expect(ask('is there a handbag?').answer).toMatch(/^Not certain: .* Note: the detector finds about \d in 10/);
  });
});
