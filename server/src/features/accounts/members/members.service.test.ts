import { afterAll, beforeAll, describe, expect, test } from 'vitest';
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

type Person = Awaited<ReturnType<PeopleWorld['member']>>;
const setRole = async (by: Person, of: { userId: string }, role: string) =>
  statusAndError(await by.send('PATCH', `/api/members/${of.userId}`, { json: { role } }));
const remove = async (by: Person, of: { userId: string }) =>
  statusAndError(await by.send('DELETE', `/api/members/${of.userId}`));

/** An organization of its own, with one owner. */
async function organization() {
  const email = `o${Math.random().toString(36).slice(2)}@example.com`;
  const { orgId, url } = await world.people.links.createOrganization({ name: 'Own', email });
  return { orgId, owner: await person(url) };
}

async function person(url: string) {
  const browser = createBrowser(world.api);
  const { json } = await browser.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD });
  return { ...browser, email: String(json.email), userId: String(json.user_id), orgId: String(json.org_id) };
}

async function add(owner: Person, role: string) {
  const email = `m${Math.random().toString(36).slice(2)}@example.com`;
  return person(String((await owner.post('/api/invitations', { email, role })).json.url));
}

describe('the members', () => {
  test('are listed page by page, in the order they joined', async () => {
    const { owner } = await organization();
    const others = [await add(owner, 'admin'), await add(owner, 'member'), await add(owner, 'member')];
    const seen: string[] = [];
    let cursor = '';
    do {
      const { json } = await others[1]!.get(`/api/members?limit=2${cursor}`);
      seen.push(...(json.members as { user_id: string }[]).map((member) => member.user_id));
      cursor = json.has_more ? `&cursor=${json.next_cursor}` : '';
    } while (cursor);
    expect(seen).toEqual([owner, ...others].map((member) => member.userId));
    expect(statusAndError(await owner.get('/api/members?cursor=x'))).toEqual([400, 'cursor_invalid']);
  });

  test('are what their role says, from the next request on', async () => {
    const { owner } = await organization();
    const member = await add(owner, 'member');
    expect(statusAndError(await member.get('/api/audit-events'))).toEqual([403, 'scope_missing']);
    expect(await setRole(owner, member, 'admin')).toEqual([200, undefined]);
    expect((await member.get('/api/audit-events')).status).toBe(200);
    expect(await setRole(owner, member, 'member')).toEqual([200, undefined]);
    expect((await member.get('/api/audit-events')).status).toBe(403);
    expect(await setRole(member, member, 'owner')).toEqual([403, 'scope_missing']);
  });

  test('an admin manages members and admins, but no owners', async () => {
    const { owner } = await organization();
    const [admin, other, member] = [await add(owner, 'admin'), await add(owner, 'admin'), await add(owner, 'member')];
    expect(await setRole(admin, member, 'owner')).toEqual([403, 'owner_needed']);
    expect(await setRole(admin, admin, 'owner')).toEqual([403, 'owner_needed']);
    expect(await setRole(admin, owner, 'member')).toEqual([403, 'owner_needed']);
    expect(await remove(admin, owner)).toEqual([403, 'owner_needed']);
    expect(await setRole(admin, member, 'admin')).toEqual([200, undefined]);
    expect(await remove(admin, other)).toEqual([200, undefined]);
    const transfer = await admin.post('/api/organization/transfer', { user_id: admin.userId });
    expect(statusAndError(transfer)).toEqual([403, 'owner_needed']);
  });
});

describe('an owner', () => {
  test('the last owner cannot be removed or demoted by anyone', async () => {
    const { owner } = await organization();
    const admin = await add(owner, 'admin');
    expect(await setRole(owner, owner, 'member')).toEqual([409, 'last_owner']);
    expect(await remove(owner, owner)).toEqual([409, 'last_owner']);
    expect(await setRole(owner, admin, 'owner')).toEqual([200, undefined]);
    expect(await setRole(owner, owner, 'member')).toEqual([200, undefined]);
    expect(await remove(admin, admin)).toEqual([409, 'last_owner']);
  });

  test('one stays also when two demote each other at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner } = await organization();
      const second = await add(owner, 'owner');
      const answers = await Promise.all([setRole(owner, second, 'admin'), setRole(second, owner, 'admin')]);
      expect(answers.filter(([status]) => status === 200)).toHaveLength(1);
      const { json } = await second.get('/api/members');
      expect((json.members as { role: string }[]).filter(({ role }) => role === 'owner')).toHaveLength(1);
    }
  });

  test('hands the ownership over and is an admin then', async () => {
    const { owner } = await organization();
    const heir = await add(owner, 'member');
    const answer = await owner.post('/api/organization/transfer', { user_id: heir.userId });
    expect(answer.json).toMatchObject({ user_id: heir.userId, role: 'owner' });
    const { json } = await heir.get('/api/members');
    expect(json.members).toMatchObject([{ role: 'admin' }, { role: 'owner' }]);
    expect(await remove(owner, heir)).toEqual([403, 'owner_needed']);
  });

  test('renames the organization', async () => {
    const { owner } = await organization();
    const rename = (name: string) => owner.send('PATCH', '/api/organization', { json: { name } });
    expect((await rename('  Robots & Söhne ')).json.name).toBe('Robots & Söhne');
    expect(statusAndError(await rename('a\u0007b'))).toEqual([400, 'request_invalid']);
    expect((await owner.get('/api/organization')).json.name).toBe('Robots & Söhne');
  });
});

