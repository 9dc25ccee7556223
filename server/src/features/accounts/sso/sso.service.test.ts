import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { freePort } from '#platform/net/index';
import {
  type Browser,
  createBrowser,
  createPeopleWorld,
  PASSWORD,
  type PeopleWorld,
  statusAndError,
  tokenFromUrl,
} from '#test/people';

/** A real OpenID Connect provider on the loopback interface, whose people sign in by saying who they are. */
type Claims = { email?: string; email_verified?: boolean; name?: string };
const people = new Map<string, Claims>();
const CLIENT = { id: 'sightline', secret: 'a secret of the client' };
let world: PeopleWorld;
let node: Awaited<ReturnType<PeopleWorld['startNode']>>;
let publicUrl: string;
let issuer: string;
let server: Server;
let settings: Record<string, string>;

async function startProvider(redirectUri: string): Promise<void> {
  const port = await freePort();
  issuer = `http://127.0.0.1:${port}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    pkce: { required: () => true },
    cookies: { keys: ['a key for cookies'] },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: async () => ({ sub, ...people.get(sub) }) }),
  });
  server = createServer(provider.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
}

beforeAll(async () => {
  // Silences the warning against its use in production.
  for (const level of ['info', 'warn'] as const) vi.spyOn(console, level).mockImplementation(() => {});
  world = await createPeopleWorld();
  publicUrl = `http://127.0.0.1:${await freePort()}`;
  await startProvider(`${publicUrl}/api/auth/sso/callback`);
  settings = {
    SIGHTLINE_PUBLIC_URL: publicUrl,
    SIGHTLINE_OIDC_ISSUER: issuer,
    SIGHTLINE_OIDC_CLIENT_ID: CLIENT.id,
    SIGHTLINE_OIDC_CLIENT_SECRET: CLIENT.secret,
    SIGHTLINE_OIDC_DOMAINS: 'example.org',
  };
  node = await world.startNode(settings);
});
beforeEach(() => people.clear());
afterAll(async () => {
  vi.restoreAllMocks();
  await world.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/** Where the browser is led to, without going there. */
const begin = async (browser: Browser, path = '/api/auth/sso') => {
  const answer = await fetch(node.api.base + path, { redirect: 'manual', headers: cookiesOf(browser) });
  keep(browser, answer);
  return answer;
};

const cookiesOf = ({ cookies }: Browser) => ({ cookie: [...cookies].map(([k, v]) => `${k}=${v}`).join('; ') });
function keep({ cookies }: Browser, answer: Response): void {
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    if (value) cookies.set(name!, value);
    else cookies.delete(name!);
  }
}

/** Signs in at the provider as `sub` and agrees; returns the address the browser is then led to, here. */
async function atProvider(start: string, sub: string): Promise<string> {
  const jar = new Map<string, string>();
  let url = start;
  for (let steps = 0; steps < 12; steps++) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    let answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    if (answer.status === 200) {
      // One of the provider's own pages: the form for signing in, or the one for agreeing.
      const page = await answer.text();
      const prompt = /name="prompt" value="(\w+)"/.exec(page)![1]!;
      const action = new URL(/<form[^>]*action="([^"]+)"/.exec(page)![1]!, url);
      const form = new URLSearchParams({ prompt, ...(prompt === 'login' ? { login: sub, password: 'any' } : {}) });
      answer = await fetch(action, { method: 'POST', body: form, redirect: 'manual', headers: { cookie } });
    }
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      jar.set(name!, value!);
    }
    url = new URL(answer.headers.get('location')!, url).href;
    if (url.startsWith(publicUrl)) return url;
  }
  throw new Error(`The provider leads in circles: ${url}`);
}

/** The service's response when the browser returns from the provider. */
async function back(browser: Browser, url: string) {
  const { pathname, search } = new URL(url);
  const answer = await fetch(node.api.base + pathname + search, { redirect: 'manual', headers: cookiesOf(browser) });
  keep(browser, answer);
  const text = await answer.text();
  const error = text ? (JSON.parse(text).error as string) : undefined;
  return { status: answer.status, error, location: answer.headers.get('location') };
}

