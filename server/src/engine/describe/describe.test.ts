import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../answer.fixture.ts';
import { line, objects, observations, signals, sound, still, type TrackSpec } from '../find/observations.fixture.ts';

/** Trucks are found so rarely that "not found" is not certain. */
const TRUCKS = ' Note: the detector finds about 4 in 10 medium-sized trucks, and fewer small ones.';

const red: TrackSpec = {
  className: 'car',
  from: 4,
  to: 8,
  at: line(4, [0.05, 0.6], 8, [0.95, 0.6]),
  colors: [['red', 0.45]],
  enteredFrom: 'left',
  leftTo: 'right',
};
const white: TrackSpec = {
  ...red,
  from: 6,
  to: 12,
  at: line(6, [0.95, 0.3], 12, [0.05, 0.3]),
  colors: [['white', 0.5]],
  enteredFrom: 'right',
  leftTo: 'left',
};
const person: TrackSpec = {
  className: 'person',
  from: 10,
  to: 18,
  at: still(0.15, 0.8),
  size: () => [0.05, 0.2],
  stationary: [[10, 18]],
};
const street = observations(20, {
  signals: signals(20, (_t, i) => (i === 400 ? { cut: 80 } : {})),
  sound: sound(20, () => -40),
  objects: objects(20, [red, white, person]),
});

describe('an event', () => {
  it('has the evidence for a check by a person', () => {
    const [finding] = answerPrompt('a red car enters', street).events;
    expect(finding).toMatchObject({
      startS: 4,
      startPts: 360_000,
      timeBase: [1, 90_000],
      label: 'red car enters from the left',
      category: 'object',
      severity: 'low',
      explanation: expect.stringMatching(
        /^Car 1: first seen at the left edge at 4 s; .*45 % of its pixels.*score 0\.70 over 21 detections\.$/,
      ),
    });
    const { frames, tracks } = finding!.evidence;
    expect(frames.map((f) => f.role)).toEqual(['best', 'last']);
    expect(frames[0]!.boxes).toEqual([{ x: 0.01, y: 0.54, width: 0.08, height: 0.12, label: 'red car' }]);
    expect(tracks).toEqual([{ id: 1, className: 'car', color: 'red', path: expect.arrayContaining([[4, 0.05, 0.6]]) }]);
  });

  it('has the track id on each of several boxes', () => {
    const [finding] = answerPrompt('two cars', street).events;
    const best = finding!.evidence.frames.find(({ role }) => role === 'best')!;
    expect(best.boxes.map(({ label }) => label)).toEqual(['red car 1', 'white car 2']);
  });

  it('includes the frame before a cut', () => {
    const [finding] = answerPrompt('a cut', street).events;
    expect(finding).toMatchObject({ startS: 16 });
    expect(finding!.evidence.frames.map(({ role, timeS }) => [role, timeS])).toEqual([
      ['first', 15.96],
      ['best', 16],
      ['last', 16.04],
    ]);
  });

  it('includes the best frame of each step of a sequence, and names the object once', () => {
    const walks: TrackSpec = {
      className: 'person',
      from: 2,
      to: 12,
      at: (t) => [t < 6 ? 0.1 + 0.15 * (t - 2) : 0.7, 0.6],
      size: (t) => (t < 8 ? [0.05, 0.2] : [0.06, 0.25]),
      stationary: [[6, 12]],
    };
    const yard = observations(14, { signals: signals(14), objects: objects(14, [walks]) });
    const [finding] = answerPrompt('a person walks, then stands still', yard).events;
    expect(finding!.label).toBe('person moves to the right, then stands still for 6 s');
    const { frames } = finding!.evidence;
    expect(frames.filter(({ role }) => role === 'best')).toHaveLength(2);
    expect(frames.map(({ timeS }) => timeS)).toEqual(frames.map(({ timeS }) => timeS).toSorted((a, b) => a - b));
  });

  it('is reported once, even if several parts of the prompt ask for it', () => {
    expect(
      answerPrompt('a red car enters, vehicles entering from the left', street).events.filter((f) => f.startS === 4),
    ).toHaveLength(1);
  });

  it('has a label for an absence in singular and plural', () => {
    const labelOf = (prompt: string) =>
      answerPrompt(prompt, street).events.find(({ label }) => label.includes(' no '))?.label;
    expect(labelOf('a person without bags')).toBe('person with no bags');
    expect(labelOf('a person without a dog')).toBe('person with no dog');
    expect(answerPrompt('nobody is there', street).events[0]!.label).toBe('nobody in view');
    expect(answerPrompt('no people', street).events[0]!.label).toBe('no people in view');
  });

  it('has counts, colors and directions in its label as the prompt requests them', () => {
    const first = (prompt: string) => answerPrompt(prompt, street).events[0]?.label;
    expect(toRows(answerPrompt('never more than 1 car', street))).toEqual([
      ['fewer than 2 cars in view', 0, expect.closeTo(5.8, 1)],
      ['fewer than 2 cars in view', expect.closeTo(8.2, 1), expect.closeTo(19.8, 1)],
    ]);
    expect(answerPrompt('a person enters while nobody else is there', street).interpretation).toContain(
      'fewer than 2 people in view',
    );
    expect(first('no trucks enter')).toBe('no trucks enter');
    // Not "car enters from the left", which was not asked.
    expect(first('a car on the left')).toMatch(/^(red )?car in the left part of the picture$/);
    expect(first('two red or white cars')).toBe('2 red and white cars in view');
    expect(first('the camera does not pan left')).toBe('camera does not pan left');
  });

  it('is sorted by time', () => {
    const starts = answerPrompt('what happens here?', street).events.map((f) => f.startS);
    expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    expect(starts.length).toBeGreaterThan(3);
  });
});

