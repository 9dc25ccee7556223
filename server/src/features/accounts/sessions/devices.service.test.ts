import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBrowser, createPeopleWorld, PASSWORD, type PeopleWorld } from '#test/people';

let world: PeopleWorld;
let node: Awaited<ReturnType<PeopleWorld['startNode']>>;
beforeAll(async () => {
  world = await createPeopleWorld();
  node = await world.startNode({ SIGHTLINE_SIGN_INS_PER_MINUTE: '4', SIGHTLINE_SIGN_INS_PER_DAY: '100' });
});
afterAll(() => world.close());
beforeEach(() => world.database.db.deleteFrom('rateLimits').execute());

/** Guesses until nobody may try any more, from the address of the user. */
async function lockOut(email: string) {
  const statuses: number[] = [];
  for (let i = 0; i < 6; i++)
    statuses.push((await createBrowser(node.api).signIn(email, 'wrong password, long')).status);
  expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
}

test('a user signs in where they have before, while others guess their password', async () => {
  const { email } = await world.member('member');
  const browser = createBrowser(node.api);
  expect((await browser.signIn(email)).status).toBe(200);
  expect((await browser.post('/api/auth/sign-out')).status).toBe(200);
  await world.database.db.deleteFrom('rateLimits').execute();
  await lockOut(email);
  expect((await browser.signIn(` ${email.toUpperCase()}`)).status).toBe(200);
  expect((await createBrowser(node.api).signIn(email)).status).toBe(429);
  // Their password can be changed, too.
  const change = { current_password: PASSWORD, new_password: `${PASSWORD} 2` };
  expect((await browser.post('/api/auth/password', change)).status).toBe(200);
});

test('a known browser is limited as well, for its own account only', async () => {
  const [mine, other] = [await world.member('member'), await world.member('member')];
  const browser = createBrowser(node.api);
  await browser.signIn(mine.email);
  const device = browser.cookies.get('sightline_device')!;
  const guess = async (email: string) => {
    browser.cookies.set('sightline_device', device);
    return (await browser.signIn(email, 'wrong password, long')).status;
  };
  await world.database.db.deleteFrom('rateLimits').execute();
  const own: number[] = [];
  for (let i = 0; i < 6; i++) own.push(await guess(mine.email));
  expect(own).toEqual([401, 401, 401, 401, 429, 429]);
  // It is unknown for another account: its address counts.
  const others: number[] = [];
  for (let i = 0; i < 6; i++) others.push(await guess(other.email));
  expect(others).toEqual([401, 401, 401, 401, 429, 429]);
});

test.each([
  ['altered', (value: string) => `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`],
  ['of another id', (value: string) => `${'0'.repeat(24)}${value.slice(24)}`],
  ['no such value', () => 'x'],
])('a cookie that is %s makes no browser known', async (_, alter) => {
  const { email } = await world.member('member');
  const browser = createBrowser(node.api);
  await browser.signIn(email);
  const forged = alter(browser.cookies.get('sightline_device')!);
  await world.database.db.deleteFrom('rateLimits').execute();
  await lockOut(email);
  browser.cookies.set('sightline_device', forged);
  expect((await browser.signIn(email)).status).toBe(429);
});

test('the cookie ends after a year, and says nothing about the user', async () => {
  const { email } = await world.member('member');
  const answer = await createBrowser(node.api).signIn(email);
  const cookie = answer.headers.getSetCookie().find((line) => line.startsWith('sightline_device='))!;
  expect(cookie).toMatch(
    /^sightline_device=[0-9a-f]{24}\.\w+\.[\w-]{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  expect(cookie).not.toContain(email);
});
