import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '#platform/ids';
import {
  createBrowser,
  createPeopleWorld,
  PASSWORD,
  type PeopleWorld,
  statusAndError,
  tokenFromUrl,
} from '#test/people';

let world: PeopleWorld;

beforeAll(async () => {
  world = await createPeopleWorld();
});
afterAll(() => world.close());

const accept = (json: object) => createBrowser(world.api).post('/api/auth/accept', json);

describe('the first set-up', () => {
  test('can be used by anyone who has the link, and by nobody else', async () => {
    expect(statusAndError(await accept({ token: 'x'.repeat(43), password: PASSWORD }))).toEqual([400, 'link_invalid']);
    expect(statusAndError(await createBrowser(world.api).signIn('owner@localhost'))).toEqual([
      401,
      'credentials_wrong',
    ]);

    const replaced = await world.linkFor(world.owner.userId);
    const token = await world.linkFor(world.owner.userId);
    expect(statusAndError(await accept({ token: replaced, password: PASSWORD }))).toEqual([400, 'link_invalid']);

    for (const email of [
      'no address',
      'a@b\r\nc',
      'ада@example.com',
      'a@exa mple.com',
      'a@ex%61mple.com',
      'a@b@example.com/',
      `${'a'.repeat(65)}@example.com`,
    ]) {
      expect(statusAndError(await accept({ token, password: PASSWORD, email }))).toEqual([400, 'email_invalid']);
    }
    const browser = createBrowser(world.api);
    const json = { token, password: PASSWORD, email: 'Ada@Bücher.example', name: 'Ada' };
    const answer = await browser.post('/api/auth/accept', json);
    expect(answer).toMatchObject({
      status: 200,
      json: { email: 'ada@xn--bcher-kva.example', user_id: world.owner.userId },
    });
    expect((await browser.get('/api/auth/session')).json.permissions).toEqual(['read', 'write', 'admin']);

    expect(statusAndError(await accept(json))).toEqual([400, 'link_invalid']);
    expect((await createBrowser(world.api).signIn('ada@bücher.example')).status).toBe(200);
  });

  test('later links of the operator change the password alone, end every session, and last a day', async () => {
    const browser = await world.member('member');
    const token = await world.linkFor(browser.userId);
    world.clock.ms = 25 * 3_600_000;
    expect(statusAndError(await accept({ token, password: PASSWORD }))).toEqual([400, 'link_invalid']);
    world.clock.ms = 0;
    const next = `${PASSWORD} again`;
    const answer = await accept({ token, password: next, email: 'victim@example.com' });
    expect(answer).toMatchObject({ status: 200, json: { email: browser.email } });
    expect(statusAndError(await browser.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    // The log names the user of the link as the actor, not the operator.
    const log = await (await world.member('admin')).get('/api/audit-events');
    const ends = (log.json.events as { action: string; user_id: string | null }[]).filter(
      ({ action, user_id }) => action === 'session.ended' && user_id === browser.userId,
    );
    expect(ends).toHaveLength(1);
    expect((await browser.signIn(browser.email, PASSWORD)).status).toBe(401);
    expect((await browser.signIn(browser.email, next)).status).toBe(200);
  });

  test('of ten who follow one link at once, one gets in', async () => {
    const { userId } = await world.member('member');
    const token = await world.linkFor(userId);
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) => accept({ token, password: `${PASSWORD} ${i}` })),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(400)]);
  });
});