describe('questions', () => {
  it.each([
    [
      'how many cars?',
      '2 cars, at most 2 at the same time (0:06.0), 0.5 on average. Each is one track; an object that was lost and found again counts twice.',
    ],
    [
      'how many vehicles and people?',
      '2 cars ("vehicles"), at most 2 at the same time (0:06.0), 0.5 on average. 1 person ("people"), at most 1 at the same time (0:10.0), 0.4 on average. Each is one track; an object that was lost and found again counts twice.',
    ],
    ['how many trucks are there?', `Not certain: it was looked for and not found.${TRUCKS}`],
    [
      'how many cars enter?',
      '2 cars: at 0:04.0 and at 0:06.0. Each is one track; an object that was lost and found again counts twice.',
    ],
    ['how often does a car enter?', '2 times: at 0:04.0 and at 0:06.0.'],
    ['when does the last car enter?', 'At 0:06.0.'],
    ['how many cuts?', '1: at 0:16.0.'],
    [
      'is there a car or a dog?',
      'Yes for "car", no for "dog": red car comes in from the left and leaves to the right, 0:04.0 to 0:08.0 (confidence 0.97), and 1 more. Note: the detector finds about 6 in 10 medium-sized dogs, and fewer small ones.',
    ],
    [
      'is there a bus or a cat?',
      'No: "bus" and "cat" were looked for and not found. Note: the detector finds about 6 in 10 medium-sized cats, and fewer small ones.',
    ],
    [
      'is there a car or a person?',
      'Yes: red car comes in from the left and leaves to the right, 0:04.0 to 0:08.0 (confidence 0.97), and 1 more; person in view, 0:10.0 to 0:18.0 (confidence 0.97).',
    ],
    [
      'does the car come in from the left or from the right?',
      'Both: red car enters from the left, at 0:04.0 (confidence 0.97); white car enters from the right, at 0:06.0 (confidence 0.97).',
    ],
    [
      'is there a truck or a cat?',
      `No for "cat": looked for and not found. Not certain for "truck": looked for and not found.${TRUCKS.slice(0, -1)}; the detector finds about 6 in 10 medium-sized cats, and fewer small ones.`,
    ],
    [
      'is there a child or an elephant?',
      'Not certain for "child": person in view, 0:10.0 to 0:18.0 (confidence 0.78). Not known for "elephant": the object detector does not know the class elephant. Note: "child": the detector knows persons, not their age, sex, role or intent: any person counts.',
    ],
    ['is anyone there?', 'Yes: person in view, 0:10.0 to 0:18.0 (confidence 0.97).'],
    ['is there a truck?', `Not certain: it was looked for and not found.${TRUCKS}`],
    [
      'is the road empty?',
      'Yes: no person, vehicle or pet in view, 0:00.0 to 0:03.8 (confidence 0.64), and 1 more. Note: "road": places such as this one are not recognized.',
    ],
    ['when does a person appear?', '0:10.0 to 0:11.0.'],
    ['when does it get dark?', 'Never: it was looked for and not found.'],
    ['does a car stay in view?', 'No: it was not found the whole time.'],
    ['is a person in view the whole time?', 'No: it was not found the whole time.'],
    ['where is the person?', 'In the bottom left of the picture at 0:10.0.'],
    ['which way do the cars enter?', 'From the left at 0:04.0 and from the right at 0:06.0.'],
    ['in which direction does the truck go?', `Not certain: no truck was found in the video.${TRUCKS}`],
    ['what color is the car?', 'Car 1: red (45 % of its pixels); car 2: white (50 % of its pixels).'],
    ['how long is a vehicle in view?', '8 s in all, in 1 interval: 0:04.0 to 0:12.0. Each of 2 lasts 5 s on average.'],
    ['how long is a person standing still?', '8 s in all, in 1 interval: 0:10.0 to 0:18.0.'],
    [
      'how many potholes?',
      'Not known for "potholes": "potholes": this is not a known object, action, signal or sound.',
    ],
    ['time between the first and the last car', '2 s (0:04.0 to 0:06.0). Each counts from where it begins.'],
    [
      'how long after a red car enters does a person appear?',
      '6 s (0:04.0 to 0:10.0). Each counts from where it begins.',
    ],
    ['time between vehicles', '2 s (0:04.0 to 0:06.0). Each counts from where it begins.'],
    // An object that leaves has left at the end of the event.
    [
      'time between a red car entering and leaving',
      '4 s (0:04.0 to 0:08.0). Each counts from where it begins; leaving counts to the end.',
    ],
    ['time between people', 'Not known: "people" was found once.'],
    ['time between the first and the last person', 'Not known: both are the same, at 0:10.0.'],
    [
      'time between a car entering and a truck entering',
      `Not known: "car entering and a truck entering" was looked for and not found.${TRUCKS}`,
    ],
    ['time between a car, a person and a truck', null],
    ['is there an elephant?', 'Not known for "elephant": the object detector does not know the class elephant.'],
    ['a red car', null],
  ])('%s', (prompt, expected) => {
    expect(answerPrompt(prompt, street).answer).toBe(expected);
  });
});

