import { describe, expect, it } from 'vitest';
import { summarizePlan } from './fixtures/plan-summary.fixture.ts';
import { createPlanner, isBlocked } from './index.ts';

const planner = createPlanner();
const plan = (prompt: string) => planner.planQuery(prompt);
const summary = (prompt: string) => summarizePlan(plan(prompt));
const isRefused = (prompt: string) => plan(prompt).searches.every(isBlocked);

/** Each of the words in place of `_`. */
const fill = (template: string, ...lists: readonly (readonly string[])[]): string[] =>
  lists.reduce<string[]>(
    (made, words) => made.flatMap((each) => words.map((word) => each.replace('_', word))),
    [template],
  );

const OBJECTS = ['car', 'dog', 'bicycle'];
const UNSEEN = ['wheelbarrow', 'tapestry', 'sculpture', 'fountain'];

describe('a statement about two is about each', () => {
  it.each(fill('a _ and a _ ride in a _', ['man', 'boy'], ['woman', 'dog'], ['wagon', 'wheelbarrow']))(
    '%s: refused, because nobody can see it',
    (prompt) => expect(isRefused(prompt)).toBe(true),
  );

  it.each(fill('a _ and a _ stop', OBJECTS, ['truck', 'bus']))('%s', (prompt) => {
    expect(summary(prompt)).toMatch(/^(\w+) stops \| (\w+) stops$/);
  });
});

describe('questions that are joined are the same as asked one by one', () => {
  const questions = [
    'is there a car',
    'does a dog run',
    'who enters from the left',
    'is the picture dark',
    'are two people near a truck',
    'do you hear a siren',
  ];
  const pairs = questions.flatMap((first) => questions.filter((each) => each !== first).map((each) => [first, each]));
  const searchesOf = (prompt: string) => plan(prompt).searches;

  it.each(pairs)('%s, %s', (first, second) => {
    const apart = searchesOf(`${first}? ${second}?`);
    expect(apart.some(isBlocked)).toBe(false);
    for (const joint of [', ', ' and ', ', and ']) expect(searchesOf(`${first}${joint}${second}`)).toEqual(apart);
  });

  it.each(pairs)('%s, %s, and a third', (first, second) => {
    const third = 'does it rain';
    expect(searchesOf(`${first}, ${second}, and ${third}?`)).toEqual(searchesOf(`${first}? ${second}? ${third}?`));
  });
});

describe('a vehicle that the camera sees is not the one that carries it', () => {
  const verbs = ['brakes', 'brakes hard', 'turns left', 'reverses', 'accelerates'];
  const places = [
    'in front of us',
    'ahead of us',
    'behind us',
    'next to us',
    'in front of the camera',
    'in front',
    'up ahead',
    'in the distance',
  ];
  it.each(fill('the _ _ _', ['car', 'vehicle'], verbs, places))('%s', (prompt) => {
    expect(summary(prompt)).not.toMatch(/^(?:camera|acceleration)/);
  });
});

describe('a word stays with its noun', () => {
  it.each(fill('a _ in front of a _ _', OBJECTS, ['silver', 'red', 'black'], UNSEEN))(
    '%s: the color is not that of the first',
    (prompt) => expect(isRefused(prompt)).toBe(true),
  );

  it.each(fill('a _ near a red _', OBJECTS, ['truck', 'bus']))('%s', (prompt) => {
    expect(summary(prompt)).toMatch(/^(\w+) present near red (\w+)$/);
  });
});

describe('a noun is no verb', () => {
  it.each(fill('a crowd _ near a _', ['marching', 'standing', 'walking'], ['park', 'stage', 'track']))(
    '%s',
    (prompt) => {
      expect(summary(prompt)).toMatch(/^5\+ person (?:moves|stands)(?: ~marching)? ~(?:park|stage|track)$/);
    },
  );

  it.each(fill('a _ gets a _', ['cat', 'dog', 'child'], ['shot', 'medal', 'haircut']))('%s: no presence', (prompt) => {
    expect(isRefused(prompt)).toBe(true);
  });
});

