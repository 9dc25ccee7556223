import { describe, expect, it } from 'vitest';
import { ask, told } from '../ask.fixture.ts';
import { observations, signals, signalsAt } from './observations.fixture.ts';

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
    const answer = ask(prompt, plain);
    expect(answer.findings).toEqual([]);
    expect(answer.coverage[0]!.status).not.toBe('not_looked_for');
  });

  it.each(['not dark', 'not black', 'no cuts'])('is "%s" from its first frame to its last', (prompt) => {
    expect(told(ask(prompt, plain)).map(([, start, end]) => [start, end])).toEqual([[0, 20]]);
  });
});

describe('states of the picture', () => {
  it('begin and end on frames, and hysteresis keeps a value on the edge from flickering', () => {
    const luma = (t: number) => (t < 4 ? 110 : t < 8 ? 20 : t < 12 ? (Math.round(t * 25) % 2 ? 47 : 57) : 110);
    const findings = told(ask('dark', observations(16, { signals: signals(16, (t) => ({ luma: luma(t) })) })));
    expect(findings).toHaveLength(1);
    const [, start, end] = findings[0]!;
    expect(start).toBeCloseTo(4, 0);
    expect(end).toBeCloseTo(12, 0);
  });

  it('take the edges from presentation times, also at a variable frame rate', () => {
    const times = [...Array(50).keys()].map((i) => i * 0.04).concat([...Array(30).keys()].map((i) => 2 + i * 0.2));
    const video = observations(8, {
      signals: signalsAt(times, (t) => ({ dark: t >= 3.3 && t < 5.3 ? 1 : 0.02, luma: t >= 3.3 && t < 5.3 ? 8 : 110 })),
    });
    const [finding] = ask('black screen', video).findings;
    expect([finding!.startS, finding!.endS]).toEqual([3.4, 5.4]);
    expect([finding!.startPts, finding!.endPts]).toEqual([306_000, 486_000]);
  });

  it('need their least duration', () => {
    const video = observations(10, { signals: signals(10, (t) => ({ luma: t >= 5 && t < 5.3 ? 10 : 110 })) });
    expect(told(ask('dark', video))).toEqual([]);
  });

  it('are limited to the asked duration', () => {
    const black = (t: number) => (t >= 2 && t < 3) || (t >= 6 && t < 9);
    const video = observations(12, { signals: signals(12, (t) => (black(t) ? { dark: 1, luma: 4 } : {})) });
    expect(told(ask('black', video))).toHaveLength(2);
    expect(told(ask('black for more than 2 seconds', video))).toEqual([['picture is black', 6, 9]]);
    expect(told(ask('black for less than 2 seconds', video))).toEqual([['picture is black', 2, 3]]);
  });

  it('tell a frozen picture from a black one', () => {
    const video = observations(12, {
      signals: signals(12, (t) =>
        t >= 2 && t < 5 ? { difference: 0 } : t >= 7 && t < 10 ? { difference: 0, dark: 1, luma: 3 } : {},
      ),
    });
    expect(told(ask('frozen', video))).toEqual([['picture is frozen', 2, 5]]);
  });

  it('tell blur by the usual sharpness, and covering by lost structure', () => {
    const blur = observations(20, { signals: signals(20, (t) => (t >= 8 && t < 12 ? { sharpness: 60 } : {})) });
    expect(told(ask('blurry', blur))[0]).toEqual(['picture is blurred', expect.closeTo(8, 0), expect.closeTo(12, 0)]);
    const hand = observations(20, {
      signals: signals(20, (t) => (t >= 8 && t < 12 ? { contrast: 4, sharpness: 5, luma: 40, dark: 0.3 } : {})),
    });
    expect(told(ask('camera covered', hand))[0]).toEqual([
      'camera is covered',
      expect.closeTo(8, 0),
      expect.closeTo(12, 0),
    ]);
    expect(told(ask('camera covered', blur))).toEqual([]);
  });

  it('see a shaking camera, not a panning one', () => {
    const shake = observations(10, {
      signals: signals(10, (t, i) => (t >= 4 && t < 7 ? { globalX: i % 4 < 2 ? 0.6 : -0.6 } : {})),
    });
    expect(told(ask('camera shake', shake))).toHaveLength(1);
    const pan = observations(10, { signals: signals(10, (t) => (t >= 4 && t < 7 ? { globalX: -0.5 } : {})) });
    expect(told(ask('camera shake', pan))).toEqual([]);
  });

  it('see flicker, not one change of light', () => {
    const video = observations(10, {
      signals: signals(10, (t, i) => ({ luma: t >= 4 && t < 7 && i % 6 < 3 ? 80 : 110 })),
    });
    expect(told(ask('flickering lights', video))).toHaveLength(1);
    const once = observations(10, { signals: signals(10, (t) => ({ luma: t < 5 ? 110 : 80 })) });
    expect(told(ask('flickering lights', once))).toEqual([]);
  });
});