/** A complete sign-in; `claims` is what the provider states about the user. */
async function signIn(sub: string, claims: Claims, path?: string) {
  people.set(sub, claims);
  const browser = createBrowser(node.api);
  const start = await begin(browser, path);
  return { browser, ...(await back(browser, await atProvider(start.headers.get('location')!, sub))) };
}

const verified = (email: string, name?: string): Claims => ({ email, email_verified: true, ...(name && { name }) });

describe('signing in by single sign-on', () => {
  test('asks the provider with PKCE, a state and a nonce', async () => {
    const answer = await begin(createBrowser(node.api));
    const url = new URL(answer.headers.get('location')!);
    expect([answer.status, url.origin]).toEqual([302, issuer]);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: CLIENT.id,
      redirect_uri: `${publicUrl}/api/auth/sso/callback`,
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^sightline_sso=.*HttpOnly; SameSite=Lax$/);
  });

  test('lets in whose domain may join, with the role the operator said, and leads to where they wanted', async () => {
    const first = await signIn(
      'grace',
      verified('Grace@Example.org', 'Grace'),
      '/api/auth/sso?return_to=/videos?page=2',
    );
    expect(first).toMatchObject({ status: 302, location: `${publicUrl}/videos?page=2` });
    const { json } = await first.browser.get('/api/auth/session');
    expect(json).toMatchObject({
      email: 'grace@example.org',
      org_id: world.owner.orgId,
      permissions: ['read', 'write'],
    });
    // Next time it is who they are that counts, not their address.
    const again = await signIn('grace', verified('other@elsewhere.example'));
    expect((await again.browser.get('/api/auth/session')).json.user_id).toBe(json.user_id);
    expect([...again.browser.cookies.keys()]).toEqual(['sightline_session', 'sightline_device']);
    expect((await createBrowser(node.api).signIn('grace@example.org')).status).toBe(401);
  });

  test('an invitation of another organization takes nobody away from where their domain belongs', async () => {
    await world.people.links.createOrganization({ name: 'Rival', email: 'judy@example.org' });
    await world.people.links.invite(world.owner.orgId, { email: 'judy@example.org', role: 'admin' }, null);
    await world.people.links.createOrganization({ name: 'Later rival', email: 'judy@example.org' });
    const { browser } = await signIn('judy', verified('judy@example.org'));
    expect((await browser.get('/api/auth/session')).json).toMatchObject({
      org_id: world.owner.orgId,
      permissions: ['read', 'write', 'admin'],
    });
    await world.people.links.createOrganization({ name: 'Another rival', email: 'ken@example.org' });
    const { browser: second } = await signIn('ken', verified('ken@example.org'));
    expect((await second.get('/api/auth/session')).json).toMatchObject({
      org_id: world.owner.orgId,
      permissions: ['read', 'write'],
    });
  });

  test('lets others in by invitation only, and into the organization that invited them', async () => {
    const refused = await signIn('eve', verified('eve@elsewhere.example'));
    expect([refused.status, refused.error]).toEqual([403, 'sso_not_allowed']);
    const nearly = await signIn('eve2', verified('eve@notexample.org'));
    expect([nearly.status, nearly.error]).toEqual([403, 'sso_not_allowed']);
    const given = { name: 'Another', email: 'eve@elsewhere.example' };
    const { orgId, url } = await world.people.links.createOrganization(given);
    const { browser } = await signIn('eve', verified('eve@elsewhere.example'));
    expect((await browser.get('/api/auth/session')).json).toMatchObject({
      org_id: orgId,
      permissions: ['read', 'write', 'admin'],
    });
    const used = await createBrowser(node.api).post('/api/auth/accept', {
      token: tokenFromUrl(url),
      password: PASSWORD,
    });
    expect(statusAndError(used)).toEqual([400, 'link_invalid']);
  });

  test('a user invited by several organizations joins none of them without a link', async () => {
    const given = { name: 'Wanted', email: 'olga@elsewhere.example' };
    const { orgId, url } = await world.people.links.createOrganization(given);
    await world.people.links.createOrganization({ ...given, name: 'Later and unwanted' });
    const refused = await signIn('olga', verified('olga@elsewhere.example'));
    expect([refused.status, refused.error]).toEqual([409, 'sso_invitations_several']);
    const browser = createBrowser(node.api, { origin: publicUrl });
    await browser.post('/api/auth/accept', { token: tokenFromUrl(url), password: PASSWORD, name: 'Olga' });
    expect((await browser.get('/api/auth/session')).json.org_id).toBe(orgId);
  });

  test('is slowed per address from its first step on', async () => {
    const slow = await world.startNode({
      ...settings,
      SIGHTLINE_SIGN_INS_PER_MINUTE: '3',
      SIGHTLINE_SIGN_INS_PER_DAY: '100',
    });
    await world.database.db.deleteFrom('rateLimits').execute();
    const statuses = [];
    for (let i = 0; i < 5; i++) {
      statuses.push((await fetch(`${slow.api.base}/api/auth/sso`, { redirect: 'manual' })).status);
    }
    expect(statuses).toEqual([302, 302, 302, 429, 429]);
  });

  test('believes an address only where the provider vouches for it', async () => {
    for (const claims of [
      { email: 'mallory@example.org', email_verified: false },
      { email: 'mallory@example.org' },
      {},
      verified('mallory@example.org@evil.example\r\n'),
    ]) {
      const { status, error } = await signIn('mallory', claims);
      expect([status, error]).toEqual([403, 'sso_email_unverified']);
    }
  });

  test('a name of the provider that is none is left out', async () => {
    const { browser } = await signIn('odd', verified('odd@example.org', 'a\u202eb'));
    const { json } = await browser.get('/api/members?limit=1000');
    const found = (json.members as { email: string; name: string }[]).find(({ email }) => email === 'odd@example.org');
    expect(found).toMatchObject({ name: 'odd' });
  });

  test('who was removed does not come back by their domain', async () => {
    const { browser } = await signIn('leaver', verified('leaver@example.org'));
    const { json } = await browser.get('/api/auth/session');
    await world.people.members.remove(world.owner.orgId, String(json.user_id), null);
    expect((await browser.get('/api/auth/session')).status).toBe(401);
    const again = await signIn('leaver', verified('leaver@example.org'));
    expect([again.status, again.error]).toEqual([403, 'sso_not_allowed']);
  });
});

