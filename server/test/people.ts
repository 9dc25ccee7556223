// Nodes of the service with the rooms that know people, on one database and over real HTTP; and browsers that keep
// cookies.
import { type Accounts, createAccounts, createPeople, type Owner, peopleRoutes } from '#features/accounts/index';
import { createPasswords, type Passwords } from '#features/accounts/passwords';
import { auditRoutes, createAudit } from '#features/audit/index';
import { createKeys, type Keys, keysRoutes } from '#features/keys/index';
import type { SsoConfig } from '#platform/config/index';
import { openDatabase } from '#platform/db/database';
import type { Database } from '#platform/db/index';
import {
  type App,
  createAttemptLimit,
  createHttp,
  createIdempotencyStore,
  createRateLimitStore,
} from '#platform/http/index';
import { createLog } from '#platform/log';
import { createSecrets } from '#platform/secrets/index';
import { createTestDatabase } from './database/test-database.ts';
import { type ApiClient, type ApiResponse, type CallOptions, listen } from './http.ts';

export const PASSWORD = 'correct horse battery staple';
const log = createLog('silent');
const QUICK = createPasswords({ N: 2 ** 10, r: 8, p: 1 });
const UNLIMITED = { perMinute: 1e9, perDay: 1e9 };

export type PeopleWorld = Awaited<ReturnType<typeof createPeopleWorld>>;
export type PeopleNodeOptions = {
  publicUrl?: string;
  sso?: SsoConfig;
  attempts?: { perMinute: number; perDay: number };
  /** Default: ones that cost little. */
  passwords?: Passwords;
};

export async function createPeopleWorld() {
  const made = await createTestDatabase();
  const database: Database = openDatabase(made.connection, log);
  const accounts: Accounts = createAccounts({ database });
  const owner: Owner = await database.transaction((trx) => accounts.bootstrap(trx));
  const keys: Keys = createKeys({ database, log });
  const closing: (() => Promise<unknown>)[] = [];
  const clock = { ms: 0 };

  /** Another node on the same database. `clock.ms` turns the clocks of all. */
  async function startNode(options: PeopleNodeOptions = {}) {
    const { publicUrl = 'http://sightline.test', sso = null, attempts = UNLIMITED, passwords = QUICK } = options;
    const now = () => Date.now() + clock.ms;
    const secrets = createSecrets('a secret of thirty-two characters');
    const people = createPeople({ database, log, secrets, publicUrl, sessionS: 3600, sso, passwords, now });
    const app = createHttp({
      log,
      bodyBytes: 100_000,
      authenticate: keys.authenticate,
      sessions: { publicUrl, authenticate: people.sessions.authenticate },
      idempotency: createIdempotencyStore(database),
    });
    const door = { publicUrl, attempts: createAttemptLimit({ store: createRateLimitStore(database.db), ...attempts }) };
    app.register(async (scope) => peopleRoutes(scope as unknown as App, people, door));
    app.register(async (scope) => keysRoutes(scope as unknown as App, keys));
    app.register(async (scope) => auditRoutes(scope as unknown as App, createAudit({ database })));
    const api = await listen(app);
    closing.push(() => app.close().then(() => people.close()));
    return { api, people, app };
  }

  const { api, people } = await startNode();
  return {
    api,
    people,
    database,
    accounts,
    keys,
    owner,
    clock,
    startNode,
    /** The token in the link by which a user chooses a password. */
    linkFor: async (userId: string) =>
      tokenFromUrl(await database.transaction((trx) => people.links.passwordLink(trx, { userId }))),
    /** A signed-in browser of a new member of this role (of the first organisation), or of the owner. */
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
      for (const close of closing) await close();
      await keys.close();
      await database.close();
      await made.drop();
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
