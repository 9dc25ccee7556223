import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSealer } from '#platform/secrets/index';
import { fetchDocument, listOperations } from '#test/api/operations';
import { appCode } from '#test/authenticator';
import {
  type Browser,
  createBrowser,
  createPeopleWorld,
  PASSWORD,
  type PeopleWorld,
  statusAndError,
} from '#test/people';
import { rotateFactorKeys } from './factors.ts';

let world: PeopleWorld;
beforeAll(async () => {
  world = await createPeopleWorld();
});
afterAll(() => world.close());
beforeEach(() => world.database.db.deleteFrom('rateLimits').execute());

type Member = Awaited<ReturnType<PeopleWorld['member']>>;

/** The code that an app with this key shows; each call moves the clocks on by a step, so that it was not used. */
function nextCode(key: string): string {
  world.clock.ms += 30_000;
  return codeNow(key);
}
const codeNow = (key: string) => appCode(key, Date.now() + world.clock.ms);
/** A code that is of no accepted step. */
const wrongCode = (key: string) => String((Number(codeNow(key)) + 1) % 1_000_000).padStart(6, '0');

async function enroll(browser: Browser): Promise<{ key: string; recoveryCodes: string[] }> {
  const started = await browser.post('/api/auth/second-factor', { password: PASSWORD });
  expect(started.status, started.text).toBe(200);
  const key = String(started.json.key);
  const confirmed = await browser.post('/api/auth/second-factor/confirm', { code: nextCode(key) });
  expect(confirmed.status, confirmed.text).toBe(200);
  return { key, recoveryCodes: confirmed.json.recovery_codes as string[] };
}

/** A member with a second factor, and a browser in which they are signed in. */
async function enrolled(role: 'member' | 'admin' | 'owner' = 'member') {
  const member = await world.member(role);
  return { ...member, ...(await enroll(member)) };
}

const signIn = (browser: Browser, email: string, code?: string) =>
  browser.post('/api/auth/sign-in', { email, password: PASSWORD, ...(code !== undefined && { code }) });
const anywhere = () => createBrowser(world.api);
const entriesAbout = (subjectId: string) =>
  world.database.db.selectFrom('auditEvents').selectAll().where('subjectId', '=', subjectId).orderBy('id').execute();
const actionsAbout = async ({ userId }: Pick<Member, 'userId'>) =>
  (await entriesAbout(userId)).map(({ action }) => action);

