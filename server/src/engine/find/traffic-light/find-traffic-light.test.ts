import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { type Frame, objects, observations, signals, still, type TrackSpec } from '../observations.fixture.ts';

const driving: Frame = { advance: 0.1, zoom: 0.05, localMotion: 0.15 };
/** A drive of 60 s that stands from 10 s to 44 s. */
const frames = (t: number): Frame => (t < 10 || t >= 44 ? driving : {});

const light = (spec: Partial<TrackSpec>): TrackSpec => ({
  className: 'traffic light',
  from: 5,
  to: 50,
  at: still(0.6, 0.2),
  size: () => [0.03, 0.12],
  ...spec,
});
const drive = (...lights: TrackSpec[]) =>
  observations(60, { signals: signals(60, frames, 5), objects: objects(60, lights) });

const seconds = (value: number) => expect.closeTo(value, 0) as number;

describe('the lit lamp of a traffic light', () => {
  const scene = drive(
    light({
      lit: [
        ['green', 5, 12],
        ['yellow', 12, 15],
        ['red', 15, 40],
        ['green', 40, 50],
      ],
    }),
  );

  it.each([
    ['the light is red', [['red traffic light', seconds(15), seconds(40)]]],
    [
      'green light',
      [
        ['green traffic light', seconds(5), seconds(12)],
        ['green traffic light', seconds(40), seconds(50)],
      ],
    ],
    ['the light turns green', [['traffic light turns green', seconds(40), seconds(40)]]],
    [
      'the traffic light changes',
      [
        ['traffic light turns yellow', seconds(12), seconds(12)],
        ['traffic light turns red', seconds(15), seconds(15)],
        ['traffic light turns green', seconds(40), seconds(40)],
      ],
    ],
    [
      'the light turns red, then the light turns green',
      [['traffic light turns red, then traffic light turns green', seconds(15), seconds(40)]],
    ],
    ['red light for more than 30 seconds', []],
    ['red light for more than 20 seconds', [['red traffic light', seconds(15), seconds(40)]]],
  ])('%s', (prompt, expected) => {
    expect(toRows(answerPrompt(prompt, scene))).toEqual(expected);
  });

  it('answers questions', () => {
    expect(answerPrompt('how long was the light red', scene).answer).toMatch(/^25 s in all, in 1 interval/);
    expect(answerPrompt('when does the light turn green', scene).answer).toMatch(/^At 0:40/);
    expect(answerPrompt('what color is the traffic light', scene).answer).toMatch(
      /^Green 0:05.* yellow .* red .* green/,
    );
  });

  it('is one event for the lights of one crossing', () => {
    const crossing = drive(
      light({
        lit: [
          ['red', 10, 30],
          ['green', 30, 50],
        ],
      }),
      light({
        at: still(0.2, 0.2),
        lit: [
          ['red', 11, 30.6],
          ['green', 30.6, 48],
        ],
      }),
    );
    expect(toRows(answerPrompt('the light turns green', crossing))).toHaveLength(1);
    const { events } = answerPrompt('red light', crossing);
    expect(events.map(({ evidence }) => evidence.tracks.length)).toEqual([2]);
  });

  it('is not known of small lights, which coverage says', () => {
    const { coverage, events } = answerPrompt('the light is red', drive(light({ size: () => [0.008, 0.03], lit: [] })));
    expect(events).toEqual([]);
    expect(coverage[0]!.status).toBe('partly');
    expect(coverage[0]!.reason).toContain('the color of 1 of 1 traffic lights is not known: 1 is too small');
    expect(answerPrompt('the light is red', drive(light({ lit: [] }))).coverage[0]!.reason).toContain('no lit lamp');
  });
});

describe('the recording vehicle at a red light', () => {
  const wait = 'how long did we wait at the red light';

  it('waits until it turns green', () => {
    const { answer, events } = answerPrompt(
      wait,
      drive(
        light({
          lit: [
            ['red', 8, 40],
            ['green', 40, 50],
          ],
        }),
      ),
    );
    expect(answer).toMatch(/^30 s in all/);
    expect(events[0]!.label).toBe('recording vehicle stands at a red traffic light');
  });

  it('waits while nothing else is seen of the light', () => {
    expect(answerPrompt(wait, drive(light({ lit: [['red', 20, 30]] }))).answer).toMatch(/^34 s in all/);
  });

  it('does not wait at a green light', () => {
    expect(answerPrompt(wait, drive(light({ lit: [['green', 8, 50]] }))).events).toEqual([]);
  });

  it('may have waited where no lamp is recognized, if the prompt presumes the light', () => {
    const { answer, events } = answerPrompt(wait, drive());
    expect(answer).toMatch(/^34 s in all/);
    expect(events[0]!.caveats.join()).toContain('not confirmed');
    const open = answerPrompt('did we wait at a red light', drive());
    expect(open.events).toEqual([]);
    expect(open.candidates).toHaveLength(1);
    expect(open.answer).toMatch(/^Not certain/);
  });

  it('did not wait if it never stood', () => {
    const moving = observations(60, { signals: signals(60, () => driving, 5), objects: objects(60, []) });
    expect(answerPrompt('did we wait at a red light', moving).answer).toMatch(/^No:/);
  });

  const leaving = (color: 'red' | 'green') =>
    light({
      from: 46,
      to: 52,
      at: (t) => [0.6 + (t - 46) * 0.065, 0.2],
      leftTo: 'right',
      lit: [[color, 46, 52]],
    });

  it('may run it if it leaves the frame while the vehicle moves: never more than a candidate', () => {
    const { answer, events, candidates, coverage } = answerPrompt('did we run a red light', drive(leaving('red')));
    expect(events).toEqual([]);
    expect(candidates.map(({ label, confidence }) => [label, confidence <= 0.3])).toEqual([
      ['recording vehicle may pass a red traffic light', true],
    ]);
    expect(answer).toMatch(/^Not certain/);
    expect(coverage[0]!.reason).toContain('only a candidate');
    expect(answerPrompt('did we run a red light', drive(leaving('green'))).candidates).toEqual([]);
  });

  it('does not run it where it stands, and is not known of other vehicles', () => {
    const standing = light({ from: 20, to: 30, leftTo: 'right', lit: [['red', 20, 30]] });
    expect(answerPrompt('did we run a red light', drive(standing)).candidates).toEqual([]);
    const fixed = observations(60, { signals: signals(60, () => ({}), 5), objects: objects(60, [leaving('red')]) });
    expect(answerPrompt('did we run a red light', fixed).coverage[0]!.status).toBe('not_looked_for');
  });
});
