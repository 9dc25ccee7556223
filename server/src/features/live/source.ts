import type { LiveSource } from '#platform/media/index';
import { type GuardedFetch, openRelay } from '#platform/net/index';
import { openHttpSource } from './source-http.ts';
import { portOf } from './source-url.ts';

/** What comes from a source without a break. */
export type Stretch = {
  source: LiveSource;
  /** When its first picture was taken, in milliseconds of the epoch, where the source says so. */
  clockMs: number | null;
};

/** A source, stretch by stretch. */
export type Source = {
  /**
   * Connects, or goes on where the last stretch ended. Null when the source has come to its end. Throws the `fetch_…` problems, or what is
   * wrong with what it sends.
   */
  next(signal: AbortSignal): Promise<Stretch | null>;
  /** Until when the source has published, in milliseconds of the epoch; null where it does not say so. */
  publishedMs?(): number | null;
};

/** What a session has of its source already: who opens it anew goes on after that where it can. */
export type Recorded = {
  /** Until when, in milliseconds of the epoch. */
  untilMs: number;
  /** How much, in seconds. */
  seconds: number;
};

export type SourceDeps = { net: GuardedFetch };

/** How long FFmpeg waits for a server, in microseconds. */
const WAIT_US = '10000000';

/** Opens a source by its address; nothing connects before `next`. */
export function openSource(deps: SourceDeps, url: URL, recorded: () => Recorded | null): Source {
  if (url.protocol.startsWith('http')) return openHttpSource(deps, url, recorded);
  const open = { 'rtsp:': rtsp, 'rtsps:': rtsp, 'rtmp:': rtmp, 'rtmps:': rtmp, 'srt:': srt }[url.protocol]!;
  return { next: async (signal) => ({ source: await open(deps, url, signal), clockMs: null }) };
}

/** Through a relay of ours, which is the only place it can connect to: a server that sends it elsewhere is not heard. Packets come on the same connection. */
async function rtsp({ net }: SourceDeps, url: URL, signal: AbortSignal): Promise<LiveSource> {
  const { port } = await openRelay(net, { ...whereTo(url), forbidden: /RTSP\/1\.\d 3\d\d/, signal });
  return {
    kind: 'address',
    url: local(url, 'rtsp', port),
    format: 'rtsp',
    protocols: 'rtsp,rtp,tcp',
    options: { rtsp_transport: 'tcp', timeout: WAIT_US },
  };
}

async function rtmp({ net }: SourceDeps, url: URL, signal: AbortSignal): Promise<LiveSource> {
  const { port } = await openRelay(net, { ...whereTo(url), signal });
  const path = url.pathname.slice(1);
  const at = path.lastIndexOf('/');
  const app = at < 0 ? path : path.slice(0, at);
  return {
    kind: 'address',
    url: local(url, 'rtmp', port),
    format: 'flv',
    protocols: 'rtmp,tcp',
    options: {
      rtmp_app: app,
      rtmp_playpath: path.slice(at + 1) + url.search,
      rtmp_tcurl: `${url.protocol}//${url.host}/${app}`,
      rtmp_live: 'live',
      rw_timeout: WAIT_US,
    },
  };
}

/** What may be said of an SRT connection in its address. */
const SRT_OPTIONS = ['streamid', 'passphrase', 'pbkeylen', 'latency'];

/** SRT runs over UDP and leads nowhere else: the address that was checked is the one that is connected to. */
async function srt({ net }: SourceDeps, url: URL): Promise<LiveSource> {
  const address = await net.addressOf(url.hostname);
  const host = address.includes(':') ? `[${address}]` : address;
  const said = [...url.searchParams].filter(([name]) => SRT_OPTIONS.includes(name));
  return {
    kind: 'address',
    url: `srt://${host}:${url.port}?mode=caller`,
    format: 'mpegts',
    protocols: 'srt',
    options: { ...Object.fromEntries(said), timeout: WAIT_US, connect_timeout: '10000' },
  };
}

const whereTo = (url: URL) => ({ host: url.hostname, port: portOf(url), tls: url.protocol.endsWith('s:') });

/** The same address on a port of this machine. */
function local({ username, password, pathname, search }: URL, protocol: string, port: number): string {
  const user = username || password ? `${username}:${password}@` : '';
  return `${protocol}://${user}127.0.0.1:${port}${pathname}${search}`;
}