describe('an invitation', () => {
  test('is a link on the public address that works once; its holder joins in the role it is for', async () => {
    const admin = await world.member('admin');
    const made = await admin.send('POST', '/api/invitations', {
      json: { email: 'Grace@Example.com', role: 'member' },
      headers: { 'x-forwarded-host': 'evil.example' },
    });
    expect(made).toMatchObject({ status: 200, json: { email: 'grace@example.com', invited_by: admin.userId } });
    const url = String(made.json.url);
    expect(url).toMatch(/^http:\/\/sightline\.test\/welcome\?invitation#[\w-]{43}$/);
    const listed = await admin.get('/api/invitations');
    expect(listed.json.invitations).toMatchObject([{ email: 'grace@example.com', role: 'member' }]);
    expect(listed.text).not.toContain(tokenFromUrl(url));

    const browser = createBrowser(world.api);
    for (const name of ['a\u0000b', 'a\u202eb', '   ', 'line\nbreak']) {
      const refused = await browser.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD, name });
      expect(statusAndError(refused)).toEqual([400, name.trim() === '' ? 'name_invalid' : 'request_invalid']);
    }
    const joined = await browser.post('/api/auth/accept', {
      token: tokenFromUrl(url),
      password: PASSWORD,
      name: 'Grace',
    });
    expect(joined).toMatchObject({ status: 200, json: { email: 'grace@example.com', permissions: ['read', 'write'] } });
    expect(statusAndError(await accept({ token: tokenFromUrl(url), password: PASSWORD }))).toEqual([
      400,
      'link_invalid',
    ]);
    expect((await admin.get('/api/invitations')).json.invitations).toEqual([]);
    const again = await admin.post('/api/invitations', { email: 'grace@example.com', role: 'member' });
    expect(statusAndError(again)).toEqual([409, 'email_taken']);
  });

  test('ends when it is revoked, when another replaces it, and after its days', async () => {
    const admin = await world.member('admin');
    const invite = async (email: string) => {
      const { json } = await admin.post('/api/invitations', { email, role: 'member', expires_in_days: 2 });
      return { id: String(json.invitation_id), token: tokenFromUrl(String(json.url)) };
    };
    const revoked = await invite('revoked@example.com');
    expect((await admin.send('DELETE', `/api/invitations/${revoked.id}`)).status).toBe(200);
    const twice = await admin.send('DELETE', `/api/invitations/${revoked.id}`);
    expect(statusAndError(twice)).toEqual([404, 'invitation_not_found']);
    const replaced = await invite('twice@example.com');
    const last = await invite('twice@example.com');
    const late = await invite('late@example.com');
    for (const { token } of [revoked, replaced]) {
      expect(statusAndError(await accept({ token, password: PASSWORD }))).toEqual([400, 'link_invalid']);
    }
    expect((await accept({ token: last.token, password: PASSWORD })).status).toBe(200);
    world.clock.ms = 49 * 3_600_000;
    expect(statusAndError(await accept({ token: late.token, password: PASSWORD }))).toEqual([400, 'link_invalid']);
    world.clock.ms = 0;
  });

  test('to a role above their own nobody gives', async () => {
    const [member, admin, owner] = [
      await world.member('member'),
      await world.member('admin'),
      await world.member('owner'),
    ];
    const invite = async (by: typeof member, role: string) =>
      statusAndError(await by.post('/api/invitations', { email: `${newId()}@example.com`, role }));
    expect(await invite(member, 'member')).toEqual([403, 'scope_missing']);
    expect(await invite(admin, 'owner')).toEqual([403, 'owner_needed']);
    expect(await invite(admin, 'admin')).toEqual([200, undefined]);
    expect(await invite(owner, 'owner')).toEqual([200, undefined]);
    expect(await invite(owner, 'root')).toEqual([400, 'request_invalid']);
  });

  test('is created once per Idempotency-Key, and its link is not stored', async () => {
    const admin = await world.member('admin');
    const headers = { 'idempotency-key': newId() };
    const json = { email: 'once@example.com', role: 'member' };
    const made = await admin.send('POST', '/api/invitations', { json, headers });
    const repeat = await admin.send('POST', '/api/invitations', { json, headers });
    expect(statusAndError(repeat)).toEqual([409, 'invitation_shown_once']);
    const stored = await world.database.db.selectFrom('idempotencyKeys').select('body').execute();
    for (const { body } of stored) expect(String(body)).not.toContain(tokenFromUrl(String(made.json.url)));
  });
});

describe('another organization', () => {
  test('is made by the operator; its owner sees nothing of the first, nor may they touch it', async () => {
    const { orgId, url } = await world.people.links.createOrganization({ name: 'Another', email: 'eve@example.com' });
    const eve = createBrowser(world.api);
    const joined = await eve.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD, name: 'Eve' });
    expect(joined.json).toMatchObject({ org_id: orgId, permissions: ['read', 'write', 'admin'] });
    expect((await eve.get('/api/organization')).json.name).toBe('Another');
    expect((await eve.get('/api/members')).json.members).toMatchObject([{ email: 'eve@example.com', role: 'owner' }]);

    const member = await world.member('member');
    const admin = await world.member('admin');
    const open = await admin.post('/api/invitations', { email: 'open@example.com', role: 'member' });
    const { record } = await world.keys.create({ ...world.owner, name: 'mine' });
    for (const [method, path, code] of [
      ['PATCH', `/api/members/${member.userId}`, 'member_forbidden'],
      ['DELETE', `/api/members/${member.userId}`, 'member_forbidden'],
      ['DELETE', `/api/invitations/${open.json.invitation_id}`, 'invitation_forbidden'],
      ['DELETE', `/api/keys/${record.keyId}`, 'key_forbidden'],
    ] as const) {
      const answer = await eve.send(method, path, { json: { role: 'admin' } });
      expect([path, ...statusAndError(answer)]).toEqual([path, 403, code]);
    }
    const transfer = await eve.post('/api/organization/transfer', { user_id: member.userId });
    expect(statusAndError(transfer)).toEqual([403, 'member_forbidden']);
    // Entries of refused requests contain the ids that Eve sent.
    const log = JSON.parse((await eve.get('/api/audit-events')).text) as { events: { outcome: string }[] };
    const done = log.events.filter(({ outcome }) => outcome !== 'refused');
    expect(JSON.stringify(done)).not.toContain(member.userId);
    // The response does not reveal if an address is in use elsewhere, until its owner follows the link.
    const invited = await eve.post('/api/invitations', { email: member.email, role: 'member' });
    expect(invited.status).toBe(200);
    const taken = await accept({ token: tokenFromUrl(String(invited.json.url)), password: PASSWORD });
    expect(statusAndError(taken)).toEqual([409, 'email_taken']);
  });
});
