import { describe, expect, it } from 'vitest';
import { isBlocked } from './blocked-search.ts';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { createPlanner } from './index.ts';

const planner = createPlanner();

const READ: readonly [prompt: string, plan: string][] = [
  ['traffic light turns green', 'light turns green'],
  ['the light turns red', 'light turns red'],
  ['a traffic signal changes to amber', 'light turns yellow'],
  ['the lights went green', 'light turns green'],
  ['the traffic light changes', 'light turns'],
  ['when does the traffic light change', 'when? light turns'],
  ['when does the light change', 'when? light_change | light turns'],
  ['does the light turn red or green', 'yes_no? light turns red | light turns green'],
  ['when does the light turn green?', 'when? light turns green'],
  ['how often does the light turn red', 'how_often? light turns red'],
  ['did the light ever turn green', 'yes_no? light turns green'],
  ['how long until the light turns green', '<start>? light turns green'],
  ['the light is red', 'light shows red'],
  ['red light', 'light shows red'],
  ['a green traffic light', 'light shows green'],
  ['orange traffic light', 'light shows yellow'],
  ['traffic lights that are red', 'light shows red'],
  ['is there a red light', 'yes_no? light shows red'],
  ['is the light green', 'yes_no? light shows green'],
  ['when was the light red', 'when? light shows red'],
  ['how long was the light red', 'how_long? light shows red'],
  ['how long does the light stay red', 'how_long? light shows red'],
  ['how many red lights are there', 'count? light shows red'],
  ['where is the red light', 'where? light shows red'],
  ['what color is the traffic light', 'which_color? light shows'],
  ['no green light', 'not light shows green'],
  ['the first red light', 'first: light shows red'],
  ['red light for more than 10 seconds', 'light shows red for 10.. s'],
  ['red light in the first 10 seconds', 'light shows red in 0..10'],
  ['the light turns red, then the light turns green', 'light turns red then light turns green'],
  ['the light turns green, then we start moving', 'light turns green then camera starts'],
  ['a person crosses while the light is red', 'person crosses while light shows red'],
  ['how long did we wait at the red light', 'how_long? light waits red presumed'],
  ['how long do we wait at a red light', 'how_long? light waits red'],
  ['did we stop at a red light', 'yes_no? light waits red'],
  ['waiting at a red light', 'light waits red ~waiting_at_a_red_light'],
  ['stopped at a red light for more than 20 seconds', 'light waits red for 20.. s ~stopped_at_a_red_light'],
  ['did we run a red light', 'yes_no? light runs red'],
  ['the car drives through a red light', 'light runs red ~car'],
  ['running a red light', 'light runs red ~running_a_red_light'],
  ['how many times did we run a red light', 'how_often? light runs red'],
];

/** Not about the lamp of a traffic light, or about more than it. */
const REFUSED = [
  'the brake light is red',
  'brake lights',
  'the turn signal is yellow',
  'headlights',
  'hazard lights',
  'red light on the machine',
  'red light camera',
  'red light district',
  'flashing red light',
  'red light therapy',
  'the light on the dashboard turns red',
  'the light turns blue',
  'green light saber',
  'a red light bulb',
  'a car runs a red light',
  'cars waiting at a red light',
  'a cyclist runs the red light',
  'red light violation',
  'the light turns red and then green',
  'a traffic light turns yellow then red',
  'light is red then green',
  'red or green traffic light',
  'the light goes from red to green',
  'the light does not turn green',
  'the car at the red light',
  'a person next to a red traffic light',
  'we never run a red light',
];

const LIGHTING: readonly [prompt: string, plan: string][] = [
  ['the light changes', 'light_change | light turns'],
  ['the light goes out', 'gets_dark ~light_goes_out'],
  ['light green car', 'green car present ~light_green'],
  ['traffic light', 'traffic light present'],
  ['how long did we wait at the light', 'how_long? camera still ~at_the_light'],
];

const FOREIGN: readonly [prompt: string, plan: string][] = [
  ['rote Ampel', 'light shows red'],
  ['die Ampel ist grün', 'light shows green'],
  ['Die Ampel wird grün', 'light turns green'],
  ['die Ampel schaltet auf Rot', 'light turns red'],
  ['Wann wird die Ampel grün?', 'when? light turns green'],
  ['Wie lange ist die Ampel rot?', 'how_long? light shows red'],
  ['Wie lange haben wir an der roten Ampel gewartet?', 'how_long? light waits red presumed'],
  ['feu rouge', 'light shows red'],
  ['le feu passe au vert', 'light turns green'],
  ['un feu tricolore rouge', 'light shows red'],
  ['combien de temps avons-nous attendu au feu rouge', 'how_long? light waits red presumed'],
  ['semáforo en rojo', 'light shows red'],
  ['el semáforo se pone en verde', 'light turns green'],
  ['¿Cuándo se pone en verde el semáforo?', 'when? light turns green'],
  ['红灯', 'light shows red'],
  ['红绿灯变绿', 'light turns green'],
  ['闯红灯', 'light runs red'],
];

describe('prompts about the lamp of a traffic light', () => {
  it.each([...READ, ...LIGHTING, ...FOREIGN])('%s', (prompt, expected) => {
    const plan = planner.planQuery(prompt);
    expect(summarizePlan(plan)).toBe(expected);
    expect(planner.checkPlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it.each(REFUSED)('refused: %s', (prompt) => {
    const plan = planner.planQuery(prompt);
    expect(plan.searches.some(isBlocked), summarizePlan(plan)).toBe(true);
    const searched = plan.searches.filter((search) => !isBlocked(search)).flatMap(({ steps }) => steps);
    expect(searched.some(({ what }) => what.kind === 'traffic_light')).toBe(false);
  });

  it('keep the words of the prompt', () => {
    const [search] = planner.planQuery('a person crosses while the light is red').searches;
    expect(search!.steps.map(({ text }) => text)).toEqual(['person crosses', 'light is red']);
    expect(planner.planQuery('does the light turn red').searches[0]!.text).toBe('light turn red');
  });
});
