import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { observations, signals, signalsAt } from '../observations.fixture.ts';

const plain = observations(20, { signals: signals(20) });

describe('a plain picture', () => {
  it.each([
    'cut',
    'fade',
    'dark',
    'bright',
    'it gets dark',
    'black',
    'frozen',
    'blurred',
    'camera covered',
    'shaking',
    'flicker',
  ])('has no "%s"', (prompt) => {
    const answer = answerPrompt(prompt, plain);
    expect(answer.events).toEqual([]);
    expect(answer.coverage[0]!.status).not.toBe('not_looked_for');
  });

  it.each(['not dark', 'not black', 'no cuts'])('is "%s" from its first frame to its last', (prompt) => {
    expect(toRows(answerPrompt(prompt, plain)).map(([, start, end]) => [start, end])).toEqual([[0, 20]]);
  });
});

describe('states of the picture', () => {
  it('start and end on frames, with hysteresis near the threshold', () => {
    const luma = (t: number) => (t < 4 ? 110 : t < 8 ? 20 : t < 12 ? (Math.round(t * 25) % 2 ? 47 : 57) : 110);
    const findings = toRows(
      answerPrompt('dark', observations(16, { signals: signals(16, (t) => ({ luma: luma(t) })) })),
    );
    expect(findings).toHaveLength(1);
    const [, start, end] = findings[0]!;
    expect(start).toBeCloseTo(4, 0);
    expect(end).toBeCloseTo(12, 0);
  });

  it('have presentation times as edges, also at a variable frame rate', () => {
    const times = [...Array(50).keys()].map((i) => i * 0.04).concat([...Array(30).keys()].map((i) => 2 + i * 0.2));
    const video = observations(8, {
      signals: signalsAt(times, (t) => ({ dark: t >= 3.3 && t < 5.3 ? 1 : 0.02, luma: t >= 3.3 && t < 5.3 ? 8 : 110 })),
    });
    const [finding] = answerPrompt('black screen', video).events;
    expect([finding!.startS, finding!.endS]).toEqual([3.4, 5.4]);
    expect([finding!.startPts, finding!.endPts]).toEqual([306_000, 486_000]);
  });

  it('need a minimum duration', () => {
    const video = observations(10, { signals: signals(10, (t) => ({ luma: t >= 5 && t < 5.3 ? 10 : 110 })) });
    expect(toRows(answerPrompt('dark', video))).toEqual([]);
  });

  it('are limited to the requested duration', () => {
    const black = (t: number) => (t >= 2 && t < 3) || (t >= 6 && t < 9);
    const video = observations(12, { signals: signals(12, (t) => (black(t) ? { dark: 1, luma: 4 } : {})) });
    expect(toRows(answerPrompt('black', video))).toHaveLength(2);
    expect(toRows(answerPrompt('black for more than 2 seconds', video))).toEqual([['picture is black', 6, 9]]);
    expect(toRows(answerPrompt('black for less than 2 seconds', video))).toEqual([['picture is black', 2, 3]]);
  });

  it('distinguish a frozen picture from a black one', () => {
    const video = observations(12, {
      signals: signals(12, (t) =>
        t >= 2 && t < 5 ? { difference: 0 } : t >= 7 && t < 10 ? { difference: 0, dark: 1, luma: 3 } : {},
      ),
    });
    expect(toRows(answerPrompt('frozen', video))).toEqual([['picture is frozen', 2, 5]]);
  });

  it('detect blur by the usual sharpness, and covering by lost structure', () => {
    const blur = observations(20, { signals: signals(20, (t) => (t >= 8 && t < 12 ? { sharpness: 60 } : {})) });
    expect(toRows(answerPrompt('blurry', blur))[0]).toEqual([
      'picture is blurred',
      expect.closeTo(8, 0),
      expect.closeTo(12, 0),
    ]);
    const hand = observations(20, {
      signals: signals(20, (t) => (t >= 8 && t < 12 ? { contrast: 4, sharpness: 5, luma: 40, dark: 0.3 } : {})),
    });
    expect(toRows(answerPrompt('camera covered', hand))[0]).toEqual([
      'camera is covered',
      expect.closeTo(8, 0),
      expect.closeTo(12, 0),
    ]);
    expect(toRows(answerPrompt('camera covered', blur))).toEqual([]);
  });

  it('detect a shaking camera, not a panning one', () => {
    const shake = observations(10, {
      signals: signals(10, (t, i) => (t >= 4 && t < 7 ? { globalX: i % 4 < 2 ? 0.6 : -0.6 } : {})),
    });
    expect(toRows(answerPrompt('camera shake', shake))).toHaveLength(1);
    const pan = observations(10, { signals: signals(10, (t) => (t >= 4 && t < 7 ? { globalX: -0.5 } : {})) });
    expect(toRows(answerPrompt('camera shake', pan))).toEqual([]);
  });

  it('detect flicker, not a single change of light', () => {
    const video = observations(10, {
      signals: signals(10, (t, i) => ({ luma: t >= 4 && t < 7 && i % 6 < 3 ? 80 : 110 })),
    });
    expect(toRows(answerPrompt('flickering lights', video))).toHaveLength(1);
    const once = observations(10, { signals: signals(10, (t) => ({ luma: t < 5 ? 110 : 80 })) });
    expect(toRows(answerPrompt('flickering lights', once))).toEqual([]);
  });
});

