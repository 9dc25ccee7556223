import type { CaptureSource } from '#platform/media/index';
import { openRelay } from '#platform/net/index';
import { problems } from '../problems.ts';
import { openHttpSource } from './http.ts';
import { getPort } from './source-url.ts';
import type { LiveSourceDeps, RecordedPosition, SourceReader } from './types.ts';

/** Time that FFmpeg waits for a server, in microseconds. */
const IO_TIMEOUT_US = '10000000';

/** Opens a source by its URL. Nothing connects before `next` is called. */
export function openSource(deps: LiveSourceDeps, url: URL, recorded: () => RecordedPosition | null): SourceReader {
  if (url.protocol.startsWith('http')) return openHttpSource(deps, url, recorded);
  const open = { 'rtsp:': rtsp, 'rtsps:': rtsp, 'rtmp:': rtmp, 'rtmps:': rtmp, 'srt:': srt, 'push:': push }[
    url.protocol
  ]!;
  return { next: async (signal) => ({ source: await open(deps, url, signal), clockMs: null }) };
}

/**
 * RTSP over TCP through a local relay to the checked address. The relay drops redirects, so the server cannot lead
 * elsewhere.
 */
async function rtsp({ net }: LiveSourceDeps, url: URL, signal: AbortSignal): Promise<CaptureSource> {
  const { port } = await openRelay(net, { ...toRelayTarget(url), forbidden: /RTSP\/1\.\d 3\d\d/, signal });
  return {
    kind: 'address',
    url: toLocalUrl(url, 'rtsp', port),
    format: 'rtsp',
    protocols: 'rtsp,rtp,tcp',
    options: { rtsp_transport: 'tcp', timeout: IO_TIMEOUT_US },
  };
}

async function rtmp({ net }: RelayNet, url: URL, signal: AbortSignal): Promise<CaptureSource> {
  const { port } = await openRelay(net, { ...toRelayTarget(url), signal });
  const path = url.pathname.slice(1);
  const at = path.lastIndexOf('/');
  const app = at < 0 ? path : path.slice(0, at);
  return {
    kind: 'address',
    url: toLocalUrl(url, 'rtmp', port),
    format: 'flv',
    protocols: 'rtmp,tcp',
    options: {
      rtmp_app: app,
      rtmp_playpath: path.slice(at + 1) + url.search,
      rtmp_tcurl: `${url.protocol}//${url.host}/${app}`,
      rtmp_live: 'live',
      rw_timeout: IO_TIMEOUT_US,
    },
  };
}

/** A camera that pushes: played by RTMP from the process of this service that receives it. */
async function push({ pushed }: LiveSourceDeps, { hostname }: URL, signal: AbortSignal): Promise<CaptureSource> {
  const found = await pushed.find(hostname);
  if (!found) throw problems.live_push_absent();
  const { host, port, token } = found;
  // The address is one of this service, not of a user.
  const net = { resolveAddress: async () => host };
  const url = new URL(`rtmp://${host.includes(':') ? `[${host}]` : host}:${port}/play/${hostname}?token=${token}`);
  return rtmp({ net }, url, signal);
}

/** SRT options that a source URL may set. */
const SRT_OPTIONS = ['streamid', 'passphrase', 'pbkeylen', 'latency'];

/** SRT over UDP, to the address that was checked. */
async function srt({ net }: LiveSourceDeps, url: URL): Promise<CaptureSource> {
  const address = await net.resolveAddress(url.hostname);
  const host = address.includes(':') ? `[${address}]` : address;
  const allowed = [...url.searchParams].filter(([name]) => SRT_OPTIONS.includes(name));
  return {
    kind: 'address',
    url: `srt://${host}:${url.port}?mode=caller`,
    format: 'mpegts',
    protocols: 'srt',
    options: { ...Object.fromEntries(allowed), timeout: IO_TIMEOUT_US, connect_timeout: '10000' },
  };
}

type RelayNet = { net: Parameters<typeof openRelay>[0] };

const toRelayTarget = (url: URL) => ({ host: url.hostname, port: getPort(url), tls: url.protocol.endsWith('s:') });

/** The same URL on a local port. */
function toLocalUrl({ username, password, pathname, search }: URL, protocol: string, port: number): string {
  const user = username || password ? `${username}:${password}@` : '';
  return `${protocol}://${user}127.0.0.1:${port}${pathname}${search}`;
}
