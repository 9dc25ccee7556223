import { lookup as resolveHost } from 'node:dns/promises';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, buildConnector, request, fetch as undiciFetch } from 'undici';
import { isReachable, parseNetworks } from './addresses.ts';
import { FETCH_RATE, type MinimumRate } from './minimum-rate.ts';
import { problems } from './problems.ts';
import { translate } from './translate.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_URL_LENGTH = 8_192;

export type GuardedFetchSettings = {
  /** Networks (CIDR) that may be reached although they are not public. */
  allowedNetworks: readonly string[];
  /** Milliseconds to wait for a connection, for the head of an answer, and between two pieces of its body. */
  timeouts?: { connect: number; headers: number; idle: number };
  /** The slowest that a server may send a file. */
  minimumRate?: MinimumRate;
  /** All addresses of a host; the system's name service unless given. */
  resolve?: (host: string) => Promise<string[]>;
};

export type Answer = {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  /** Read it to the end or destroy it. */
  body: Readable;
  /** Where the answer came from, after redirects. */
  url: URL;
};

export interface GuardedFetch {
  /** The slowest that a server may send a file; whoever reads bodies keeps to it with `watchRate`. */
  readonly minimumRate: MinimumRate;
  /**
   * Checks a URL and the addresses behind its host without connecting. Throws `fetch_url_invalid`, `fetch_host_unknown` or
   * `fetch_address_refused` (all 400).
   */
  check(url: string): Promise<URL>;
  /** An address of the host that may be connected to. Throws as `check` does. */
  addressOf(host: string): Promise<string>;
  /** GETs the URL, following at most five redirects. Credentials in a URL are sent to its own host only. Throws a `fetch_…` problem. */
  get(url: string, options?: { headers?: Record<string, string>; signal?: AbortSignal }): Promise<Answer>;
  /** `fetch` behind the same guard, for libraries that are given one. Throws what `fetch` throws, a Problem as its cause. */
  readonly fetch: typeof fetch;
  /** Agents of Node's own HTTP clients behind the same guard, for libraries that are built on those. */
  readonly agents: { http: HttpAgent; https: HttpsAgent };
  /** Ends what is under way. */
  close(): Promise<void>;
}

/** Fetches that cannot be led into networks they have no business in. */
export function createGuardedFetch({
  allowedNetworks,
  timeouts = { connect: 10_000, headers: 30_000, idle: 30_000 },
  minimumRate = FETCH_RATE,
  resolve = async (host) => (await resolveHost(host, { all: true })).map(({ address }) => address),
}: GuardedFetchSettings): GuardedFetch {
  const allowed = parseNetworks(allowedNetworks);

  /** The host's addresses that may be connected to; never empty. */
  async function addressesOf(host: string): Promise<string[]> {
    const addresses = isIP(host) ? [host] : await resolve(host);
    const reachable = addresses.filter((address) => isReachable(address, allowed));
    if (reachable.length > 0) return reachable;
    if (addresses.length === 0) throw problems.fetch_host_unknown(`The host ${host} is not known to the name service.`);
    throw problems.fetch_address_refused(
      `${host} is not a public address, and this service fetches from public ones only; its operator can allow a network with SIGHTLINE_ALLOWED_NETWORKS.`,
    );
  }

  // Called for each connection, so what is checked here is what is connected to, whatever the name service says a moment later.
  const lookup: LookupFunction = (host, options, done) => {
    addressesOf(host).then(
      (addresses) => {
        const found = addresses.map((address) => ({ address, family: isIP(address) }));
        if (options.all) done(null, found);
        else done(null, found[0]!.address, found[0]!.family);
      },
      (error) => done(error, '', 0),
    );
  };
  const connector = buildConnector({ lookup, timeout: timeouts.connect });
  const agent = new Agent({
    connect: (options, done) => {
      // An address in place of a name is never looked up.
      const host = bare(options.hostname);
      if (isIP(host) && !isReachable(host, allowed)) return done(problems.fetch_address_refused(), null);
      connector(options, done);
    },
    headersTimeout: timeouts.headers,
    bodyTimeout: timeouts.idle,
  });

  const guarded = <A extends HttpAgent>(nodeAgent: A): A => {
    const connect = nodeAgent.createConnection.bind(nodeAgent);
    nodeAgent.createConnection = (options, done) => {
      const host = bare(options.host ?? '');
      if (!isIP(host) || isReachable(host, allowed)) return connect(options, done);
      // What is thrown here would be nobody's error.
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
  ): Promise<Answer> {
    await addressesOf(bare(url.hostname));
    const answer = await request(withoutCredentials(url), {
      dispatcher: agent,
      signal,
      headers: { ...headers, ...credentialsOf(url) },
    });
    const location = answer.headers.location;
    if (!REDIRECTS.has(answer.statusCode) || typeof location !== 'string') {
      return { status: answer.statusCode, headers: answer.headers, body: answer.body, url };
    }
    answer.body.on('error', () => {}).destroy();
    if (redirects === MAX_REDIRECTS) throw problems.fetch_too_many_redirects();
    return follow(redirected(url, location), headers, signal, redirects + 1);
  }

  return {
    minimumRate,
    async check(text) {
      const url = parse(text);
      try {
        await addressesOf(bare(url.hostname));
      } catch (error) {
        throw translate(error, url);
      }
      return url;
    },
    async addressOf(host) {
      try {
        return (await addressesOf(bare(host)))[0]!;
      } catch (error) {
        throw translate(error, new URL(`http://${host}`));
      }
    },
    async get(text, { headers = {}, signal } = {}) {
      const url = parse(text);
      try {
        // A compressed answer would be another file than the one meant, and a small bomb can be a large one.
        return await follow(url, { 'accept-encoding': 'identity', 'user-agent': 'Sightline', ...headers }, signal, 0);
      } catch (error) {
        throw signal?.aborted ? signal.reason : translate(error, url);
      }
    },
    fetch: ((input: string | URL, init: object = {}) =>
      undiciFetch(input, { ...init, dispatcher: agent })) as unknown as typeof fetch,
    agents,
    async close() {
      for (const each of Object.values(agents)) each.destroy();
      await agent.destroy();
    },
  };
}

/** A host as the name service and `isIP` know it: IPv6 addresses without brackets. */
const bare = (host: string) => host.replace(/^\[(.*)\]$/, '$1');

function parse(text: string, base?: URL): URL {
  if (text.length > MAX_URL_LENGTH) throw problems.fetch_url_invalid('The URL is longer than 8,192 characters.');
  const url = URL.parse(text, base?.href);
  if (!url) throw problems.fetch_url_invalid();
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw problems.fetch_url_invalid(`A URL that starts with ${url.protocol} cannot be fetched: use http or https.`);
  }
  return url;
}

/** Where a redirect leads. Credentials go on to the same origin only. */
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
