import { expect, it } from 'vitest';
import { observations, signals } from '../../find/observations.fixture.ts';
import { createPlanner } from '../../plan/index.ts';
import { framesOf, openEyes, profileOf } from '../oracle.fixture.ts';
import { createVisionProfiles } from './profiles.ts';

it('chooses by name, and the default for names that are not configured any more', () => {
  const [small, large] = [profileOf('http://small'), profileOf('http://large', { model: 'large', inputPrice: 3 })];
  const profiles = createVisionProfiles({ profiles: { small, large }, defaultProfile: 'small' });
  expect(profiles.get('large')?.profile).toBe(large);
  for (const name of [null, undefined, 'gone', 'toString']) expect(profiles.get(name)?.profile).toBe(small);
  expect(profiles.health()).toMatchObject([
    { name: 'small', isDefault: true, model: 'eyes', state: 'unknown', reason: null },
    { name: 'large', isDefault: false, inputPrice: 3, contextTokens: null },
  ]);
  expect(createVisionProfiles(null).get('small')).toBeNull();
  expect(createVisionProfiles(null).health()).toEqual([]);
});

it('shows as many frames as the context of a model holds, over the whole window', async () => {
  const eyes = await openEyes(undefined, { profile: { contextTokens: 5000 } });
  try {
    const seen = observations(8, { signals: signals(8) });
    const plan = createPlanner().planQuery('a pothole');
    const source = framesOf(eyes.oracle, { pothole: [[7, 8]] });
    const { events } = (await eyes.search.search({ plan, observations: seen, source }))!;
    expect(events).toHaveLength(1);
    for (const { images } of eyes.model.requests) expect(images.length).toBeLessThanOrEqual(6);
  } finally {
    await eyes.close();
  }
});
