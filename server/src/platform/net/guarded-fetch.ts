import { lookup as resolveHost } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { isReachable, parseNetworks } from './addresses.ts';
import { toFetchProblem } from './fetch-errors.ts';
import { FETCH_RATE, type MinimumRate } from './minimum-rate.ts';
import { problems } from './problems.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_URL_LENGTH = 8_192;

export type GuardedFetchSettings = {
  /** Non-public networks (CIDR) that may be reached. */
  allowedNetworks: readonly string[];
  /** Timeouts in milliseconds for connecting, for response headers, and between two chunks of the body. */
  timeouts?: { connect: number; headers: number; idle: number };
  /** Minimum rate at which a server must send a file. */
  minimumRate?: MinimumRate;
  /** Resolves all addresses of a host; defaults to the system's resolver. */
  resolve?: (host: string) => Promise<string[]>;
};

export type FetchResponse = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Must be read to the end or destroyed. */
  body: Readable;
  /** Final URL after redirects. */
  url: URL;
};

export interface GuardedFetch {
  /** Minimum rate at which a server must send a file. Readers of bodies enforce it with `createRateWatch`. */
  readonly minimumRate: MinimumRate;
  /**
   * Checks a URL and the addresses of its host without connecting. Throws `fetch_url_invalid`, `fetch_host_unknown` or
   * `fetch_address_refused` (all 400).
   */
  check(url: string): Promise<URL>;
  /** Resolves an allowed address of the host. Throws the problems of `check`. */
  resolveAddress(host: string): Promise<string>;
  /**
   * GETs the URL and follows at most five redirects. Credentials in the URL are sent to its own host only. Throws a
   * `fetch_…` problem.
   */
  get(url: string, options?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<FetchResponse>;
  /**
   * POSTs a body. Redirects are not followed: their response is returned. Throws a `fetch_…` problem, or the reason of
   * an aborted signal.
   */
  post(
    url: string,
    options: { body: string; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<FetchResponse>;
  /** Guarded `fetch` for libraries that accept one. Throws the errors of `fetch`, with a Problem as cause. */
  readonly fetch: typeof fetch;
  /** Guarded agents for libraries that use Node's HTTP client. */
  readonly agents: { http: HttpAgent; https: HttpsAgent };
  /** Aborts all requests. */
  close(): Promise<void>;
}

/** Creates an HTTP client that connects only to public addresses and allowed networks. */
export function createGuardedFetch({
  allowedNetworks,
  timeouts = { connect: 10_000, headers: 30_000, idle: 30_000 },
  minimumRate = FETCH_RATE,
  resolve = async (host) => (await resolveHost(host, { all: true })).map(({ address }) => address),
}: GuardedFetchSettings): GuardedFetch {
  const allowed = parseNetworks(allowedNetworks);

  /** Allowed addresses of the host; never empty. */
  async function resolveAllowed(host: string): Promise<string[]> {
    const addresses = isIP(host) ? [host] : await resolve(host);
    const reachable = addresses.filter((address) => isReachable(address, allowed));
    if (reachable.length > 0) return reachable;
    if (addresses.length === 0) throw problems.fetch_host_unknown(`The host ${host} cannot be resolved.`);
    throw problems.fetch_address_refused(
      `${host} is not a public address, and this service fetches from public addresses only. Its operator can allow a network with SIGHTLINE_ALLOWED_NETWORKS.`,
    );
  }

  // Called for each connection, so that it goes to a checked address even if the DNS answer changes.
  const lookup: LookupFunction = (host, options, done) => {
    resolveAllowed(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) done(null, found);
        else done(null, found[0]!.address, found[0]!.family);
      },
      (error) => done(error, '', 0),
    );
  };
  async function openClient() {
    const { Agent, buildConnector, fetch, request } = await import('undici');
    const connector = buildConnector({ lookup, timeout: timeouts.connect });
    const agent = new Agent({
      connect: (options, done) => {
        // IP addresses do not pass through `lookup`.
        const host = withoutBrackets(options.hostname);
        if (isIP(host) && !isReachable(host, allowed)) return done(problems.fetch_address_refused(), null);
        connector(options, done);
      },
      headersTimeout: timeouts.headers,
      bodyTimeout: timeouts.idle,
    });
    return { agent, fetch, request };
  }
  let opening: ReturnType<typeof openClient> | null = null;
  /** The client of `get`, `post` and `fetch`, which is opened by the first request. */
  function client() {
    opening ??= openClient();
    return opening;
  }

  const guarded = <A extends HttpAgent>(nodeAgent: A): A => {
    const connect = nodeAgent.createConnection.bind(nodeAgent);
    nodeAgent.createConnection = (options, done) => {
      const host = withoutBrackets(options.host ?? '');
      if (!isIP(host) || isReachable(host, allowed)) return connect(options, done);
      // An exception here would be unhandled.
      done?.(problems.fetch_address_refused(), undefined as never);
      return null;
    };
    return nodeAgent;
  };
  const settings = { keepAlive: true, lookup, timeout: timeouts.idle };
  const agents = { http: guarded(new HttpAgent(settings)), https: guarded(new HttpsAgent(settings)) };

  async function follow(
    url: URL,
    headers: Record<string, string>,
    signal: AbortSignal | undefined,
    redirects: number,
  ): Promise<FetchResponse> {
    await resolveAllowed(withoutBrackets(url.hostname));
    const { agent, request } = await client();
    const response = await request(withoutCredentials(url), {
      dispatcher: agent,
      signal,
      headers: { ...headers, ...credentialsOf(url) },
    });
    const location = response.headers.location;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      return { status: response.statusCode, headers: response.headers, body: response.body, url };
    }
    response.body.on('error', () => {}).destroy();
    if (redirects === MAX_REDIRECTS) throw problems.fetch_too_many_redirects();
    return follow(redirected(url, location), headers, signal, redirects + 1);
  }