describe('changes of the picture', () => {
  it('finds cuts at the first frame of the new shot, and no motion', () => {
    const video = observations(20, {
      signals: signals(20, (_t, i) => ({ cut: i === 125 ? 90 : i > 200 && i < 260 ? 55 : 1 })),
    });
    const [cut, ...more] = answerPrompt('cuts', video).events;
    expect(more).toEqual([]);
    expect([cut!.startS, cut!.endS]).toEqual([5, 5.04]);
    expect(cut!.evidence.signals).toEqual([{ name: 'content difference', value: 90, threshold: 50, unit: 'of 100' }]);
  });

  it('finds fades, but not hard cuts to black', () => {
    const fade = (t: number) => (t < 4 ? 110 : t < 5 ? 110 - 108 * (t - 4) : t < 6 ? 2 : 110);
    const video = observations(10, { signals: signals(10, (t) => ({ luma: fade(t), dark: fade(t) < 16 ? 1 : 0.02 })) });
    expect(toRows(answerPrompt('fade out', video))).toEqual([
      ['picture fades out to black', 4, expect.closeTo(4.9, 0)],
    ]);
    expect(toRows(answerPrompt('fade in', video))).toEqual([]);
  });

  it('finds light that goes off to a fraction of a second, but not the slow change of a cloud', () => {
    const video = observations(20, { signals: signals(20, (t) => ({ luma: t < 10 ? 110 : 40 })) });
    const [finding] = answerPrompt('when does the light go off?', video).events;
    expect(finding!.startS).toBeCloseTo(10, 0);
    expect(finding!.label).toBe('picture gets dark');
    const cloud = observations(60, { signals: signals(60, (t) => ({ luma: 110 - t / 2 })) });
    expect(toRows(answerPrompt('light changes', cloud))).toEqual([]);
  });

  it('does not mistake a passing object for a change of light', () => {
    const passing = observations(20, { signals: signals(20, (t) => ({ luma: t >= 8 && t < 9.5 ? 60 : 110 })) });
    expect(toRows(answerPrompt('it gets dark', passing))).toEqual([]);
    expect(toRows(answerPrompt('it gets bright', passing))).toEqual([]);
  });

  it('does not mistake an object that stays in front of the camera for a change of light', () => {
    const comes = (contrast: number, localMotion: number) =>
      observations(20, {
        signals: signals(20, (t) => ({
          luma: t < 8 ? 120 : Math.max(70, 120 - 50 * (t - 8)),
          contrast: t < 8 ? 50 : t < 9 ? 50 + (contrast - 50) * (t - 8) : contrast,
          localMotion: t >= 8 && t < 9 ? localMotion : 0,
        })),
      });
    expect(toRows(answerPrompt('it gets dark', comes(70, 0.3)))).toEqual([]);
    // One lamp of two: the shadows are deeper, and nothing moves.
    const dark = ['picture gets dark', 8, expect.closeTo(9, 0)];
    expect(toRows(answerPrompt('it gets dark', comes(70, 0)))).toEqual([dark]);
    expect(toRows(answerPrompt('it gets dark', comes(30, 0.3)))).toEqual([dark]);
  });

  it('does not mistake a fade for a covered lens', () => {
    const light = (t: number) => (t < 8 ? 1 : t < 9 ? 9 - t : t < 11 ? 0 : t < 12 ? t - 11 : 1);
    const fade = observations(20, {
      signals: signals(20, (t) => ({ luma: 110 * light(t), contrast: 50 * light(t), dark: light(t) < 0.2 ? 1 : 0.02 })),
    });
    expect(toRows(answerPrompt('camera covered', fade))).toEqual([]);
  });

  it('has a higher threshold for cuts if frames are seconds apart', () => {
    const slow = observations(60, { signals: signals(60, (_t, i) => ({ cut: i === 30 ? 95 : i === 45 ? 60 : 2 }), 1) });
    expect(toRows(answerPrompt('cuts', slow))).toEqual([['cut to another shot', 30, 31]]);
  });

  it('finds slow dusk at the time when it becomes dark', () => {
    const dusk = observations(60, { signals: signals(60, (t) => ({ luma: 110 - 1.5 * t })) });
    expect(toRows(answerPrompt('it gets dark', dusk))).toEqual([
      ['picture gets dark', expect.closeTo(33, 0), expect.closeTo(33, 0)],
    ]);
  });
});

