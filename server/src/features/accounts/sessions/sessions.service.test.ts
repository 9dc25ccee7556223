import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBrowser, createPeopleWorld, PASSWORD, type PeopleWorld, statusAndError } from '#test/people';
import { createPasswords } from '../passwords.ts';

let world: PeopleWorld;

beforeAll(async () => {
  world = await createPeopleWorld();
});
afterAll(() => world.close());

const stored = () => world.database.db.selectFrom('sessions').selectAll().execute();

describe('the signed-in user', () => {
  test('is described by every response that starts a session, and by the session itself', async () => {
    const { email, userId } = await world.member('admin');
    const browser = createBrowser(world.api);
    const signedIn = await browser.signIn(email);
    expect(signedIn.json).toMatchObject({
      user_id: userId,
      role: 'admin',
      locale: null,
      has_password: true,
      permissions: ['read', 'write', 'admin'],
      org_name: 'My organization',
      operates_service: true,
    });
    expect((await browser.get('/api/auth/session')).json).toEqual(signedIn.json);
    await world.database.db.updateTable('users').set({ passwordHash: null }).where('id', '=', userId).execute();
    expect((await browser.get('/api/auth/session')).json).toMatchObject({ has_password: false });
  });

  test('changes their name and language, one without the other, in all sessions', async () => {
    const { email, name } = { ...(await world.member('member')), name: 'Grace Hopper' };
    const [one, other] = [createBrowser(world.api), createBrowser(world.api)];
    await one.signIn(email);
    await other.signIn(email);
    const change = (json: object) => one.send('PATCH', '/api/auth/profile', { json });
    expect((await change({ name: `  ${name} ` })).json).toMatchObject({ name, locale: null });
    expect((await change({ locale: 'pt-br' })).json).toMatchObject({ name, locale: 'pt-BR' });
    expect((await other.get('/api/auth/session')).json).toMatchObject({ name, locale: 'pt-BR' });
    expect((await change({})).json).toMatchObject({ name, locale: 'pt-BR' });
    expect((await change({ locale: null })).json).toMatchObject({ name, locale: null });
    for (const [json, error] of [
      [{ name: '   ' }, 'name_invalid'],
      [{ name: 'a\nb' }, 'request_invalid'],
      [{ name: null }, 'request_invalid'],
      [{ locale: 'english!' }, 'request_invalid'],
      [{ locale: 'en-en-en-en' }, 'locale_invalid'],
    ] as const) {
      expect(statusAndError(await change(json)), JSON.stringify(json)).toEqual([400, error]);
    }
    expect((await other.get('/api/auth/session')).json).toMatchObject({ name, locale: null });
  });
});

