import { describe, expect, it } from 'vitest';
import { interpretPlan } from '../../describe/index.ts';
import { EVERYDAY } from '../fixtures/everyday.fixture.ts';
import { LOGS } from '../fixtures/logs.fixture.ts';
import { summarizePlan } from '../fixtures/plan-summary.fixture.ts';
import { PROMPTS } from '../fixtures/prompts.fixture.ts';
import { TEAMS } from '../fixtures/teams.fixture.ts';
import { USER_GROUPS } from '../fixtures/user-groups.fixture.ts';
import { createPlanner, namesZone, type ObjectTarget, type Zone } from '../index.ts';

const planner = createPlanner();
const CORNERS = [
  { x: 0.1, y: 0.1 },
  { x: 0.5, y: 0.1 },
  { x: 0.5, y: 0.5 },
];
const ENDS = CORNERS.slice(0, 2);
const ZONES: readonly Zone[] = [
  ...['door', 'Loading dock', 'bay 3', 'work', 'Tür', 'Parking zone'].map((name) => ({
    name,
    kind: 'polygon',
    points: CORNERS,
  })),
  ...['A', 'Stop line', "O'Hara-2"].map((name) => ({ name, kind: 'line', points: ENDS })),
] as Zone[];
const plan = (query: string, zones: readonly Zone[] = ZONES) => planner.planQuery(query, zones);
const objectOf = (query: string) => plan(query).searches[0]!.steps[0]!.what as ObjectTarget;

describe('names of zones', () => {
  it.each([
    ['a person enters zone door', 'person enters region=door'],
    ['a person enters the door zone', 'person enters region=door'],
    ['A PERSON ENTERS THE ZONE DOOR', 'person enters region=door'],
    ['person enters "door"', 'person enters region=door'],
    ['a person enters zone "loading dock"', 'person enters region=Loading dock'],
    ['a person enters zone Tür', 'person enters region=Tür'],
    ['a person enters the parking zone', 'person enters region=Parking zone'],
    ['people entering zone door', 'person enters region=door'],
    ['a person walks into zone door', 'person enters region=door'],
    ['person leaves zone door', 'person leaves region=door'],
    ['a person exits the "loading dock" zone', 'person leaves region=Loading dock'],
    ['a person walks out of zone door', 'person leaves region=door'],
    ['a person comes out of zone door', 'person leaves region=door'],
    ['a person walks through zone door', 'person crosses region=door ~walks'],
    ['zone door: a person enters', 'person enters region=door'],
    ['a person in zone door leaves', 'person leaves region=door'],
    ['a person in zone door crosses line A', 'person@door crosses over=A'],
    ['a car enters zone bay 3 from the left', 'car enters from=left region=bay 3'],
    ['someone is in the loading dock zone for over 30 seconds', 'person@Loading dock present for 30.. s'],
    ['a person stays in zone door for at least 5 seconds', 'person@door present for 5.. s'],
    ['no person in zone door', 'not person@door present'],
    ['nobody is in zone door', 'not person@door present'],
    ['is anyone in zone door?', 'yes_no? person@door present'],
    ['how many people are in zone door', 'count? person@door present'],
    ['how long is a truck in zone bay 3', 'how_long? truck@bay 3 present'],
    ['when does a person enter zone door', 'when? person enters region=door'],
    ['two people in zone door', '2+ person@door present'],
    ['more than 3 cars in zone bay 3', '4+ car@bay 3 present'],
    ['red car in zone bay 3', 'red car@bay 3 present'],
    ['a truck is parked in zone bay 3', 'truck@bay 3 stands'],
    ['a car stops in zone bay 3 for more than 10 seconds', 'car@bay 3 stops for 10.. s'],
    ['someone loiters in zone door', 'person@door loiters'],
    ['a bag is left in zone door', 'backpack+handbag+suitcase@door left_behind'],
    ['a person with a dog enters zone door', 'person enters region=door with dog'],
    ['a person near a car in zone bay 3', 'person@bay 3 present near car'],
    ['motion in zone door', 'motion@door'],
    ['the loading dock zone is empty', 'not person+bicycle+car+truck+bus+motorcycle+cat+dog@Loading dock present'],
    ['a person in zone door at night', 'person@door present while dark'],
    ['a car crosses line A', 'car crosses over=A'],
    ['a car crosses the A line', 'car crosses over=A'],
    ['a car crosses the stop line', 'car crosses over=Stop line'],
    ["a car crosses line O'Hara-2", "car crosses over=O'Hara-2"],
    ['a car crosses line A from left to right', 'car crosses dir=right over=A'],
    ['how many people crossed line A', 'count? person crosses over=A'],
    ['how many people cross line A per minute', 'count per 60? person crosses over=A'],
    ['a vehicle drives over line A', 'car+truck+bus+motorcycle crosses over=A'],
    ['a person walks across line A', 'person crosses over=A'],
    ['no one crosses line A', 'not person crosses over=A'],
    ['a person enters zone door, then crosses line A', 'person enters region=door then same person crosses over=A'],
    ['a bicycle crosses line "A" or a person enters zone door', 'bicycle crosses over=A | person enters region=door'],
  ])('%s', (prompt, expected) => {
    const found = plan(prompt);
    expect(summarizePlan(found).replace(' ~walks', '')).toBe(expected.replace(' ~walks', ''));
    expect(namesZone(found)).toBe(true);
    expect(planner.checkPlan(JSON.parse(JSON.stringify(found)))).toEqual(found);
  });

  it('become the points of the zone in the plan', () => {
    expect(objectOf('a person enters zone door').region).toEqual({ name: 'door', points: CORNERS, zone: true });
    const line = { name: 'A', from: ENDS[0], to: ENDS[1], zone: true };
    expect(objectOf('a car crosses line A').line).toEqual(line);
    for (const inwards of ['a car crosses line A inwards', 'a car crosses line A in', 'a cyclist enters over line A'])
      expect(objectOf(inwards).line).toEqual({ ...line, way: 'in' });
    for (const outwards of ['a car crosses line A outward, then stops', 'a person leaves across line A'])
      expect(objectOf(outwards).line).toEqual({ ...line, way: 'out' });
  });

  it('are stated in the interpretation', () => {
    expect(interpretPlan(plan('a person enters zone door'))).toContain('a person that enters zone door');
    expect(interpretPlan(plan('a person in zone door'))).toContain('a person in zone door');
    expect(interpretPlan(plan('a car crosses line A inwards'))).toContain('crosses line A inwards');
  });
});