  return {
    minimumRate,
    async check(text) {
      const url = parse(text);
      try {
        await resolveAllowed(withoutBrackets(url.hostname));
      } catch (error) {
        throw toFetchProblem(error, url);
      }
      return url;
    },
    async resolveAddress(host) {
      try {
        return (await resolveAllowed(withoutBrackets(host)))[0]!;
      } catch (error) {
        throw toFetchProblem(error, new URL(`http://${host}`));
      }
    },
    async get(text, { headers = {}, signal } = {}) {
      const url = parse(text);
      try {
        // No compression: the file is wanted as it is, and a small response could expand to a very large one.
        return await follow(url, { 'accept-encoding': 'identity', 'user-agent': 'Sightline', ...headers }, signal, 0);
      } catch (error) {
        throw signal?.aborted ? signal.reason : toFetchProblem(error, url);
      }
    },
    async post(text, { body, headers = {}, signal }) {
      const url = parse(text);
      try {
        await resolveAllowed(withoutBrackets(url.hostname));
        const { agent, request } = await client();
        const response = await request(withoutCredentials(url), {
          dispatcher: agent,
          signal,
          method: 'POST',
          body,
          headers: { 'accept-encoding': 'identity', 'user-agent': 'Sightline', ...headers, ...credentialsOf(url) },
        });
        return { status: response.statusCode, headers: response.headers, body: response.body, url };
      } catch (error) {
        throw signal?.aborted ? signal.reason : toFetchProblem(error, url);
      }
    },
    fetch: (async (input: string | URL, init: object = {}) => {
      const { agent, fetch } = await client();
      return fetch(input, { ...init, dispatcher: agent });
    }) as unknown as typeof fetch,
    agents,
    async close() {
      for (const each of Object.values(agents)) each.destroy();
      await (await opening)?.agent.destroy();
    },
  };
}

/** Removes the brackets of an IPv6 address, as the resolver and `isIP` need it. */
const withoutBrackets = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

function parse(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw problems.fetch_url_invalid('The URL is longer than 8,192 characters.');
  const url = URL.parse(text, base?.href);
  if (!url) throw problems.fetch_url_invalid();
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw problems.fetch_url_invalid(`URLs that start with ${url.protocol} cannot be fetched. Use http or https.`);
  }
  return url;
}

/** Target of a redirect. Credentials are passed on to the same origin only. */
function redirected(from: URL, location: string): URL {
  const to = parse(location, from);
  if (to.origin === from.origin && !to.username && !to.password) {
    to.username = from.username;
    to.password = from.password;
  }
  return to;
}

function withoutCredentials(url: URL): URL {
  const plain = new URL(url);
  plain.username = '';
  plain.password = '';
  return plain;
}

function credentialsOf({ username, password }: URL): Record<string, string> {
  if (!username && !password) return {};
  const plain = `${decoded(username)}:${decoded(password)}`;
  return { authorization: `Basic ${Buffer.from(plain).toString('base64')}` };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
