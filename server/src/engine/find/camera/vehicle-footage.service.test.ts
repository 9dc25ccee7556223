import { describe, expect, it } from 'vitest';
import { createLog } from '#platform/log';
import { createMedia } from '#platform/media/index';
import { driveClip } from '../../../../test/media/clips.ts';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createEngine } from '../../engine.ts';
import { createModelFolder } from '../../models/index.ts';
import { type Frame, line, objects, observations, signals } from '../observations.fixture.ts';
import { kindOfFootage } from './vehicle-footage.ts';

const driving: Frame = { advance: 0.1, zoom: 0.05, localMotion: 0.15 };
/** A drive that waits from 10 s to 44 s. */
const drive = () => observations(60, { signals: signals(60, (t) => (t < 10 || t >= 44 ? driving : {}), 5) });
const fixed = () => observations(60, { signals: signals(60, () => ({}), 5) });

describe('footage from a moving vehicle', () => {
  it.each<[string, (t: number) => Frame, boolean]>([
    ['a drive', () => driving, true],
    ['a drive that waits for most of the time', (t) => (t < 52 ? {} : driving), true],
    ['a fixed camera', () => ({}), false],
    ['noise of a fixed camera', (t) => ({ advance: 0.01 * Math.sin(t * 40), localMotion: 0.1 }), false],
    ['a camera that pans', () => ({ globalX: 0.2 }), false],
    [
      'a hand-held camera',
      (t) => ({ globalX: 0.1 * Math.sin(t * 9), zoom: 0.1 * Math.sin(t * 7), localMotion: 0.1 }),
      false,
    ],
    ['a camera that zooms in', (t) => (t > 20 && t < 40 ? { zoom: 0.1 } : {}), false],
    ['a vehicle that only reverses', () => ({ advance: -0.1, localMotion: 0.15 }), false],
  ])('%s: %#', (_name, frame, expected) => {
    const kind = kindOfFootage(observations(60, { signals: signals(60, frame, 5) }));
    expect(kind).toBe(expected ? 'drive' : 'other');
  });
});

describe('footage of a frame every second', () => {
  const changing = (t: number): Frame => ({ difference: t % 20 < 5 ? 4 : 32 });
  const footage = (frame: (t: number) => Frame) =>
    observations(100, {
      signals: signals(100, frame, 1),
      objects: objects(
        100,
        [
          {
            className: 'car',
            from: 10,
            to: 60,
            at: line(10, [0.2, 0.6], 20, [0.6, 0.6]),
            stationary: [[20, 60]],
          },
        ],
        1,
      ),
    });

  it('may be from a vehicle where its frames change, and is from elsewhere where they do not', () => {
    expect(kindOfFootage(footage(changing))).toBe('unknown');
    expect(kindOfFootage(footage(() => ({ difference: 2 })))).toBe('other');
    expect(kindOfFootage(footage(() => driving))).toBe('drive');
  });

  it.each([
    ['the car stops', 'objects in the picture'],
    ['the car turns left', 'too far apart'],
    ['does a car cut in', 'it is not known whether a moving vehicle carries the camera'],
    ['did we run a red light', 'it is not known whether a moving vehicle carries the camera'],
  ])('leaves open what %s is about', (prompt, reason) => {
    const { events, candidates, coverage } = answerPrompt(prompt, footage(changing));
    expect(events).toEqual([]);
    expect(coverage[0]!.status).not.toBe('looked_for');
    expect(coverage[0]!.reason).toContain(reason);
    for (const { caveats } of candidates) expect(caveats.join()).toContain(reason);
  });

  it('has another car that stops only as a candidate', () => {
    const { answer, candidates } = answerPrompt('does the car stop?', footage(changing));
    expect(candidates).toMatchObject([{ label: 'car stops' }]);
    expect(answer).toMatch(/^Not certain/);
    expect(
      answerPrompt(
        'does the car stop?',
        footage(() => ({ difference: 2 })),
      ).answer,
    ).toMatch(/^Yes: car stops/);
    expect(answerPrompt('does a car stop?', footage(changing)).answer).toMatch(/^Yes: car stops/);
  });

  it('is not presumed to show one place', () => {
    const isPresumed = (frame: (t: number) => Frame) =>
      answerPrompt('is there a car in the yard', footage(frame)).answer!.startsWith('Yes');
    expect(isPresumed(changing)).toBe(false);
    expect(isPresumed(() => ({ difference: 2 }))).toBe(true);
  });
});