describe('a second factor', () => {
  test('has no effect before a code of the app confirms it, and ends sessions without it', async () => {
    const member = await world.member('member');
    const other = anywhere();
    await signIn(other, member.email);
    const started = await member.post('/api/auth/second-factor', { password: PASSWORD });
    const { key, uri } = started.json as { key: string; uri: string };
    expect(key).toMatch(/^[A-Z2-7]{32}$/);
    expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Sightline (sightline.test):${member.email}?`);
    expect(new URL(uri).searchParams.get('secret')).toBe(key);
    expect((await signIn(anywhere(), member.email)).status).toBe(200);
    const wrong = await member.post('/api/auth/second-factor/confirm', { code: wrongCode(key) });
    expect(statusAndError(wrong)).toEqual([403, 'second_factor_wrong']);

    const before = member.cookies.get('sightline_session');
    const confirmed = await member.post('/api/auth/second-factor/confirm', { code: codeNow(key) });
    expect(confirmed.json).toMatchObject({ session: { has_second_factor: true, recovery_codes_left: 10 } });
    expect(confirmed.json.recovery_codes).toHaveLength(10);
    expect(member.cookies.get('sightline_session')).not.toBe(before);
    expect((await member.get('/api/auth/session')).status).toBe(200);
    expect(statusAndError(await other.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    expect(await actionsAbout(member)).toContain('second_factor.set');
  });

  test('needs a code to sign in, and without one nothing is signed in', async () => {
    const { email, key } = await enrolled();
    const browser = anywhere();
    const first = await signIn(browser, email);
    expect(statusAndError(first)).toEqual([401, 'second_factor_needed']);
    expect(first.headers.getSetCookie()).toEqual([]);
    expect((await browser.get('/api/auth/session')).status).toBe(403);
    const wrong = await signIn(browser, email, wrongCode(key));
    expect(statusAndError(wrong)).toEqual([403, 'second_factor_wrong']);
    expect(wrong.headers.getSetCookie()).toEqual([]);
    const code = nextCode(key);
    expect((await signIn(browser, email, `${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);
    expect((await browser.get('/api/auth/session')).json).toMatchObject({ has_second_factor: true });
  });

  test('does not say whether the code is right if the password is wrong', async () => {
    const { email, key } = await enrolled();
    for (const code of [nextCode(key), wrongCode(key)]) {
      const answer = await anywhere().post('/api/auth/sign-in', { email, password: 'wrong password, long', code });
      expect(statusAndError(answer)).toEqual([401, 'credentials_wrong']);
    }
    expect((await signIn(anywhere(), email, codeNow(key))).status).toBe(200);
  });

  test('accepts each code once, also of two sign-ins at the same time, and no earlier one', async () => {
    const { email, key } = await enrolled();
    const earlier = nextCode(key);
    const code = nextCode(key);
    const both = await Promise.all([signIn(anywhere(), email, code), signIn(anywhere(), email, code)]);
    expect(both.map(statusAndError).sort()).toEqual([
      [200, undefined],
      [403, 'second_factor_wrong'],
    ]);
    // It is of the step before, which is accepted otherwise.
    expect(statusAndError(await signIn(anywhere(), email, earlier))).toEqual([403, 'second_factor_wrong']);
    const unused = await enrolled();
    const late = nextCode(unused.key);
    world.clock.ms += 30_000;
    expect((await signIn(anywhere(), unused.email, late)).status).toBe(200);
    const old = nextCode(unused.key);
    world.clock.ms += 60_000;
    expect((await signIn(anywhere(), unused.email, old)).status).toBe(403);
  });

  test('accepts each recovery code once, however it is typed', async () => {
    const { email, userId, recoveryCodes } = await enrolled();
    const [first, second] = recoveryCodes as [string, string];
    expect((await signIn(anywhere(), email, first)).json).toMatchObject({ recovery_codes_left: 9 });
    expect(statusAndError(await signIn(anywhere(), email, first))).toEqual([403, 'second_factor_wrong']);
    expect((await signIn(anywhere(), email, ` ${second.toUpperCase().replaceAll('-', ' ')}`)).status).toBe(200);
    const stored = await world.database.db
      .selectFrom('recoveryCodes')
      .selectAll()
      .where('userId', '=', userId)
      .execute();
    expect(stored).toHaveLength(8);
    expect(JSON.stringify(stored)).not.toContain(recoveryCodes[2]!.slice(0, 4));
    const sessions = await world.database.db
      .selectFrom('auditEvents')
      .select('detail')
      .where('userId', '=', userId)
      .where('action', '=', 'session.created')
      .orderBy('id')
      .execute();
    expect(sessions.map(({ detail }) => (detail as { second_factor: string }).second_factor)).toEqual([
      'none',
      'totp',
      'recovery_code',
      'recovery_code',
    ]);
  });

  test('is stored encrypted, and rotated with the root secret', async () => {
    const { email, userId, key } = await enrolled();
    const row = () =>
      world.database.db.selectFrom('secondFactors').selectAll().where('userId', '=', userId).executeTakeFirstOrThrow();
    const before = await row();
    expect(JSON.stringify(before)).not.toContain(key);
    const [present, next] = [world.rootSecret, 'a root secret of 32 characters..'];
    const rotate = (to: string, from: string) =>
      rotateFactorKeys({ database: world.database, sealer: createSealer(to, from) });
    expect(await rotate(next, 'not the previous secret, which is')).toMatchObject({ rotated: 0 });
    const { rotated } = await rotate(next, present);
    expect(rotated).toBeGreaterThan(0);
    expect((await row()).encryptedKey).not.toEqual(before.encryptedKey);
    expect(await rotate(present, next)).toEqual({ rotated, lost: 0 });
    expect((await signIn(anywhere(), email, nextCode(key))).status).toBe(200);
  });

  test('is limited in tries, without shutting out a browser in which the user signed in before', async () => {
    const { email, key } = await enrolled();
    const known = anywhere();
    expect((await signIn(known, email, nextCode(key))).status).toBe(200);
    await world.database.db.deleteFrom('rateLimits').execute();
    // Nobody without the password uses up tries.
    for (let n = 0; n < 25; n++) {
      await anywhere().post('/api/auth/sign-in', { email, password: 'wrong password, long', code: '000000' });
    }
    expect((await signIn(anywhere(), email, nextCode(key))).status).toBe(200);
    const wrong = wrongCode(key);
    const statuses: number[] = [];
    for (let n = 0; n < 21; n++) statuses.push((await signIn(anywhere(), email, wrong)).status);
    expect(statuses).toEqual([...Array(19).fill(403), 429, 429]);
    const code = nextCode(key);
    expect((await signIn(anywhere(), email, code)).status).toBe(429);
    expect((await signIn(known, email, code)).status).toBe(200);
  });

  test('is turned off with the password and a code, and recovery codes replaced', async () => {
    const member = await enrolled();
    const send = (path: string, password: string, code: string) =>
      member.post(`/api/auth/second-factor/${path}`, { password, code });
    for (const path of ['turn-off', 'recovery-codes']) {
      expect(statusAndError(await send(path, 'wrong password, long', nextCode(member.key)))).toEqual([
        403,
        'password_wrong',
      ]);
      expect(statusAndError(await send(path, PASSWORD, wrongCode(member.key)))).toEqual([403, 'second_factor_wrong']);
    }
    const replaced = await send('recovery-codes', PASSWORD, nextCode(member.key));
    const fresh = replaced.json.recovery_codes as string[];
    expect((await signIn(anywhere(), member.email, member.recoveryCodes[0])).status).toBe(403);
    expect((await signIn(anywhere(), member.email, fresh[0])).status).toBe(200);
    const again = await member.post('/api/auth/second-factor', { password: PASSWORD });
    expect(statusAndError(again)).toEqual([409, 'second_factor_set']);
    expect((await send('turn-off', PASSWORD, fresh[1]!)).json).toMatchObject({
      has_second_factor: false,
      recovery_codes_left: 0,
    });
    expect((await signIn(anywhere(), member.email)).status).toBe(200);
    expect(statusAndError(await send('turn-off', PASSWORD, fresh[2]!))).toEqual([409, 'second_factor_off']);
    expect(await actionsAbout(member)).toEqual(
      expect.arrayContaining(['second_factor.set', 'recovery_codes.replaced', 'second_factor.turned_off']),
    );
  });

  test('is not skipped by a link for a new password, which stays valid', async () => {
    const { email, userId, key } = await enrolled();
    const token = await world.linkFor(userId);
    const next = `${PASSWORD} 2`;
    const accept = (code?: string) =>
      anywhere().post('/api/auth/accept', { token, password: next, ...(code !== undefined && { code }) });
    expect(statusAndError(await accept())).toEqual([401, 'second_factor_needed']);
    expect(statusAndError(await accept(wrongCode(key)))).toEqual([403, 'second_factor_wrong']);
    expect(statusAndError(await signIn(anywhere(), email))).toEqual([401, 'second_factor_needed']);
    expect((await accept(nextCode(key))).status).toBe(200);
    expect(statusAndError(await signIn(anywhere(), email, nextCode(key)))).toEqual([401, 'credentials_wrong']);
  });

  test('is reset by an administrator or the operator, not by the user', async () => {
    const [member, owner] = [await enrolled(), await enrolled('owner')];
    const admin = await world.member('admin');
    const reset = (browser: Pick<Browser, 'send'>, userId: string) =>
      browser.send('DELETE', `/api/members/${userId}/second-factor`);
    expect(statusAndError(await reset(member, member.userId))).toEqual([403, 'scope_missing']);
    expect(statusAndError(await reset(admin, owner.userId))).toEqual([403, 'owner_needed']);
    expect(statusAndError(await reset(owner, owner.userId))).toEqual([409, 'second_factor_own']);
    expect((await reset(admin, member.userId)).json).toMatchObject({ has_second_factor: false });
    expect(statusAndError(await member.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    expect((await signIn(anywhere(), member.email)).status).toBe(200);
    expect(statusAndError(await reset(admin, member.userId))).toEqual([409, 'second_factor_off']);
    const resets = async ({ userId }: Pick<Member, 'userId'>) =>
      (await entriesAbout(userId)).filter(
        ({ action, outcome }) => action === 'second_factor.reset' && outcome === 'succeeded',
      );
    expect(await resets(member)).toMatchObject([{ userId: admin.userId }]);

    await world.people.members.resetSecondFactorOf(owner.email);
    expect((await signIn(anywhere(), owner.email)).status).toBe(200);
    expect(await resets(owner)).toMatchObject([{ userId: null }]);
  });

  test('is of no use without a password', async () => {
    const member = await world.member('member');
    await world.database.db.updateTable('users').set({ passwordHash: null }).where('id', '=', member.userId).execute();
    const started = await member.post('/api/auth/second-factor', { password: PASSWORD });
    expect(statusAndError(started)).toEqual([409, 'password_not_set']);
    const confirmed = await member.post('/api/auth/second-factor/confirm', { code: '123456' });
    expect(statusAndError(confirmed)).toEqual([409, 'second_factor_not_begun']);
  });
});

describe('an organization that requires a second factor', () => {
  const require = (browser: Pick<Browser, 'send'>, required: boolean) =>
    browser.send('PATCH', '/api/organization', { json: { second_factor_required: required } });

  /** Operations for the signed-in user that do not refuse for lack of a second factor, besides those to set one up. */
  async function listAllowed(browser: Browser): Promise<string[]> {
    const allowed = ['getSession', 'signOut', 'beginSecondFactor', 'confirmSecondFactor'];
    const operations = listOperations(await fetchDocument(world.api)).filter(
      ({ id, scope }) => scope !== 'public' && !allowed.includes(id),
    );
    expect(operations.length).toBeGreaterThan(200);
    const answers = await Promise.all(
      operations.map(async ({ id, method, path }) => {
        const url = path.replaceAll(/\{\w+\}/g, '0'.repeat(32));
        const { status, json } = await browser.send(method, url, { headOfStream: true });
        const isRefused = status === 403 && (method === 'HEAD' || json.error === 'second_factor_required');
        return isRefused ? [] : [`${id}: ${status} ${json.error}`];
      }),
    );
    return answers.flat();
  }

  test('lets members without one only set it up', async () => {
    const [member, admin] = [await world.member('member'), await world.member('admin')];
    expect(statusAndError(await require(admin, true))).toEqual([409, 'second_factor_own_first']);
    await enroll(admin);
    const turned = await world.member('member');
    expect((await require(admin, true)).json).toMatchObject({ second_factor_required: true, name: 'My organization' });
    try {
      const browser = anywhere();
      const signedIn = await signIn(browser, member.email);
      expect(signedIn.json).toMatchObject({ needs_second_factor: true });
      for (const one of [browser, member]) {
        expect((await one.get('/api/auth/session')).json).toMatchObject({ needs_second_factor: true });
        expect(await listAllowed(one)).toEqual([]);
      }
      await enroll(browser);
      expect((await browser.get('/api/organization')).status).toBe(200);

      // A member who turns theirs off has to set up another one.
      const { recoveryCodes } = await enroll(turned);
      const off = { password: PASSWORD, code: recoveryCodes[0] };
      expect((await turned.post('/api/auth/second-factor/turn-off', off)).json).toMatchObject({
        needs_second_factor: true,
      });
      expect((await turned.get('/api/organization')).status).toBe(403);
      const joined = await world.member('member');
      expect((await joined.get('/api/auth/session')).json).toMatchObject({ needs_second_factor: true });
      expect((await joined.post('/api/auth/sign-out')).status).toBe(200);
    } finally {
      expect((await require(admin, false)).json).toMatchObject({ second_factor_required: false });
    }
    expect((await signIn(anywhere(), turned.email)).json).toMatchObject({ needs_second_factor: false });
    const entries = (await entriesAbout(member.orgId)).filter(({ action }) => action === 'organization.second_factor');
    expect(entries.map(({ detail }) => detail)).toEqual([{ required: true }, { required: false }]);
  });

  test('leaves single sign-on and keys alone', async () => {
    const member = await world.member('member');
    const { key } = await world.keys.create({
      orgId: member.orgId,
      userId: member.userId,
      name: 'k',
      scopes: ['read'],
    });
    const setting = (secondFactorRequired: boolean) =>
      world.database.db
        .updateTable('organizations')
        .set({ secondFactorRequired })
        .where('id', '=', member.orgId)
        .execute();
    await setting(true);
    try {
      expect((await world.api.call('GET', '/api/organization', { key })).status).toBe(200);
      expect((await member.get('/api/organization')).status).toBe(403);
      await world.database.db
        .updateTable('sessions')
        .set({ method: 'sso' })
        .where('userId', '=', member.userId)
        .execute();
      expect((await member.get('/api/organization')).status).toBe(200);
    } finally {
      await setting(false);
    }
  });
});