describe('a return needs an earlier absence of the same', () => {
  it.each(fill('_ _ _', ['does', 'did'], ['he', 'she', 'it'], ['come back', 'return']))('%s', (prompt) => {
    expect(isRefused(prompt)).toBe(true);
  });

  it.each(fill('does the _ _', OBJECTS, ['come back', 'return']))('%s', (prompt) => {
    expect(summary(prompt)).toMatch(/^yes_no\? (\w+) disappears then apart 0 \1 appears ~(?:come_back|return)$/);
  });

  it.each(fill('a _ leaves and _', ['person', 'car'], ['comes back', 'then comes back']))('%s', (prompt) => {
    expect(summary(prompt)).toMatch(/^(\w+) leaves then same \1 appears$/);
  });
});

describe('exclusions are part of the object, not something beside it', () => {
  it.each(fill('_ but not _ ones', ['cars', 'trucks', 'dogs'], ['red', 'black']))('%s', (prompt) => {
    const [, name, color] = /^(\w+)s but not (\w+)/.exec(prompt)!;
    expect(summary(prompt)).toBe(`${name} except ${color} present`);
  });

  it.each(fill('_ but not _ ones', ['cars', 'trucks', 'dogs'], ['small', 'parked']))('%s: refused', (prompt) => {
    expect(isRefused(prompt)).toBe(true);
  });
});

describe('a part of a prompt that is read by the rules is refused as it is alone', () => {
  const REFUSED = [
    'cars but not parked ones',
    'dogs but not small ones',
    'a cat gets a shot',
    'a man rides in a wheelbarrow',
  ];
  // The grammar derives neither, so that the rules read the prompt.
  const REST = ['frobnicates who the', 'a red car frobnicates'];
  it.each(REFUSED.flatMap((part) => REST.flatMap((rest) => [`${part}, ${rest}`, `${rest}, ${part}`])))('%s', (prompt) =>
    expect(isRefused(prompt)).toBe(true),
  );
});

describe('turns of objects are not those of the camera', () => {
  it.each(fill('does _ _ turn _', ['a', 'the'], ['dog', 'cat', 'bird'], ['around', 'left']))('%s', (prompt) => {
    const { searches } = plan(prompt);
    expect(searches.every(isBlocked)).toBe(true);
    expect(searches.some(({ steps }) => steps.some(({ what }) => what.kind === 'camera'))).toBe(false);
  });
});

describe('others than those that were named', () => {
  it.each(fill('the other _', OBJECTS))('%s: found with a remark that decides', (prompt) => {
    const [step] = plan(prompt).searches[0]!.steps;
    expect(step!.unchecked).toEqual([expect.objectContaining({ text: 'the other', blocks: false, decides: true })]);
  });

  it('"anyone else" counts everyone, with a remark', () => {
    expect(summary('is anyone else in the room')).toBe('yes_no? person present ~else ~room');
  });
});

describe('one question has one plan', () => {
  it.each(fill('how many _ are in the room_', ['people', 'dogs'], ['', ' right now', ' at the moment']))(
    '%s',
    (prompt) => {
      expect(summary(prompt)).toMatch(/^count\? (?:person|dog) present ~room$/);
    },
  );

  it.each(fill('is the _ _ or _', OBJECTS, ['red'], ['blue', 'black']))('%s: one search', (prompt) => {
    expect(summary(prompt)).toMatch(/^yes_no\? red\/(?:blue|black) \w+ present$/);
  });

  it('an empty room has one plan in all wordings', () => {
    const empty = summary('when is the room empty');
    expect(summary('when is the room deserted')).toBe(empty);
    expect(summary('at what time is the room empty?')).toBe(empty);
  });

  it.each(['when is nobody there', 'when is nobody in the picture', 'when is there nobody'])('%s', (prompt) => {
    expect(summary(prompt)).toBe('when? not person present');
  });

  it.each(fill('nobody _ for _ seconds', ['enters', 'leaves'], ['5', '30']))(
    '%s: an absence of this length',
    (prompt) => {
      const [step] = plan(prompt).searches[0]!.steps;
      expect(step).toMatchObject({ negated: true, duration: { min: Number(/\d+/.exec(prompt)![0]), max: null } });
    },
  );
});

describe('requests that were refused for their wording', () => {
  it.each(['summarize this video for me pls', 'summarize the video', 'describe this clip'])('%s', (prompt) => {
    expect(summary(prompt)).toBe('describe? notable');
  });

  it.each(fill('_ waves_', ['sea', 'ocean'], ['', ' for 5 seconds']))('%s', (prompt) => {
    expect(summary(prompt)).toMatch(/^sound sea_waves/);
  });
});