describe('"the car" in a drive', () => {
  it('is the recording vehicle', () => {
    const answer = answerPrompt('does the car stop?', drive());
    expect(toRows(answer)).toEqual([['recording vehicle stops', expect.closeTo(10, 0), expect.closeTo(44, 0)]]);
    expect(answer.answer).toMatch(/^Yes/);
    expect(answer.interpretation).toBe('Understood as: recording vehicle stops; whether it happens.');
  });

  it('is a car in the frame of a fixed camera', () => {
    const { interpretation } = answerPrompt('does the car stop?', fixed());
    expect(interpretation).toBe('Understood as: a car that stops; whether it happens.');
  });

  it.each([
    ['the car does not move', 'recording vehicle does not move'],
    ['the vehicle is standing still', 'recording vehicle is still'],
    ['car stops', 'recording vehicle stops; a car that stops'],
    ['a car stops', 'a car that stops'],
    ['the red car stops', 'a red car that stops'],
    ['the car on the left stops', 'a car in the left part of the picture that stops'],
    ['cars stop', 'a car that stops'],
    ['the car stops and drives off', 'recording vehicle stops, then recording vehicle starts moving'],
    ['the car stops and leaves', 'a car that stops, then the same one: a car that leaves'],
    ['the car at the gate stops', 'a car that stops; not checked: "gate"'],
    [
      'does the car stop at the red light',
      'recording vehicle stops; whether it happens; not checked: "at the red light"',
    ],
    ['the car stops at the junction', 'recording vehicle stops; a car that stops; not checked: "junction"'],
    ['how long did we wait', 'camera is still; how long in total'],
    ['how long did we wait at the red light', 'recording vehicle stands at a red traffic light; how long in total'],
  ])('%s: %s', (prompt, understood) => {
    expect(answerPrompt(prompt, drive()).interpretation).toBe(`Understood as: ${understood}.`);
  });

  it('has a driver who is not in view', () => {
    const reasonIn = (footage: ReturnType<typeof drive>) => answerPrompt('the driver', footage).coverage[0]!.reason;
    expect(reasonIn(drive())).toContain('not in view');
    expect(reasonIn(fixed())).not.toContain('not in view');
  });

  it('turns only in a drive: turning cars in the frame are not detected', () => {
    expect(answerPrompt('does the car turn left', drive()).coverage[0]!.status).not.toBe('not_looked_for');
    const { coverage, interpretation } = answerPrompt('does the car turn left', fixed());
    expect(coverage[0]!.status).toBe('not_looked_for');
    expect(interpretation).toMatch(/recording vehicle turns left/);
  });
});

it('answers with the 34 s that a rendered drive stands at a red light', async () => {
  const log = createLog('error');
  const media = await createMedia({ processes: 1, maxSeconds: 3600, log });
  try {
    const engine = createEngine({ media, models: createModelFolder('/none'), vision: null, log });
    const artifacts = await engine.observe(await driveClip('redLight'), ['signals']);
    const { events, answer } = engine.answer(engine.plan('does the car stop?'), artifacts);
    expect(answer).toMatch(/^Yes/);
    expect(events).toHaveLength(1);
    expect(events[0]!.endS - events[0]!.startS).toBeGreaterThan(32.5);
    expect(events[0]!.endS - events[0]!.startS).toBeLessThan(35.5);
  } finally {
    await media.close();
  }
}, 120_000);