describe('changes of the picture', () => {
  it('finds cuts at the first frame of the new shot, and no motion', () => {
    const video = observations(20, {
      signals: signals(20, (_t, i) => ({ cut: i === 125 ? 90 : i > 200 && i < 260 ? 55 : 1 })),
    });
    const [cut, ...more] = ask('cuts', video).findings;
    expect(more).toEqual([]);
    expect([cut!.startS, cut!.endS]).toEqual([5, 5.04]);
    expect(cut!.evidence.signals).toEqual([{ name: 'content difference', value: 90, threshold: 50, unit: 'of 100' }]);
  });

  it('finds fades, and does not call a hard cut to black one', () => {
    const fade = (t: number) => (t < 4 ? 110 : t < 5 ? 110 - 108 * (t - 4) : t < 6 ? 2 : 110);
    const video = observations(10, { signals: signals(10, (t) => ({ luma: fade(t), dark: fade(t) < 16 ? 1 : 0.02 })) });
    expect(told(ask('fade out', video))).toEqual([['picture fades out to black', 4, expect.closeTo(4.9, 0)]]);
    expect(told(ask('fade in', video))).toEqual([]);
  });

  it('finds when the light goes, within a fraction of a second, and not the slow change of a cloud', () => {
    const video = observations(20, { signals: signals(20, (t) => ({ luma: t < 10 ? 110 : 40 })) });
    const [finding] = ask('when does the light go off?', video).findings;
    expect(finding!.startS).toBeCloseTo(10, 0);
    expect(finding!.label).toBe('picture gets dark');
    const cloud = observations(60, { signals: signals(60, (t) => ({ luma: 110 - t / 2 })) });
    expect(told(ask('light changes', cloud))).toEqual([]);
  });

  it('does not take something that passes for a change of light', () => {
    const passing = observations(20, { signals: signals(20, (t) => ({ luma: t >= 8 && t < 9.5 ? 60 : 110 })) });
    expect(told(ask('it gets dark', passing))).toEqual([]);
    expect(told(ask('it gets bright', passing))).toEqual([]);
  });

  it('does not take what comes to stay before the camera for a change of light', () => {
    const comes = (contrast: number, localMotion: number) =>
      observations(20, {
        signals: signals(20, (t) => ({
          luma: t < 8 ? 120 : Math.max(70, 120 - 50 * (t - 8)),
          contrast: t < 8 ? 50 : t < 9 ? 50 + (contrast - 50) * (t - 8) : contrast,
          localMotion: t >= 8 && t < 9 ? localMotion : 0,
        })),
      });
    expect(told(ask('it gets dark', comes(70, 0.3)))).toEqual([]);
    // One lamp of two: the shadows are deeper, and nothing moves.
    const dark = ['picture gets dark', 8, expect.closeTo(9, 0)];
    expect(told(ask('it gets dark', comes(70, 0)))).toEqual([dark]);
    expect(told(ask('it gets dark', comes(30, 0.3)))).toEqual([dark]);
  });

  it('does not take a fade for a hand on the lens', () => {
    const light = (t: number) => (t < 8 ? 1 : t < 9 ? 9 - t : t < 11 ? 0 : t < 12 ? t - 11 : 1);
    const fade = observations(20, {
      signals: signals(20, (t) => ({ luma: 110 * light(t), contrast: 50 * light(t), dark: light(t) < 0.2 ? 1 : 0.02 })),
    });
    expect(told(ask('camera covered', fade))).toEqual([]);
  });

  it('asks more of a cut where frames are seconds apart', () => {
    const slow = observations(60, { signals: signals(60, (_t, i) => ({ cut: i === 30 ? 95 : i === 45 ? 60 : 2 }), 1) });
    expect(told(ask('cuts', slow))).toEqual([['cut to another shot', 30, 31]]);
  });

  it('finds dusk, which is slow, where it becomes dark', () => {
    const dusk = observations(60, { signals: signals(60, (t) => ({ luma: 110 - 1.5 * t })) });
    expect(told(ask('it gets dark', dusk))).toEqual([
      ['picture gets dark', expect.closeTo(33, 0), expect.closeTo(33, 0)],
    ]);
  });
});