describe('who is removed', () => {
  test('is out at once with sessions and keys, and may be invited again as someone new', async () => {
    const { owner } = await organization();
    const removed = await add(owner, 'admin');
    const { key } = (await removed.post('/api/keys', { name: 'mine', scopes: ['admin'] })).json as { key: string };
    expect((await world.api.call('POST', '/api/keys/verify', { key })).status).toBe(200);
    expect(await remove(owner, removed)).toEqual([200, undefined]);

    expect(statusAndError(await removed.get('/api/auth/session'))).toEqual([401, 'session_ended']);
    expect(statusAndError(await removed.signIn(removed.email))).toEqual([401, 'credentials_wrong']);
    const refusedWithinASecond = async () => {
      for (const until = Date.now() + 1_500; Date.now() < until; ) {
        const answer = await world.api.call('POST', '/api/keys/verify', { key });
        if (answer.status !== 200) return statusAndError(answer);
      }
      return 'still let in';
    };
    expect(await refusedWithinASecond()).toEqual([401, 'key_revoked']);
    expect((await owner.get('/api/keys')).json.keys).toMatchObject([{ name: 'mine', status: 'inactive' }]);
    expect(await remove(owner, removed)).toEqual([404, 'member_not_found']);

    const { json } = await owner.post('/api/invitations', { email: removed.email, role: 'member' });
    const back = await person(String(json.url));
    expect(back.userId).not.toBe(removed.userId);
    expect(statusAndError(await world.api.call('POST', '/api/keys/verify', { key }))).toEqual([401, 'key_revoked']);
  });
});

describe('invitations by users who lost the right to invite', () => {
  const invite = async (by: Person, role: string) => {
    const email = `i${Math.random().toString(36).slice(2)}@example.com`;
    const { json } = await by.post('/api/invitations', { email, role });
    return { email, token: tokenFromUrl(String(json.url)) };
  };
  const follow = async ({ token }: { token: string }) =>
    statusAndError(await createBrowser(world.api).post('/api/auth/accept', { token, password: PASSWORD }));
  const open = async (by: Person) =>
    ((await by.get('/api/invitations')).json.invitations as { email: string }[]).map(({ email }) => email);

  test('end with them: nobody leaves a door open for themselves', async () => {
    const { owner } = await organization();
    const [removed, demoted] = [await add(owner, 'admin'), await add(owner, 'admin')];
    const valid = await invite(owner, 'admin');
    const lost = [await invite(removed, 'admin'), await invite(removed, 'member'), await invite(demoted, 'member')];
    await remove(owner, removed);
    await setRole(owner, demoted, 'member');
    expect(await Promise.all(lost.map(follow))).toEqual(lost.map(() => [400, 'link_invalid']));
    expect(await open(owner)).toEqual([valid.email]);
    const { json } = await owner.get('/api/audit-events?limit=1000');
    const revoked = (json.events as { action: string; user_id: string; detail: { email: string } }[]).filter(
      ({ action }) => action === 'invitation.revoked',
    );
    expect(revoked.map(({ detail }) => detail.email).sort()).toEqual(lost.map(({ email }) => email).sort());
    expect(new Set(revoked.map(({ user_id }) => user_id))).toEqual(new Set([owner.userId]));
    expect(await follow(valid)).toEqual([200, undefined]);
  });

  test('end as far as they are above what its maker now is', async () => {
    const { owner } = await organization();
    const heir = await add(owner, 'member');
    const [above, within] = [await invite(owner, 'owner'), await invite(owner, 'admin')];
    await owner.post('/api/organization/transfer', { user_id: heir.userId });
    expect(await follow(above)).toEqual([400, 'link_invalid']);
    expect(await follow(within)).toEqual([200, undefined]);
  });
});