describe('what cannot be checked', () => {
  it.each([
    ['a person enters zone garage', 'there is no zone "garage" for this video; drawn are: door, Loading dock'],
    ['a person enters zone 5', 'there is no zone "5" for this video'],
    ['a car crosses line B', 'there is no line "B" for this video'],
    ['a person walks towards zone door', 'is not detected, only whether it is inside'],
    ['a person near zone door', 'is not detected, only whether it is inside'],
    ['a person who is not in zone door', 'who is outside of a zone is not searched'],
    ['a person walks from zone door to zone bay 3', 'two zones at once'],
    ['a person stands on line A', 'a line can only be crossed'],
  ])('%s is reported', (prompt, reason) => {
    const reasons = plan(prompt).searches[0]!.steps[0]!.unchecked;
    expect(reasons.filter(({ blocks }) => blocks).map((each) => each.reason)).toEqual([
      expect.stringContaining(reason),
    ]);
  });

  it('says if no zone was drawn', () => {
    const [step] = plan('a person enters zone garage', []).searches[0]!.steps;
    expect(step!.unchecked).toEqual([
      { text: 'zone garage', reason: 'there is no zone "garage" for this video; none was drawn', blocks: true },
    ]);
  });
});

describe('prompts that name no zone', () => {
  const all = [PROMPTS, ...Object.values({ ...USER_GROUPS, ...TEAMS, ...EVERYDAY, ...LOGS })].flat();
  const close = all.filter(([prompt]) => /zone|line|door|work|dock|bay|parking|stop|["“]/i.test(prompt));

  it('keep their plans where zones are drawn', () => {
    const changed = close.filter(
      ([prompt]) => summarizePlan(plan(prompt)) !== summarizePlan(planner.planQuery(prompt)),
    );
    expect(changed).toEqual([]);
    expect(close.length).toBeGreaterThan(100);
  });

  it.each([
    'a car in a work zone',
    'a car in a 30 mph zone',
    'a person at the door',
    'a worker enters the no parking zone',
    'people standing in line',
    'a person waits in line outside',
    'a car stops at the loading dock',
    'a sign that says "door"',
  ])('%s', (prompt) => {
    const { searches } = plan(prompt);
    expect(searches).toEqual(planner.planQuery(prompt).searches);
  });
});
