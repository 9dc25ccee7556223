import { describe, expect, it } from 'vitest';
import { answerPrompt } from '../../../answer.fixture.ts';
import { line, objects, observations, signals, still, type TrackSpec } from '../../observations.fixture.ts';

/** A drive that stands still between two times. */
const drive = (standing: [number, number] | null, ...tracks: TrackSpec[]) =>
  observations(12, {
    signals: signals(12, (t) =>
      standing && t >= standing[0] && t < standing[1] ? {} : { advance: 0.1, localMotion: 0.2, difference: 5 },
    ),
    objects: objects(12, tracks, 10),
  });
const size = (): [number, number] => [0.12, 0.12];
/** From the right into the middle ahead. */
const cutter: TrackSpec = { className: 'car', from: 0, to: 12, at: line(4, [0.8, 0.6], 6, [0.52, 0.6]), size };
const ahead: TrackSpec = { className: 'truck', from: 0, to: 12, at: still(0.5, 0.6), size: () => [0.35, 0.35] };

const ask = (prompt: string, footage: ReturnType<typeof observations>) => {
  const { answer, events, candidates } = answerPrompt(prompt, footage);
  expect(events).toEqual([]);
  return [answer!.split(/[:,.(]/)[0]!.trim(), candidates.length];
};

describe('vehicles ahead of the recording one', () => {
  it.each([
    ['does a car cut in front of us', drive(null, cutter), ['Not certain', 1]],
    ['did a car cut in', drive(null, { ...cutter, at: still(0.8, 0.6) }), ['No', 0]],
    // It crosses ahead, to the other side.
    ['did a car cut in', drive(null, { ...cutter, at: line(4, [0.9, 0.6], 5.2, [0.1, 0.6]) }), ['No', 0]],
    // Far ahead.
    ['did a car cut in', drive(null, { ...cutter, size: () => [0.07, 0.12] }), ['No', 0]],
    ['does a truck block our way', drive([4, 8], ahead), ['Not certain', 1]],
    // Nothing is in the way of a vehicle that never stands, though few trucks are found.
    ['does a truck block our way', drive(null, ahead), ['No', 0]],
    ['does a truck block our way', drive([4, 8]), ['Not certain', 0]],
    ['does a car block our way', drive([4, 8], cutter), ['No', 0]],
  ])('%s (%#)', (prompt, footage, expected) => {
    expect(ask(prompt, footage)).toEqual(expected);
  });

  it('needs footage from a vehicle', () => {
    const fixed = observations(12, { signals: signals(12), objects: objects(12, [cutter], 10) });
    expect(answerPrompt('did a car cut in', fixed).answer).toMatch(/^Not known.*not recorded from a moving vehicle/);
  });
});