describe('keys of people', () => {
  test('a member makes, lists and revokes their own, never admin keys; an admin sees all', async () => {
    const { owner } = await organization();
    const [admin, member] = [await add(owner, 'admin'), await add(owner, 'member')];
    const made = await member.post('/api/keys', { name: 'robot', scopes: ['read'] });
    expect(made).toMatchObject({ status: 200, json: { name: 'robot', scopes: ['read'], user_id: member.userId } });
    const verified = await world.api.call('POST', '/api/keys/verify', { key: String(made.json.key) });
    expect(verified.json).toMatchObject({ user_id: member.userId, permissions: ['read'] });
    const tooMuch = await member.post('/api/keys', { name: 'root', scopes: ['read', 'admin'] });
    expect(statusAndError(tooMuch)).toEqual([403, 'scope_missing']);

    const admins = await admin.post('/api/keys', { name: 'root', scopes: ['admin'] });
    expect(admins.status).toBe(200);
    expect((await member.get('/api/keys')).json.keys).toMatchObject([{ name: 'robot' }]);
    expect((await admin.get('/api/keys')).json.keys).toMatchObject([{ name: 'root' }, { name: 'robot' }]);
    const foreign = await member.send('DELETE', `/api/keys/${admins.json.key_id}`);
    expect(statusAndError(foreign)).toEqual([403, 'key_forbidden']);
    expect((await member.send('DELETE', `/api/keys/${made.json.key_id}`)).json.status).toBe('inactive');
    expect((await admin.send('DELETE', `/api/keys/${admins.json.key_id}`)).json.status).toBe('inactive');
  });

  test('with the scope admin have it no more when their user is no admin any more', async () => {
    const { owner } = await organization();
    const admin = await add(owner, 'admin');
    const made = await admin.post('/api/keys', { name: 'root', scopes: ['read', 'admin'] });
    await setRole(owner, admin, 'member');
    expect((await owner.get('/api/keys')).json.keys).toMatchObject([{ name: 'root', scopes: ['read'] }]);
    const { status } = await world.api.call('GET', '/api/audit-events', { key: String(made.json.key) });
    expect(status).toBe(403);
  });
});

describe('the audit log', () => {
  test('says who did what, with what, from where; admins read and export it', async () => {
    const { owner } = await organization();
    const member = await add(owner, 'member');
    await createBrowser(world.api).send('POST', '/api/auth/sign-in', {
      json: { email: member.email, password: 'wrong password, long' },
      headers: { 'user-agent': '=cmd|"/c calc"' },
    });
    await setRole(owner, member, 'admin');
    await member.post('/api/keys', { name: 'robot' });
    await remove(owner, member);
    await world.people.close();

    type Entry = Record<string, string | null>;
    const { json } = await owner.get('/api/audit-events?limit=100');
    const entries = (json.events as Entry[]).toReversed();
    expect(entries.map((entry) => entry.action)).toEqual([
      'invitation.created',
      'member.joined',
      'session.created',
      'invitation.created',
      'member.joined',
      'session.created',
      'session.refused',
      'member.role_changed',
      'key.created',
      'session.ended',
      'member.removed',
    ]);
    const [ownerSession, memberSession] = entries
      .filter((entry) => entry.action === 'session.created')
      .map((entry) => entry.subject_id);
    const byOwner = { user_id: owner.userId, key_id: null, session_id: ownerSession, address: '127.0.0.1' };
    expect(entries.find((entry) => entry.action === 'key.created')).toMatchObject({
      user_id: member.userId,
      email: member.email,
      session_id: memberSession,
      address: '127.0.0.1',
      user_agent: 'node',
    });
    expect(entries.find((entry) => entry.action === 'session.refused')).toMatchObject({
      user_id: null,
      subject_id: member.userId,
      address: '127.0.0.1',
    });
    expect(entries.find((entry) => entry.action === 'member.role_changed')).toMatchObject({
      subject_id: member.userId,
      detail: { from: 'member', to: 'admin' },
      ...byOwner,
    });
    expect(entries.at(-1)).toMatchObject({ subject_id: member.userId, ...byOwner });

    const csv = await owner.get('/api/audit-events/export?format=csv');
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit-events.csv"');
    const [head, ...lines] = csv.text.trimEnd().split('\n');
    expect(head).toBe(
      'event_id,at,action,user_id,email,key_id,session_id,address,user_agent,subject_id,detail,operation,outcome',
    );
    expect(lines).toHaveLength(entries.length + 1);
    expect(lines.at(-1)).toContain('audit.exported');
    // Opened in a spreadsheet, what someone called their browser is text.
    expect(csv.text).toContain(`"'=cmd|""/c calc"""`);
    expect(lines[7]).toContain('{""to"":""admin"",""from"":""member""}');
    expect(statusAndError(await owner.get('/api/audit-events/export?format=xml'))).toEqual([400, 'request_invalid']);
  });
});