describe('an account with a password', () => {
  test('is not taken over by a user with its address at the provider; its owner links it', async () => {
    const member = await world.member('member', 'ada@example.org');
    const refused = await signIn('ada', verified('ada@example.org'));
    expect([refused.status, refused.error]).toEqual([409, 'sso_account_exists']);

    const browser = createBrowser(node.api);
    await browser.signIn('ada@example.org');
    const link = await browser.post('/api/auth/sso/link');
    expect(link.status).toBe(200);
    const url = await atProvider(String(link.json.url), 'ada');
    // In a browser where they are not signed in the same answer links nothing.
    const stranger = createBrowser(node.api);
    stranger.cookies.set('sightline_sso', browser.cookies.get('sightline_sso')!);
    expect(await back(stranger, url)).toMatchObject({ status: 400, error: 'sso_failed' });
    expect(await back(browser, url)).toMatchObject({ status: 302, location: `${publicUrl}/` });

    const { browser: bySso } = await signIn('ada', verified('ada@example.org'));
    expect((await bySso.get('/api/auth/session')).json.user_id).toBe(member.userId);

    const other = await world.member('member');
    const otherBrowser = createBrowser(node.api);
    await otherBrowser.signIn(other.email);
    const second = await otherBrowser.post('/api/auth/sso/link');
    const secondUrl = await atProvider(String(second.json.url), 'ada');
    expect(await back(otherBrowser, secondUrl)).toMatchObject({ status: 409, error: 'sso_linked_already' });
  });
});

