// The service with people, over real HTTP; and browsers that keep cookies.
import type { Owner } from '#features/accounts/index';
import { createPasswords, type Passwords } from '#features/accounts/passwords';
import { loadRootSecret } from '#platform/secrets/index';
import { type Env, NO_MEDIA, startTestApp, startTestNode, type TestNode } from './app.ts';
import type { ApiClient, ApiResponse, CallOptions } from './http.ts';

export const PASSWORD = 'correct horse battery staple';
const QUICK = createPasswords({ N: 2 ** 10, r: 8, p: 1 });

export type PeopleWorld = Awaited<ReturnType<typeof createPeopleWorld>>;

export async function createPeopleWorld() {
  const clock = { ms: 0 };
  const roles = { api: true, worker: false };
  const overrides = { passwords: QUICK, now: () => Date.now() + clock.ms, media: NO_MEDIA };
  const app = await startTestApp(
    {
      SIGHTLINE_PUBLIC_URL: 'http://sightline.test',
      SIGHTLINE_SESSION_HOURS: '1',
      SIGHTLINE_SIGN_INS_PER_MINUTE: '1000000000',
      SIGHTLINE_SIGN_INS_PER_DAY: '1000000000',
    },
    { roles, overrides },
  );
  const { api, sightline } = app;
  const { accounts, database, keys, people } = sightline;
  const owner: Owner = (await accounts.owner())!;
  const nodes: TestNode[] = [];
  // A node that finds no key creates one; tests list their own.
  const deleteFirstKey = () => database.db.deleteFrom('apiKeys').where('name', '=', 'first key').execute();
  await deleteFirstKey();

  return {
    api,
    people,
    database,
    accounts,
    keys,
    owner,
    rootSecret: loadRootSecret(app.env.SIGHTLINE_SECRET ?? null, app.env.SIGHTLINE_DATA_DIR!),
    clock,

    /** Another node on the same database. `clock.ms` turns the clocks of all. */
    async startNode(env: Env = {}, passwords: Passwords = QUICK) {
      const node = await startTestNode({ ...app.env, ...env }, { roles, overrides: { ...overrides, passwords } });
      nodes.push(node);
      await deleteFirstKey();
      return { api: node.api, app: node.sightline.api, people: node.sightline.people };
    },
    /** The token in the link by which a user chooses a password. */
    linkFor: async (userId: string) =>
      tokenFromUrl(await database.transaction((trx) => people.links.passwordLink(trx, { userId }))),
    /** A signed-in browser of a new member of this role (of the first organization), or of the owner. */
    async member(
      role: 'owner' | 'admin' | 'member',
      email = `${role}-${Math.random().toString(36).slice(2)}@example.com`,
    ) {
      const { url } = await people.links.invite(owner.orgId, { email, role }, null);
      const browser = createBrowser(api);
      const answer = await browser.post('/api/auth/accept', {
        token: tokenFromUrl(url),
        password: PASSWORD,
        name: role,
      });
      return { ...browser, email, userId: String(answer.json.user_id), orgId: owner.orgId };
    },
    async close() {
      for (const node of nodes) await node.close();
      await app.close();
    },
  };
}

export const tokenFromUrl = (url: string) => new URL(url).hash.slice(1);

/** A browser: keeps cookies and says where its pages come from. */
export function createBrowser(api: ApiClient, { origin = api.base }: { origin?: string } = {}) {
  const cookies = new Map<string, string>();

  async function send(method: string, path: string, options: CallOptions = {}): Promise<ApiResponse> {
    const jar = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { origin, ...(jar && { cookie: jar }), ...options.headers };
    const answer = await api.call(method, path, { ...options, headers });
    for (const line of answer.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
      if (value) cookies.set(name!, value);
      else cookies.delete(name!);
    }
    return answer;
  }

  return {
    cookies,
    send,
    get: (path: string) => send('GET', path),
    post: (path: string, json?: object) => send('POST', path, { json }),
    signIn: (email: string, password = PASSWORD) => send('POST', '/api/auth/sign-in', { json: { email, password } }),
  };
}

export type Browser = ReturnType<typeof createBrowser>;

/** Status and error code of a response. */
export const statusAndError = ({ status, json }: ApiResponse) => [status, json.error];