describe('shots and light', () => {
  it('finds dissolves, also as scene changes, but not fades through black', () => {
    const blend = (t: number) => (t >= 4 && t < 5 ? { dissolve: 100 } : {});
    const video = observations(10, { signals: signals(10, blend) });
    expect(toRows(answerPrompt('dissolves', video))).toEqual([['dissolve into another shot', 4, 5]]);
    expect(toRows(answerPrompt('scene changes', video))).toEqual([['dissolve into another shot', 4, 5]]);
    expect(toRows(answerPrompt('cuts', video))).toEqual([]);
    const black = (t: number) => ({ ...blend(t), ...(t >= 4.4 && t < 4.7 ? { dark: 1, luma: 3 } : {}) });
    expect(toRows(answerPrompt('dissolves', observations(10, { signals: signals(10, black) })))).toEqual([]);
    // Out of a dark shot it is a dissolve.
    const dark = (t: number) => ({ ...blend(t), ...(t < 4.3 ? { dark: 1, luma: 3 } : {}) });
    expect(toRows(answerPrompt('dissolves', observations(10, { signals: signals(10, dark) })))).toHaveLength(1);
  });

  it('finds a flash, which ends at once, but not a lamp that stays on', () => {
    const flash = observations(10, { signals: signals(10, (_t, i) => ({ luma: i === 100 || i === 101 ? 190 : 100 })) });
    expect(toRows(answerPrompt('a camera flash', flash))).toEqual([['flash of light', 4, 4.1]]);
    expect(toRows(answerPrompt('the light goes on', flash))).toEqual([]);
    const lamp = observations(10, { signals: signals(10, (t) => ({ luma: t >= 4 ? 190 : 100 })) });
    expect(toRows(answerPrompt('a camera flash', lamp))).toEqual([]);
  });

  it('finds overexposed frames, and distinguishes lit from dark ones', () => {
    const glare = (t: number) => (t >= 3 && t < 6 ? { bright: 0.5, luma: 170 } : t >= 7 ? { luma: 30 } : {});
    const video = observations(10, { signals: signals(10, glare) });
    expect(toRows(answerPrompt('overexposed', video))).toEqual([['picture is overexposed', 3, 6]]);
    expect(toRows(answerPrompt('daylight', video))).toEqual([['picture is well lit', 0, 7]]);
    expect(toRows(answerPrompt('night', video))).toEqual([['picture is dark', 7, 10]]);
  });

  it('places edges on the frame of the change, not of the smoothed value', () => {
    const video = observations(10, { signals: signals(10, (t) => ({ luma: t >= 3.2 && t < 7.04 ? 4 : 200 })) });
    const [finding] = answerPrompt('dark', video).events;
    expect([finding!.startS, finding!.endS]).toEqual([3.2, 7.04]);
  });

  it('does not mistake a plain road for a covered camera, with or without cars', () => {
    const road = (t: number) => (t % 5 < 3.5 ? { contrast: 11, sharpness: 35 } : {});
    expect(toRows(answerPrompt('camera covered', observations(20, { signals: signals(20, road) })))).toEqual([]);
  });

  it('finds a frozen picture across keyframes that encode it again, but not a still scene', () => {
    const coded = (t: number, i: number) => (t >= 3 && t < 8 ? { difference: i % 50 === 0 ? 0.8 : 0.003 } : {});
    const video = observations(10, { signals: signals(10, coded) });
    expect(toRows(answerPrompt('the picture freezes', video))).toEqual([['picture is frozen', 3, 8]]);
    const still = observations(10, { signals: signals(10, (_t, i) => ({ difference: i % 12 === 0 ? 0.005 : 0.08 })) });
    expect(toRows(answerPrompt('the picture freezes', still))).toEqual([]);
    const halfRate = observations(10, { signals: signals(10, (_t, i) => ({ difference: i % 2 === 0 ? 1.5 : 0 })) });
    expect(toRows(answerPrompt('the picture freezes', halfRate))).toEqual([]);
  });

  it('does not mistake a softer shot of an edited video for blur', () => {
    const edited = observations(20, {
      signals: signals(20, (t, i) => ({ cut: i === 200 ? 90 : 0, sharpness: t >= 8 ? 60 : 400 })),
    });
    expect(toRows(answerPrompt('blurry', edited))).toEqual([]);
  });

  it('finds monochrome frames, and color casts with their color', () => {
    const times = Array.from({ length: 250 }, (_, i) => i / 25);
    const color = (t: number): [number, number, number, number] => (t < 3 ? [90, 90, 90, 0.4] : [40, 130, 50, 90]);
    const video = observations(10, { signals: signalsAt(times, undefined, color) });
    expect(toRows(answerPrompt('night vision', video))).toEqual([['picture has no colors', 0, 3]]);
    const cast = answerPrompt('color cast', video);
    expect(toRows(cast)).toEqual([['picture has a color cast', 3, 10]]);
    expect(JSON.stringify(cast.events)).toContain('towards green');
    expect(toRows(answerPrompt('monochrome', plain))).toEqual([]);
    expect(toRows(answerPrompt('tint', plain))).toEqual([]);
  });

  it('finds a camera that is covered for most of the video', () => {
    const video = observations(20, {
      signals: signals(20, (t) => (t >= 5 ? { contrast: 4, sharpness: 5, luma: 60 } : {})),
    });
    expect(toRows(answerPrompt('is the camera covered?', video))).toEqual([['camera is covered', 5, 20]]);
  });
});

describe('motion', () => {
  const corner = [0, 0, 0, 0.3, 0, 0, 0, 0];
  const video = observations(20, {
    signals: signals(20, (t) => (t >= 5 && t < 9 ? { localMotion: 0.04, regions: corner } : {})),
  });

  it('is found where it is', () => {
    expect(toRows(answerPrompt('something moves', video))).toEqual([
      ['something moves', expect.closeTo(5, 0), expect.closeTo(9, 0)],
    ]);
    expect(toRows(answerPrompt('something moves in the top right corner', video))).toHaveLength(1);
    expect(toRows(answerPrompt('motion on the left', video))).toEqual([]);
  });

  it('finds intervals without motion', () => {
    expect(toRows(answerPrompt('nothing moves', video)).map(([label]) => label)).toEqual([
      'nothing moves',
      'nothing moves',
    ]);
  });
});

describe('without signals', () => {
  it.each(['cuts', 'motion', 'camera pans left', 'dark'])('"%s" is reported as not searched', (prompt) => {
    const answer = answerPrompt(prompt, observations(10));
    expect(answer.events).toEqual([]);
    expect(answer.coverage[0]).toMatchObject({
      status: 'not_looked_for',
      by: [],
      reason: 'frame signals are not available for this video',
    });
  });
});