describe('signing in', () => {
  test('sets a cookie that no script reads, and everything but the token is in the answer', async () => {
    const { email, userId } = await world.member('member');
    const browser = createBrowser(world.api);
    const answer = await browser.signIn(email.toUpperCase());
    expect(answer).toMatchObject({
      status: 200,
      json: { user_id: userId, email, org_id: world.owner.orgId, permissions: ['read', 'write'] },
    });
    const [cookie] = answer.headers.getSetCookie();
    expect(cookie).toMatch(/^sightline_session=[\w-]{43}; Max-Age=(3600|3599); Path=\/; HttpOnly; SameSite=Lax$/);
    expect(answer.text).not.toContain(browser.cookies.get('sightline_session'));
    expect((await browser.get('/api/auth/session')).json).toMatchObject({ user_id: userId });
  });

  test('over https the cookie is for https alone, and for this host alone', async () => {
    const node = await world.startNode({ SIGHTLINE_PUBLIC_URL: 'https://sightline.example.com' });
    const { email } = await world.member('member');
    const browser = createBrowser(node.api, { origin: 'https://sightline.example.com' });
    const [cookie] = (await browser.signIn(email)).headers.getSetCookie();
    expect(cookie).toMatch(/^__Host-sightline_session=[^;]+; Max-Age=\d+; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    expect((await browser.get('/api/auth/session')).status).toBe(200);
    const plain = { cookie: `sightline_session=${browser.cookies.get('__Host-sightline_session')}` };
    expect((await node.api.call('GET', '/api/auth/session', { headers: plain })).status).toBe(403);
  });

  test('is refused in the same words for a wrong password, an unknown address and what is none', async () => {
    const { email } = await world.member('member');
    const browser = createBrowser(world.api);
    const answers = [
      await browser.signIn(email, 'wrong password, long'),
      await browser.signIn('nobody@example.com'),
      await browser.signIn('no address'),
      await browser.signIn('owner@localhost', ''.padEnd(256, 'x')),
      await browser.signIn(email, PASSWORD.toUpperCase()),
      // The Kelvin sign and the like must not lead to an address with a k.
      await browser.signIn(email.replace('m', 'ｍ')),
    ];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 401, json: { error: 'credentials_wrong' } });
      expect({ ...answer.json, request_id: '' }).toEqual({ ...answers[0]!.json, request_id: '' });
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
  });

  test('does the same work for an unknown address as for a wrong password, so that the time tells nothing', async () => {
    const { email } = await world.member('member');
    const passwords = createPasswords();
    const checked: (string | null)[] = [];
    const verify = (password: string, stored: string | null) => {
      checked.push(stored);
      return passwords.verify(password, stored);
    };
    const node = await world.startNode({}, { ...passwords, verify });
    const hash = await passwords.hash(PASSWORD, email);
    await world.database.db.updateTable('users').set({ passwordHash: hash }).where('email', '=', email).execute();
    const browser = createBrowser(node.api);
    for (const address of [email, 'nobody@example.com']) await browser.signIn(address, 'wrong password, long');
    expect(checked).toEqual([hash, null]);
  });

  test('takes no password that is longer than any may be', async () => {
    const answer = await createBrowser(world.api).signIn('owner@localhost', 'x'.repeat(257));
    expect(statusAndError(answer)).toEqual([400, 'request_invalid']);
  });

  test('makes a new session whatever cookie was there: none can be planted', async () => {
    const { email } = await world.member('member');
    const browser = createBrowser(world.api);
    browser.cookies.set('sightline_session', 'p'.repeat(43));
    await browser.signIn(email);
    expect(browser.cookies.get('sightline_session')).not.toBe('p'.repeat(43));
    const planted = { cookie: `sightline_session=${'p'.repeat(43)}` };
    expect(statusAndError(await world.api.call('GET', '/api/auth/session', { headers: planted }))).toEqual([
      401,
      'session_ended',
    ]);
  });

  test('leaves nothing in the database that would let its reader in', async () => {
    const browser = await world.member('member');
    const token = browser.cookies.get('sightline_session')!;
    const rows = JSON.stringify([
      await stored(),
      await world.database.db.selectFrom('accountLinks').selectAll().execute(),
      await world.database.db.selectFrom('auditEvents').selectAll().execute(),
      await world.database.db.selectFrom('users').selectAll().execute(),
    ]);
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(Buffer.from(token).toString('hex'));
    expect(rows).not.toContain(PASSWORD);
    for (const { hash } of await stored()) {
      for (const guess of [hash.toString('base64url'), hash.toString('hex')]) {
        const headers = { cookie: `sightline_session=${guess}` };
        expect((await world.api.call('GET', '/api/auth/session', { headers })).status).toBe(401);
      }
    }
  });
});

describe('guessing', () => {
  test('is slowed per account from wherever, and per address whatever the account, over all nodes', async () => {
    const attempts = { SIGHTLINE_SIGN_INS_PER_MINUTE: '4', SIGHTLINE_SIGN_INS_PER_DAY: '100' };
    const nodes = [await world.startNode(attempts), await world.startNode(attempts)];
    const { email } = await world.member('member');
    await world.database.db.deleteFrom('rateLimits').execute();
    const guess = async (n: number, address: string, password = 'wrong password, long') =>
      statusAndError(await createBrowser(nodes[n % 2]!.api).signIn(address, password));
    const all = [];
    for (let i = 0; i < 6; i++) all.push((await guess(i, email))[0]);
    expect(all).toEqual([401, 401, 401, 401, 429, 429]);
    // Neither the right password nor another account gets through meanwhile.
    expect(await guess(0, email, PASSWORD)).toEqual([429, 'rate_limited']);
    expect(await guess(1, 'nobody@example.com')).toEqual([429, 'rate_limited']);
    // From elsewhere the account alone is limited.
    await world.database.db.deleteFrom('rateLimits').where('subject', 'like', '%from%').execute();
    for (const spelled of [` ${email.toUpperCase()} `, email.replace('example', 'ｅｘａｍｐｌｅ')]) {
      expect(await guess(0, spelled, PASSWORD)).toEqual([429, 'rate_limited']);
    }
    expect((await guess(1, 'somebody@example.com'))[0]).toBe(401);
    const rows = await world.database.db.selectFrom('rateLimits').select('subject').execute();
    expect(JSON.stringify(rows)).not.toContain(email.split('@')[0]);
  });
});