describe('the way back', () => {
  const come = async (change: (url: URL, browser: Browser) => void) => {
    people.set('mia', verified('mia@example.org'));
    const browser = createBrowser(node.api);
    const start = await begin(browser);
    const url = new URL(await atProvider(start.headers.get('location')!, 'mia'));
    change(url, browser);
    const answer = await back(browser, url.href);
    expect(browser.cookies.has('sightline_session')).toBe(false);
    return [answer.status, answer.error];
  };

  test('is for the browser that set out', async () => {
    expect(await come((_, browser) => browser.cookies.clear())).toEqual([400, 'sso_failed']);
    expect(await come((_, browser) => browser.cookies.set('sightline_sso', 'e30.x'))).toEqual([400, 'sso_failed']);
    const stranger = createBrowser(node.api);
    await begin(stranger);
    const theirs = stranger.cookies.get('sightline_sso')!;
    expect(await come((_, browser) => browser.cookies.set('sightline_sso', theirs))).toEqual([400, 'sso_failed']);
  });

  test('with another state, another issuer, a code that is none, or none at all leads nowhere', async () => {
    for (const change of [
      (url: URL) => url.searchParams.set('state', 'x'),
      (url: URL) => url.searchParams.set('iss', 'https://evil.example'),
      (url: URL) => url.searchParams.set('code', 'x'),
      (url: URL) => url.searchParams.delete('code'),
      (url: URL) => {
        url.search = '';
      },
    ]) {
      expect(await come(change)).toEqual([400, 'sso_failed']);
    }
  });

  test('works once', async () => {
    people.set('mia', verified('mia@example.org'));
    const browser = createBrowser(node.api);
    const start = await begin(browser);
    const round = browser.cookies.get('sightline_sso')!;
    const url = await atProvider(start.headers.get('location')!, 'mia');
    expect((await back(browser, url)).status).toBe(302);
    browser.cookies.set('sightline_sso', round);
    expect(await back(browser, url)).toMatchObject({ status: 400, error: 'sso_failed' });
  });

  test('reports that the provider refused', async () => {
    const browser = createBrowser(node.api);
    const start = new URL((await begin(browser)).headers.get('location')!);
    const query = new URLSearchParams({ error: 'access_denied', state: start.searchParams.get('state')!, iss: issuer });
    const answer = await back(browser, `${publicUrl}/api/auth/sso/callback?${query}`);
    expect(answer).toMatchObject({ status: 403, error: 'sso_refused' });
  });

  test.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/a\\..',
    '/a%0d%0ab\n',
    'javascript:alert(1)',
  ])('never leads to another host: %j', async (path) => {
    const query = new URLSearchParams({ return_to: path });
    const answer = await begin(createBrowser(node.api), `/api/auth/sso?${query}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
  });
});

describe('a provider that is not there', () => {
  test('is 502, and asked again as soon as it is back', async () => {
    const port = await freePort();
    const away = `http://127.0.0.1:${port}`;
    const other = await world.startNode({ ...settings, SIGHTLINE_OIDC_ISSUER: away });
    const ask = async () => {
      const answer = await fetch(`${other.api.base}/api/auth/sso`, { redirect: 'manual' });
      return [answer.status, answer.status === 302 ? null : ((await answer.json()) as { error: string }).error];
    };
    expect(await ask()).toEqual([502, 'sso_unavailable']);
    const provider = createServer(new Provider(away, { cookies: { keys: ['k'] } }).callback());
    await new Promise<void>((resolve) => provider.listen(port, '127.0.0.1', resolve));
    expect(await ask()).toEqual([302, null]);
    provider.closeAllConnections();
    await new Promise((resolve) => provider.close(resolve));
  });

  test('that nobody set up is 404', async () => {
    const answer = await fetch(`${world.api.base}/api/auth/sso`, { redirect: 'manual' });
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([404, 'sso_not_set_up']);
  });
});
