import { describe, expect, it } from 'vitest';
import { summarizePlan } from '../../fixtures/plan-summary.fixture.ts';
import { createPlanner } from '../../index.ts';

const planner = createPlanner();
const planOf = (prompt: string) => summarizePlan(planner.planQuery(prompt));

const QUESTIONS = [
  'is there a dog',
  'how many cars stop',
  'when does the truck leave',
  'are there more cars than trucks',
  'how long is it dark',
];
const STATEMENTS = ['a car stops', 'nobody enters', 'there are two dogs', 'a dog barks', 'we turn left'];

describe('words around a question', () => {
  it.each(QUESTIONS)('say nothing of what is asked: %s', (question) => {
    for (const before of [
      'sorry to bother you, but',
      'sorry to bother you',
      'hi there, silly question,',
      'quick check:',
      'sorry for bothering you,',
    ])
      expect(planOf(`${before} ${question}`).replace(/\(.*\)/, ''), before).toBe(planOf(question));
  });

  it.each(STATEMENTS)('ask for yes or no: %s', (statement) => {
    const yesNo = `yes_no? ${planOf(statement)}`;
    for (const before of [
      'is it correct that',
      'is it true that',
      'do you think',
      'my boss wants to know if',
      'our client is asking whether',
      'true or false:',
    ])
      expect(planOf(`${before} ${statement}`), before).toBe(yesNo);
  });
});

describe('a request to count', () => {
  it.each(['would you mind counting', 'do you mind counting', 'mind counting all'])('is a count: %s', (request) => {
    for (const noun of ['cars', 'people']) expect(planOf(`${request} the ${noun}`)).toBe(planOf(`how many ${noun}`));
  });
});

describe('"in it"', () => {
  it.each([
    ['is there a dog', 'yes_no? dog present'],
    ['are there any cars', 'yes_no? car present'],
    ['how many trucks are', 'count? truck present'],
  ])('is in the video, of what is only there: %s', (prompt, plan) => {
    for (const where of ['in it', 'in there']) expect(planOf(`${prompt} ${where}`)).toBe(plan);
  });

  it.each(['a person sits', 'someone gets', 'a car near a truck is'])('may be elsewhere: %s', (prompt) =>
    expect(planner.planQuery(`${prompt} in it`).searches[0]!.steps[0]!.unchecked.some(({ blocks }) => blocks)).toBe(
      true,
    ),
  );
});

describe('slips in short words', () => {
  it.each([
    ['how mny cars are there', 'how many cars are there'],
    ['hwo many trucks stop', 'how many trucks stop'],
    ['when dose the music start', 'when does the music start'],
    ['a car enters form the left', 'a car enters from the left'],
    ['are there more cars then trucks', 'are there more cars than trucks'],
    ['a womn runs', 'a woman runs'],
  ])('%s: %s', (typed, meant) => expect(planOf(typed).split(' (')[0]!.replace('womn', 'woman')).toBe(planOf(meant)));

  it.each(['a person fills in a form', 'a Lada', 'an Audi stops', 'an opel'])('are no other words: %s', (prompt) =>
    expect(planner.planQuery(prompt).corrected).toEqual([]),
  );

  it('leave a sequence one', () => expect(planOf('a car stops then leaves')).toBe('car stops then same car leaves'));
});

describe('which object or time', () => {
  it.each([
    ['which is the fastest car', 'the fastest car'],
    ['who is the slowest person', 'the slowest person'],
    ['which is the longest silence', 'the longest silence'],
    ['what is the shortest silence', 'the shortest silence'],
    ["what's the longest silence", 'the longest silence'],
  ])('%s: %s', (typed, named) => expect(planOf(typed)).toBe(planOf(named)));
});

describe('two counts', () => {
  it.each([
    ['do as many people enter as leave', 'same<count>? person enters | person leaves'],
    ['are as many cars stopping as leaving', 'same<count>? car stops | car leaves'],
    ['do the same number of dogs enter and leave', 'same<count>? dog enters | dog leaves'],
    ['are there more cars at the end than people', 'more<count>? car present in -10.. | person present in -10..'],
    ['is it true that a car stops twice', 'within 2.. <count>? car stops'],
    ['does the cat appear more often than the dog', 'more<count>? cat appears | dog appears'],
    ['a dog barks at least three times, right', 'within 3.. <count>? sound dog_bark'],
  ])('%s: %s', (prompt, plan) => expect(planOf(prompt)).toBe(plan));
});

describe('shots', () => {
  it.each([
    ['is it one continuous shot', 'yes_no? not scene_change'],
    ['was the video a single take', 'yes_no? not scene_change'],
    ['how many shots are in this video', 'fact shot_count'],
    [
      'is the first shot longer than the second',
      'more<length>? shot during #2 | shot during #3 | first: shot | second: shot',
    ],
    [
      'is the second scene shorter than the last scene',
      'less<length>? shot during #2 | shot during #3 | second: shot | last: shot',
    ],
  ])('%s: %s', (prompt, plan) => expect(planOf(prompt)).toBe(plan));
});

describe('parts of a video', () => {
  it.each([
    ['is there a car in the last frame', 'yes_no? car present in -1..'],
    ['how many dogs are there in the first frame', 'count? dog present in 0..1'],
    ['until when is the truck in view', 'when? truck present'],
    ['from when to when is it dark', 'when? dark'],
    ['is it dark for the most part', 'within 0.5.. <share>? dark'],
    ['in which half are there more cars', 'which_most<count>? car present in 0..0.5 of 1 | car present in 0.5..1 of 1'],
    ['in which half do more cars stop', 'which_most<count>? car stops in 0..0.5 of 1 | car stops in 0.5..1 of 1'],
    ['a person in the gate area', 'person present ~gate_area'],
    ['was the video filmed at night', 'yes_no? dark'],
  ])('%s: %s', (prompt, plan) => expect(planOf(prompt)).toBe(plan));
});