describe('the answer to a question', () => {
  it('is uncertain if something unrecognized moved', () => {
    const moving = signals(20, (t) => (t >= 8 && t < 14 ? { localMotion: 0.1 } : {}));
    const answerTo = (prompt: string, tracks: TrackSpec[]) =>
      answerPrompt(prompt, observations(20, { signals: moving, objects: objects(20, tracks) })).answer;
    expect(answerTo('is there a truck?', [])).toMatch(
      /^Not certain: it was looked for and not found\. Note: .*something moved/,
    );
    expect(answerTo('how many trucks?', [])).toMatch(/^Not certain: /);
    expect(answerTo('how many people?', [{ ...person, from: 1, to: 4 }])).toMatch(/^At least 1 person/);
    expect(answerTo('is there a bus?', [{ ...person, from: 8, to: 14 }])).toMatch(/^No: /);
  });
});

describe('coverage', () => {
  it('has a row for each part of the prompt and each word that could not be checked', () => {
    expect(answerPrompt('a red car, potholes, and a person standing on the pavement', street).coverage).toEqual([
      { text: 'red car', status: 'looked_for', by: ['objects (test detector)'], reason: null, findings: 1 },
      {
        text: 'potholes',
        status: 'not_looked_for',
        by: [],
        reason: expect.stringContaining('"potholes": this is not a known'),
        findings: 0,
      },
      {
        text: 'person standing on the pavement',
        status: 'partly',
        by: ['objects (test detector)'],
        reason: expect.stringContaining('"pavement"'),
        findings: 1,
      },
      { text: 'pavement', status: 'not_looked_for', by: [], reason: expect.stringContaining('places'), findings: 0 },
    ]);
  });

  it('lowers the confidence of events that could only be checked in part', () => {
    const [sure] = answerPrompt('a person standing', street).events;
    const [unsure] = answerPrompt('a person standing on the pavement', street).events;
    expect(unsure!.confidence).toBeCloseTo(sure!.confidence * 0.8, 2);
  });

  it.each([
    'pothole',
    'a person jumps',
    'a car skids',
    'someone with a gun',
    'person wearing a helmet',
    'a brake light',
    'qwertz',
    'czerwony rower',
  ])('"%s" has no events and a reason', (prompt) => {
    const result = answerPrompt(prompt, street);
    expect(result.events).toEqual([]);
    expect(
      result.coverage.every((c) => c.status === 'not_looked_for' && c.reason !== null && c.reason.length > 10),
    ).toBe(true);
    expect(result.summary).toMatch(/^Not looked for: /);
  });
});

