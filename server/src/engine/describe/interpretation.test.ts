import { expect, it } from 'vitest';
import { EVERYDAY } from '../plan/fixtures/everyday.fixture.ts';
import { PROMPTS } from '../plan/fixtures/prompts.fixture.ts';
import { createPlanner } from '../plan/index.ts';
import { interpretPlan } from './interpretation.ts';

const planner = createPlanner();
const interpret = (prompt: string) => interpretPlan(planner.planQuery(prompt));

it.each([
  ['everybody has left', 'Understood as: a person that leaves; not checked: "everybody".'],
  ['person passes out', 'Not understood: "person passes" and "out".'],
  ['two people enter from the left', 'Understood as: 2 or more people that enter from the left.'],
  ['red truck stopped for over 30 seconds', 'Understood as: a red truck that stands still for at least 30 s.'],
  ['a pedestrian in red crosses', 'Understood as: a person on foot in red that crosses the picture.'],
  ['people on foot near a car', 'Understood as: a person on foot in view near a car.'],
  ['two pedestrians', 'Understood as: 2 or more people on foot in view.'],
  ['a person near a parked car', 'Understood as: a person in view near a stationary car.'],
  ['a red or blue car overtakes a bus', 'Understood as: a red or blue car that overtakes a bus.'],
  ['any vehicle stops', 'Understood as: a car, truck, bus or motorcycle that stops.'],
  ['exactly 3 cars', 'Understood as: exactly 3 cars in view.'],
  ['car on the left', 'Understood as: a car in the left part of the picture.'],
  [
    'no one in the left third for 10 seconds',
    'Understood as: times when nobody is in the left part of the picture for at least 10 s.',
  ],
  ['nobody moves', 'Understood as: times when nobody moves.'],
  ['how long did we wait', 'Understood as: camera is still; how long in total.'],
  ['how many cars per minute', 'Understood as: a car in view; how many in total in every minute.'],
  ['how many cars per 5 minutes', 'Understood as: a car in view; how many in total in every 5 min.'],
  ['a car stands for more than 2 minutes', 'Understood as: a car that stands still for at least 2 min.'],
  ['a car stands for 90 seconds', 'Understood as: a car that stands still for at least 90 s.'],
  ['a person loiters for half an hour', 'Understood as: a person that stays in one place for at least 0.5 h.'],
  [
    'a person enters and leaves within 10 minutes',
    'Understood as: a person that enters, then within 10 min the same one: a person that leaves.',
  ],
  ['hard braking', 'Understood as: camera brakes hard.'],
  [
    'first time a dog appears after 0:30',
    'Understood as: a dog that appears (only the first); only from 0:30.0 to the end.',
  ],
  [
    'what happens in the last 20 seconds',
    'Understood as: everything notable; a description in words; only in the last 20 s.',
  ],
  ['cars but no trucks', 'Understood as: a car in view while no trucks in view.'],
  ['animals', 'Understood as: animals in view.'],
  ['truck in front of us', 'Understood as: a truck ahead, in the middle of the picture; not checked: "in front of".'],
  [
    'a person, a robot arm moves, the picture freezes',
    'Understood as: a person in view; picture is frozen; not understood: "robot arm".',
  ],
  ['a car overtakes us on the left', 'Understood as: a car that overtakes from the left.'],
  ['a car and a pothole', 'Understood as: a car in view; not understood: "pothole".'],
  ['a dog next to a person on the left', 'Understood as: a dog in view near a person in the left part of the picture.'],
  ['a peron walks', 'Understood as: a person that moves; "peron" read as "person".'],
])('restates "%s"', (prompt, expected) => {
  expect(interpret(prompt)).toBe(expected);
});

it.each([
  ['speed above 30 km/h', 'speed above 30 km/h'],
  ['faster than 20 mph', 'speed above 20 mph'],
  ['speed below 5 m/s', 'speed below 5 m/s'],
  ['speed between 30 and 50 km/h', 'speed between 30 and 50 km/h'],
  ['braking harder than 0.5 g', 'deceleration above 0.5 g'],
])('states quantities in the unit of the prompt: %s', (prompt, expected) => {
  expect(interpret(prompt)).toBe(`Understood as: ${expected}.`);
});

it('restates every known prompt in one sentence without gaps', () => {
  for (const [prompt] of Object.values({ ...EVERYDAY, prompts: PROMPTS }).flat()) {
    const text = interpret(prompt);
    expect(text, prompt).toMatch(/^[A-Z"].*\.$/s);
    expect(text, prompt).not.toMatch(/undefined|null|NaN| {2}| ,|\[object/);
  }
});