describe('a session', () => {
  test('ends when it is signed out, on every node, and its cookie goes', async () => {
    const other = await world.startNode();
    const browser = await world.member('member');
    const headers = { cookie: `sightline_session=${browser.cookies.get('sightline_session')}` };
    expect((await other.api.call('GET', '/api/auth/session', { headers })).status).toBe(200);
    const out = await browser.post('/api/auth/sign-out');
    expect([out.status, out.headers.getSetCookie()[0]]).toEqual([200, expect.stringContaining('Max-Age=0')]);
    for (const node of [world, other]) {
      const answer = await node.api.call('GET', '/api/auth/session', { headers });
      expect(statusAndError(answer)).toEqual([401, 'session_ended']);
    }
  });

  test('ends after its time', async () => {
    const browser = await world.member('member');
    world.clock.ms = 3_599_000;
    expect((await browser.get('/api/auth/session')).status).toBe(200);
    world.clock.ms = 3_601_000;
    expect(statusAndError(await browser.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    expect(await world.people.purge()).toBeGreaterThan(0);
    world.clock.ms = 0;
    expect(statusAndError(await browser.get('/api/auth/session'))).toEqual([401, 'session_ended']);
  });

  test('is listed with where it began; one is ended, or all', async () => {
    const first = await world.member('member');
    const second = createBrowser(world.api);
    await second.send('POST', '/api/auth/sign-in', {
      json: { email: first.email, password: PASSWORD },
      headers: { 'user-agent': 'Second/2' },
    });
    const third = createBrowser(world.api);
    await third.signIn(first.email);
    type Listed = { session_id: string; current: boolean; user_agent: string; method: string };
    const listed = (await first.get('/api/auth/sessions')).json.sessions as Listed[];
    expect(listed.map(({ current, method }) => [current, method])).toEqual([
      [false, 'password'],
      [false, 'password'],
      [true, 'link'],
    ]);
    const secondId = listed.find((session) => session.user_agent === 'Second/2')!.session_id;
    expect((await first.send('DELETE', `/api/auth/sessions/${secondId}`)).status).toBe(200);
    expect((await second.get('/api/auth/session')).status).toBe(401);
    const stranger = await world.member('owner');
    const foreign = await stranger.send('DELETE', `/api/auth/sessions/${listed[0]!.session_id}`);
    expect(statusAndError(foreign)).toEqual([403, 'session_forbidden']);
    const unknown = await stranger.send('DELETE', `/api/auth/sessions/${'0'.repeat(32)}`);
    expect(statusAndError(unknown)).toEqual([404, 'session_not_found']);

    expect((await third.post('/api/auth/sign-out-everywhere')).json).toEqual({ ended: 2 });
    for (const browser of [first, third]) expect((await browser.get('/api/auth/sessions')).status).toBeGreaterThan(400);
  });
});

describe('a change of the password', () => {
  const NEXT = 'staple battery horse correct';

  test('needs the old one, ends all other sessions and gives this browser a new one', async () => {
    const browser = await world.member('member');
    const other = createBrowser(world.api);
    await other.signIn(browser.email);
    const change = (current_password: string, new_password: string) =>
      browser.post('/api/auth/password', { current_password, new_password });
    expect(statusAndError(await change('wrong password, long', NEXT))).toEqual([403, 'password_wrong']);
    expect(statusAndError(await change(PASSWORD, 'short'))).toEqual([400, 'request_invalid']);
    for (const weak of ['aaaaaaaaaaaaaaaa', `my ${browser.email}`]) {
      expect(statusAndError(await change(PASSWORD, weak))).toEqual([400, 'password_weak']);
    }
    expect((await other.get('/api/auth/session')).status).toBe(200);

    const before = browser.cookies.get('sightline_session');
    expect((await change(PASSWORD, NEXT)).status).toBe(200);
    expect(browser.cookies.get('sightline_session')).not.toBe(before);
    expect((await browser.get('/api/auth/session')).status).toBe(200);
    expect(statusAndError(await other.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    const old = { cookie: `sightline_session=${before}` };
    expect((await world.api.call('GET', '/api/auth/session', { headers: old })).status).toBe(401);
    expect((await other.signIn(browser.email, PASSWORD)).status).toBe(401);
    expect((await other.signIn(browser.email, NEXT)).status).toBe(200);
  });

  test('of two at once, one counts', async () => {
    const browser = await world.member('member');
    const cookie = `sightline_session=${browser.cookies.get('sightline_session')}`;
    const headers = { cookie, origin: world.api.base };
    const answers = await Promise.all(
      ['one', 'two'].map((word) =>
        world.api.call('POST', '/api/auth/password', {
          headers,
          json: { current_password: PASSWORD, new_password: `${NEXT} ${word}` },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).not.toEqual([200, 200]);
    const let_in = [];
    for (const word of ['one', 'two']) {
      let_in.push((await createBrowser(world.api).signIn(browser.email, `${NEXT} ${word}`)).status);
    }
    expect(let_in.sort()).toEqual([200, 401]);
  });

  test('is the same password in composed and in decomposed letters', async () => {
    const browser = await world.member('member');
    await browser.post('/api/auth/password', { current_password: PASSWORD, new_password: 'käse und brötchen' });
    const again = await createBrowser(world.api).signIn(browser.email, 'käse und brötchen'.normalize('NFD'));
    expect(again.status).toBe(200);
  });
});

describe('other sites', () => {
  const ELSEWHERE = { origin: 'https://evil.example' };

  test('cannot make a signed-in browser change anything', async () => {
    const browser = await world.member('admin');
    const attempts: Record<string, string>[] = [
      ELSEWHERE,
      { origin: 'null' },
      { origin: `${world.api.base}.evil.example` },
      { origin: world.api.base, 'sec-fetch-site': 'cross-site' },
      { origin: world.api.base, 'sec-fetch-site': 'same-site' },
      { origin: '' },
    ];
    for (const headers of attempts) {
      for (const [method, path] of [
        ['POST', '/api/keys'],
        ['PATCH', '/api/organization'],
        ['DELETE', `/api/members/${browser.userId}`],
        ['POST', '/api/auth/sign-out'],
      ] as const) {
        const answer = await browser.send(method, path, { headers, json: { name: 'theirs' } });
        expect([headers, path, ...statusAndError(answer)]).toEqual([headers, path, 403, 'cross_site']);
      }
    }
    const cookie = `sightline_session=${browser.cookies.get('sightline_session')}`;
    const silent = await world.api.call('POST', '/api/keys', { headers: { cookie }, json: { name: 'theirs' } });
    expect(statusAndError(silent)).toEqual([403, 'cross_site']);
    expect((await browser.get('/api/keys')).json.keys).toEqual([]);
  });

  test('cannot sign a browser in, with a form either', async () => {
    const { email } = await world.member('member');
    const json = { email, password: PASSWORD };
    const body = new URLSearchParams(json);
    for (const options of [{ json }, { body }]) {
      const answer = await world.api.call('POST', '/api/auth/sign-in', { headers: ELSEWHERE, ...options });
      expect(statusAndError(answer)).toEqual([403, 'cross_site']);
    }
  });

  test('read nothing: no answer lets a page of theirs see what a cookie shows', async () => {
    const browser = await world.member('member');
    const answer = await browser.send('GET', '/api/auth/session', { headers: ELSEWHERE });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('a cookie and a key', () => {
  test('together: the key counts', async () => {
    const admin = await world.member('admin');
    const { key } = await world.keys.create({ ...world.owner, name: 'reader', scopes: ['read'] });
    const answer = await admin.send('POST', '/api/keys', { key, json: { name: 'x' } });
    expect(statusAndError(answer)).toEqual([403, 'scope_missing']);
    const wrong = await admin.send('GET', '/api/keys', { key: 'sk_short' });
    expect(statusAndError(wrong)).toEqual([403, 'key_malformed']);
    expect(statusAndError(await admin.send('POST', '/api/auth/sign-out', { key }))).toEqual([403, 'session_needed']);
  });
});