describe('summary', () => {
  it('reports what was found, what was not, and which words were corrected', () => {
    expect(answerPrompt('a red car, a truk and a pothole', street).summary).toBe(
      '1 event for "red car": red car comes in from the left and leaves to the right (0:04.0 to 0:08.0); nothing for "truk" (the detector finds about 4 in 10 medium-sized trucks, and fewer small ones). Not looked for: "pothole" (this is not a known object, action, signal or sound). "truk" was read as "truck".',
    );
  });

  it('leaves words that only narrow a part to the coverage', () => {
    expect(answerPrompt('a cyclist on the pavement', street).summary).toBe(
      'Nothing for "cyclist on the pavement" (the detector finds about 3 in 10 medium-sized bicycles, and fewer small ones).',
    );
  });

  it('counts the events of an open prompt by category, and lists the one with the highest confidence', () => {
    expect(answerPrompt('', street).summary).toBe(
      '4 events (3 object and 1 cut): the surest is red car comes in from the left and leaves to the right (0:04.0 to 0:08.0).',
    );
  });

  it('reports the missing part of a damaged video, in the answer to a question too', () => {
    const damaged = { ...street, video: { ...street.video, claimedS: 60 } };
    expect(answerPrompt('a cyclist', damaged).summary).toBe(
      'Nothing for "cyclist" (the detector finds about 3 in 10 medium-sized bicycles, and fewer small ones). The file ends early, after 0:20.0 of 1:00.0: the rest could not be analyzed.',
    );
    expect(answerPrompt('is there a cyclist?', damaged).answer).toMatch(
      /^No.*\. The file ends early, after 0:20\.0 of 1:00\.0/,
    );
    const torn = { ...street, video: { ...street.video, claimedS: 20 } };
    expect(answerPrompt('a cyclist', torn).summary).toMatch(
      / The file is damaged: parts of it could not be analyzed\.$/,
    );
  });

  it('reports that nothing was found, and which observers were missing', () => {
    const plain = answerPrompt('what happens?', observations(10, { signals: signals(10) }));
    expect(plain).toMatchObject({
      events: [],
      summary: 'Nothing notable was found.',
      coverage: [{ status: 'partly', reason: expect.stringContaining('object detector was not available') }],
    });
    expect(answerPrompt('what happens?', observations(10)).coverage[0]!.status).toBe('not_looked_for');
  });
});

describe('severity', () => {
  it('follows its rules', () => {
    const severities = (prompt: string, video = street) => answerPrompt(prompt, video).events.map((f) => f.severity);
    expect(severities('cut')).toEqual(['low']);
    const black = (seconds: number) =>
      observations(20, { signals: signals(20, (t) => (t >= 5 && t < 5 + seconds ? { dark: 1, luma: 4 } : {})) });
    expect(severities('black', black(2))).toEqual(['medium']);
    expect(severities('black', black(6))).toEqual(['high']);
    expect(severities('not black', black(6))).toEqual(['low', 'low']);
    expect(severities('a car, then a person appears')).toContain('low');
    expect(severities('a person standing')).toEqual(['low']);
    const loud = observations(20, { sound: sound(20, (t) => (t >= 10 && t < 10.2 ? -5 : -60)) });
    expect(severities('bang', loud)).toEqual(['medium']);
    const crossing = { ...person, at: line(10, [0.05, 0.6], 18, [0.95, 0.6]), stationary: [] };
    const met = observations(20, { signals: signals(20), objects: objects(20, [{ ...red, to: 20 }, crossing]) });
    expect(severities('a person crosses', met)).toEqual(['medium']);
    expect(new Set(severities('a person near a car', met))).toEqual(new Set(['medium']));
    const touching = objects(20, [
      { ...person, at: still(0.5, 0.6) },
      { ...red, from: 8, to: 20, at: still(0.52, 0.62) },
    ]);
    expect(severities('a person overlapping a car', observations(20, { objects: touching }))).toEqual(['high']);
  });
});

describe('the answer as a whole', () => {
  const prompts = [
    '',
    'red car',
    'how many cars and people?',
    'a car enters then a person appears',
    'no dog',
    'something moves',
    'a person near a car',
  ];

  it('is identical to the byte, and does not depend on the order of the tracks', () => {
    const turned = { ...street, objects: { ...street.objects!, tracks: street.objects!.tracks.toReversed() } };
    for (const prompt of prompts) {
      const first = JSON.stringify(answerPrompt(prompt, street));
      expect(JSON.stringify(answerPrompt(prompt, street))).toBe(first);
      expect(
        JSON.parse(JSON.stringify(answerPrompt(prompt, turned))).events.map((f: { label: string; startS: number }) => [
          f.label,
          f.startS,
        ]),
      ).toEqual(JSON.parse(first).events.map((f: { label: string; startS: number }) => [f.label, f.startS]));
    }
  });

  it('handles videos without observations', () => {
    const empty = [
      observations(0),
      observations(0, { signals: signals(0) }),
      observations(0, { objects: objects(0, []) }),
      observations(0.04, { signals: signals(0.04), objects: objects(0.2, []), sound: sound(0.05, () => -120) }),
    ];
    for (const video of empty)
      for (const prompt of [...prompts, 'silence', 'camera pans left', 'dark', 'not dark', 'frozen'])
        expect(() => answerPrompt(prompt, video), prompt).not.toThrow();
  });
});