describe('shots and light', () => {
  it('finds dissolves, as changes of scene too, and not where the picture fades over black', () => {
    const blend = (t: number) => (t >= 4 && t < 5 ? { dissolve: 100 } : {});
    const video = observations(10, { signals: signals(10, blend) });
    expect(told(ask('dissolves', video))).toEqual([['dissolve into another shot', 4, 5]]);
    expect(told(ask('scene changes', video))).toEqual([['dissolve into another shot', 4, 5]]);
    expect(told(ask('cuts', video))).toEqual([]);
    const black = (t: number) => ({ ...blend(t), ...(t >= 4.4 && t < 4.7 ? { dark: 1, luma: 3 } : {}) });
    expect(told(ask('dissolves', observations(10, { signals: signals(10, black) })))).toEqual([]);
    // Out of a dark shot it is a dissolve.
    const dark = (t: number) => ({ ...blend(t), ...(t < 4.3 ? { dark: 1, luma: 3 } : {}) });
    expect(told(ask('dissolves', observations(10, { signals: signals(10, dark) })))).toHaveLength(1);
  });

  it('finds a flash, which is gone at once, and no lamp, which stays', () => {
    const flash = observations(10, { signals: signals(10, (_t, i) => ({ luma: i === 100 || i === 101 ? 190 : 100 })) });
    expect(told(ask('a camera flash', flash))).toEqual([['flash of light', 4, 4.1]]);
    expect(told(ask('the light goes on', flash))).toEqual([]);
    const lamp = observations(10, { signals: signals(10, (t) => ({ luma: t >= 4 ? 190 : 100 })) });
    expect(told(ask('a camera flash', lamp))).toEqual([]);
  });

  it('finds an overexposed picture, and tells a lit one from a dark one', () => {
    const glare = (t: number) => (t >= 3 && t < 6 ? { bright: 0.5, luma: 170 } : t >= 7 ? { luma: 30 } : {});
    const video = observations(10, { signals: signals(10, glare) });
    expect(told(ask('overexposed', video))).toEqual([['picture is overexposed', 3, 6]]);
    expect(told(ask('daylight', video))).toEqual([['picture is well lit', 0, 7]]);
    expect(told(ask('night', video))).toEqual([['picture is dark', 7, 10]]);
  });

  it('moves edges to the frame at which it happened, not where the evened out value says', () => {
    const video = observations(10, { signals: signals(10, (t) => ({ luma: t >= 3.2 && t < 7.04 ? 4 : 200 })) });
    const [finding] = ask('dark', video).findings;
    expect([finding!.startS, finding!.endS]).toEqual([3.2, 7.04]);
  });

  it('does not take a flat road with its grain for a covered camera, be there cars on it or not', () => {
    const road = (t: number) => (t % 5 < 3.5 ? { contrast: 11, sharpness: 35 } : {});
    expect(told(ask('camera covered', observations(20, { signals: signals(20, road) })))).toEqual([]);
  });

  it('tells a frozen picture through keyframes that code it anew, and no still scene', () => {
    const coded = (t: number, i: number) => (t >= 3 && t < 8 ? { difference: i % 50 === 0 ? 0.8 : 0.003 } : {});
    const video = observations(10, { signals: signals(10, coded) });
    expect(told(ask('the picture freezes', video))).toEqual([['picture is frozen', 3, 8]]);
    const still = observations(10, { signals: signals(10, (_t, i) => ({ difference: i % 12 === 0 ? 0.005 : 0.08 })) });
    expect(told(ask('the picture freezes', still))).toEqual([]);
    const halfRate = observations(10, { signals: signals(10, (_t, i) => ({ difference: i % 2 === 0 ? 1.5 : 0 })) });
    expect(told(ask('the picture freezes', halfRate))).toEqual([]);
  });

  it('does not take a softer shot of a film for blur', () => {
    const film = observations(20, {
      signals: signals(20, (t, i) => ({ cut: i === 200 ? 90 : 0, sharpness: t >= 8 ? 60 : 400 })),
    });
    expect(told(ask('blurry', film))).toEqual([]);
  });

  it('finds a picture without colours, and one with a cast of which it names the colour', () => {
    const times = Array.from({ length: 250 }, (_, i) => i / 25);
    const color = (t: number): [number, number, number, number] => (t < 3 ? [90, 90, 90, 0.4] : [40, 130, 50, 90]);
    const video = observations(10, { signals: signalsAt(times, undefined, color) });
    expect(told(ask('night vision', video))).toEqual([['picture has no colours', 0, 3]]);
    const cast = ask('colour cast', video);
    expect(told(cast)).toEqual([['picture has a colour cast', 3, 10]]);
    expect(JSON.stringify(cast.findings)).toContain('towards green');
    expect(told(ask('monochrome', plain))).toEqual([]);
    expect(told(ask('tint', plain))).toEqual([]);
  });

  it('finds a camera that is covered for the most part of the video', () => {
    const video = observations(20, {
      signals: signals(20, (t) => (t >= 5 ? { contrast: 4, sharpness: 5, luma: 60 } : {})),
    });
    expect(told(ask('is the camera covered?', video))).toEqual([['camera is covered', 5, 20]]);
  });
});

describe('motion', () => {
  const corner = [0, 0, 0, 0.3, 0, 0, 0, 0];
  const video = observations(20, {
    signals: signals(20, (t) => (t >= 5 && t < 9 ? { localMotion: 0.04, regions: corner } : {})),
  });

  it('is found where it is', () => {
    expect(told(ask('something moves', video))).toEqual([
      ['something moves', expect.closeTo(5, 0), expect.closeTo(9, 0)],
    ]);
    expect(told(ask('something moves in the top right corner', video))).toHaveLength(1);
    expect(told(ask('motion on the left', video))).toEqual([]);
  });

  it('says where nothing moves', () => {
    expect(told(ask('nothing moves', video)).map(([label]) => label)).toEqual(['nothing moves', 'nothing moves']);
  });
});

describe('without signals', () => {
  it.each(['cuts', 'motion', 'camera pans left', 'dark'])('"%s" is not looked for, and that is said', (prompt) => {
    const answer = ask(prompt, observations(10));
    expect(answer.findings).toEqual([]);
    expect(answer.coverage[0]).toMatchObject({
      status: 'not_looked_for',
      by: [],
      reason: expect.stringContaining('not observed'),
    });
  });
});
