import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../answer.fixture.ts';
import { CLASSES } from '../../observe/objects/index.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';

const LENGTH_S = 80;

/** Confidence of the only match for a class, and why. */
function matchOf(className: string, ...tracks: TrackSpec[]) {
  const seen = { ...objects(LENGTH_S, tracks), classes: [...CLASSES] };
  const scene = observations(LENGTH_S, { signals: signals(LENGTH_S), objects: seen });
  const { events, candidates } = answerPrompt(`a ${className}`, scene);
  const [match] = [...events, ...candidates];
  return { confidence: match!.confidence, isEvent: events.length > 0, why: match!.explanation };
}

const track = (className: string, part: Partial<TrackSpec> = {}): TrackSpec => ({
  className,
  from: 0,
  to: 10,
  at: line(0, [0.3, 0.5], 10, [0.6, 0.5]),
  score: 0.5,
  ...part,
});
const walker = (at: TrackSpec['at']) => track('person', { at, size: () => [0.1, 0.4], score: 0.85 });

describe('classes', () => {
  it('needs more evidence for a class that is rare than for one that is frequent', () => {
    const [person, bowl, oven] = ['person', 'bowl', 'oven'].map((name) => matchOf(name, track(name)).confidence);
    expect(oven).toBeLessThan(person!);
    expect(oven).toBeLessThan(bowl!);
  });

  it('is less certain the more detections in the place have another class', () => {
    const [all, most, few] = [1, 0.8, 0.4].map((agreement) => matchOf('cup', track('cup', { agreement })));
    expect(most!.confidence).toBeLessThan(all!.confidence);
    expect(few!.confidence).toBeLessThan(most!.confidence);
    expect(few!.why).toContain('for other classes, too');
    expect(all!.why).not.toContain('for other classes, too');
  });
});

describe('place and shape', () => {
  it('takes the corner of a window that is in view for more than a minute for a candidate, not for a television', () => {
    const corner = track('tv', { to: 77, at: still(0.03, 0.15), size: () => [0.06, 0.3], score: 0.4 });
    const { isEvent, why } = matchOf('tv', corner);
    expect(isEvent).toBe(false);
    expect(why).toContain('a frame edge always cuts it');
    const inside = matchOf('tv', { ...corner, at: still(0.5, 0.3), score: 0.75 });
    expect(inside.isEvent).toBe(true);
  });

  it('keeps people and cars that enter over an edge or stand there', () => {
    for (const name of ['person', 'car']) {
      const inside = matchOf(name, track(name, { at: still(0.5, 0.5), size: () => [0.1, 0.2] }));
      const atEdge = matchOf(name, track(name, { at: still(0.05, 0.5), size: () => [0.1, 0.2] }));
      expect(atEdge.confidence).toBe(inside.confidence);
    }
  });

  it('doubts a person that is wider than tall, such as an arm of a machine', () => {
    const upright = matchOf('person', track('person', { size: () => [0.2, 0.5] }));
    const wide = matchOf('person', track('person', { size: () => [0.6, 0.5] }));
    expect(wide.confidence).toBeLessThan(upright.confidence);
    expect(wide.why).toContain('wider than it is tall');
  });

  it('doubts a bird that keeps still to the pixel', () => {
    const flying = matchOf('bird', track('bird'));
    const leaf = matchOf('bird', track('bird', { at: still(0.5, 0.5) }));
    expect(leaf.confidence).toBeLessThan(flying.confidence);
    expect(leaf.why).toContain('it never moved');
  });

  it('doubts a stop sign that is blue, but not one without colors', () => {
    const signOf = (colors: TrackSpec['colors']) => matchOf('stop sign', track('stop sign', { colors }));
    const [red, gray, blue] = [
      [['red', 0.5]],
      [['gray', 0.9]],
      [
        ['blue', 0.4],
        ['red', 0.2],
      ],
    ].map((colors) => signOf(colors as TrackSpec['colors']));
    expect(blue!.confidence).toBeLessThan(red!.confidence);
    expect(gray!.confidence).toBe(red!.confidence);
  });
});

describe('other tracks', () => {
  it('doubts a person who is larger than the cars in front', () => {
    const car = track('car', { at: still(0.3, 0.8), size: () => [0.1, 0.1], score: 0.85 });
    const person = (size: [number, number]) =>
      matchOf('person', track('person', { at: still(0.6, 0.7), size: () => size }), car);
    const [plausible, tower] = [person([0.03, 0.1]), person([0.1, 0.3])];
    expect(tower.confidence).toBeLessThan(plausible.confidence);
    expect(tower.why).toContain('its size does not fit');
  });

  it('lets what is closer be larger, and what is farther away be smaller', () => {
    const car = track('car', { at: still(0.3, 0.5), size: () => [0.1, 0.1], score: 0.85 });
    const closer = matchOf('person', track('person', { at: still(0.6, 0.7), size: () => [0.15, 0.5] }), car);
    const farther = matchOf('person', track('person', { at: still(0.6, 0.3), size: () => [0.01, 0.02] }), car);
    expect(closer.why + farther.why).not.toContain('its size does not fit');
  });

  it('doubts a ball on the shoulders of a person, but not one in the hands', () => {
    const way = line(0, [0.3, 0.6], 10, [0.7, 0.6]);
    const ball = (dy: number) =>
      track('sports ball', { at: (t) => [way(t)[0], way(t)[1] + dy], size: () => [0.05, 0.08], score: 0.5 });
    const [helmet, held] = [-0.16, 0.02].map((dy) => matchOf('sports ball', ball(dy), walker(way)));
    expect(helmet!.isEvent).toBe(false);
    expect(helmet!.why).toContain('the head of a person');
    expect(held!.confidence).toBeGreaterThan(helmet!.confidence);
  });
});
