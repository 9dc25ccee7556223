import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';
import { video } from '../tracks.fixture.ts';

/** Changes from one size to another between two times. The frame is 16:9, so an upright box is narrow. */
const grows =
  (from: number, to: number, [w0, h0]: [number, number], [w1, h1]: [number, number]) =>
  (t: number): [number, number] => {
    const k = Math.max(0, Math.min(1, (t - from) / (to - from)));
    return [w0 + (w1 - w0) * k, h0 + (h1 - h0) * k];
  };
const UPRIGHT: [number, number] = [0.06, 0.3];

/** A person who stands at 80 % of the height of the frame, and changes shape between two times. */
function person(from: number, to: number, shape: [number, number], more: Partial<TrackSpec> = {}): TrackSpec {
  const size = grows(from, to, UPRIGHT, shape);
  return { className: 'person', from: 0, to: 10, at: (t) => [0.5, 0.8 - size(t)[1] / 2], size, ...more };
}

const faller = person(4, 4.8, [0.15, 0.08]);
const sitter = person(4, 5.5, [0.07, 0.22]);

/** The word that the answer begins with, and the number of candidates. */
const ask = (prompt: string, ...tracks: TrackSpec[]) => {
  const { answer, events, candidates } = answerPrompt(prompt, video(10, ...tracks));
  expect(events).toEqual([]);
  return [answer!.split(/[:,.]/)[0], candidates.length];
};

/** No fall is ruled out: the detector loses most people who lie. */
describe('postures of people', () => {
  it.each([
    ['does anyone fall', faller, ['Not certain', 1]],
    ['does anyone fall', sitter, ['Not certain', 0]],
    ['did he fall down', person(0, 1, UPRIGHT), ['Not certain', 0]],
    // Falls towards the camera: the box becomes low and hardly wider.
    ['did someone collapse', person(4, 5, [0.07, 0.15]), ['Not certain', 1]],
    // Slower than a fall.
    ['does anyone fall', person(2, 9, [0.1, 0.16]), ['Not certain', 0]],
    ['is someone sitting down', sitter, ['Not certain', 1]],
    ['is someone sitting down', person(0, 1, UPRIGHT), ['No', 0]],
    ['does anyone crouch', sitter, ['Not certain', 1]],
    ['does anyone stand up', sitter, ['No', 0]],
    ['is someone lying on the floor', faller, ['Not certain', 1]],
    ['is someone lying on the floor', sitter, ['Not certain', 0]],
  ])('%s', (prompt, track, expected) => {
    expect(ask(prompt, track)).toEqual(expected);
  });

  it('finds somebody who stands up', () => {
    const size = grows(4, 5, [0.07, 0.22], UPRIGHT);
    const riser: TrackSpec = { className: 'person', from: 0, to: 10, at: (t) => [0.5, 0.8 - size(t)[1] / 2], size };
    expect(ask('does anyone get up', riser)).toEqual(['Not certain', 1]);
    expect(ask('does anyone fall', riser)).toEqual(['Not certain', 0]);
  });

  it('does not take distance, what hides the legs, or a frame edge for a fall', () => {
    const leaving: TrackSpec = {
      ...person(0, 1, UPRIGHT),
      at: still(0.5, 0.6),
      size: grows(4, 5.5, UPRIGHT, [0.03, 0.15]),
    };
    // Behind a table: the upper edge stays.
    const hidden: TrackSpec = { ...faller, at: (t) => [0.5, 0.5 + grows(4, 4.8, UPRIGHT, [0.06, 0.15])(t)[1] / 2] };
    const hiddenSize = { ...hidden, size: grows(4, 4.8, UPRIGHT, [0.06, 0.15]) };
    const cut: TrackSpec = {
      ...person(4, 4.8, [0.06, 0.15]),
      at: (t) => [0.5, 1 - grows(4, 4.8, UPRIGHT, [0.06, 0.15])(t)[1] / 2],
    };
    for (const track of [leaving, hiddenSize, cut]) expect(ask('does anyone fall', track)).toEqual(['Not certain', 0]);
  });

  it('needs people who are seen from the side, and a detector that finds them', () => {
    const above = person(4, 5, [0.05, 0.1], { size: () => [0.08, 0.12] });
    expect(ask('does anyone fall', above)[0]).toBe('Not known for "anyone fall"');
    const dark = observations(10, {
      signals: signals(10, () => ({ luma: 20 })),
      objects: objects(10, [{ ...person(0, 1, UPRIGHT), at: line(0, [0.2, 0.5], 10, [0.8, 0.5]) }]),
    });
    expect(answerPrompt('does anyone fall', dark).answer).toMatch(/^Not certain/);
  });

  it('states what was looked for', () => {
    const { interpretation, coverage, candidates } = answerPrompt('does anyone fall', video(10, faller));
    expect(interpretation).toBe('Understood as: a person that falls; whether it happens.');
    expect(coverage[0]).toMatchObject({
      status: 'partly',
      reason: expect.stringContaining('bending and sitting down'),
    });
    expect(candidates[0]).toMatchObject({ confidence: expect.closeTo(0.4, 0), startS: expect.closeTo(4, 0) });
  });
});
