import { problems } from '../problems.ts';

const PORTS: Record<string, number> = { 'rtsp:': 554, 'rtsps:': 322, 'rtmp:': 1935, 'rtmps:': 443 };
const MAX_LENGTH = 4_096;
/** Replaces credentials in the query (tokens, passphrases) and at the end of RTMP paths (stream keys). */
const REDACTED = '***';

/** Parses the URL of a source. Throws `live_source_invalid` (400). */
export function parseSourceUrl(text: string): URL {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text.trim());
  if (!url?.hostname) throw problems.live_source_invalid();
  if (url.protocol === 'srt:') {
    if (!url.port) throw problems.live_source_invalid('An SRT source needs a port, as in srt://host:port.');
    const mode = url.searchParams.get('mode') ?? 'caller';
    if (mode !== 'caller')
      throw problems.live_source_invalid('An SRT source must use the caller mode. Remove the mode from the URL.');
  } else if (!['http:', 'https:', ...Object.keys(PORTS)].includes(url.protocol)) {
    throw problems.live_source_invalid();
  }
  return url;
}

/** Address of a camera that encoders publish to: `push://` and its id. Users cannot enter one. */
export const toPushUrl = (cameraId: string): URL => new URL(`push://${cameraId}`);
export const isPushUrl = (url: string): boolean => url.startsWith('push:');

/** The source URL for display, without user, password, query values and stream key. */
export function redactSourceUrl(source: URL): string {
  const url = new URL(source);
  url.username = '';
  url.password = '';
  // A query parameter without `=` is a value, so its name is redacted.
  const query = [...source.searchParams].map(
    ([name, value]) => (value ? `${encodeURIComponent(name)}=` : '') + REDACTED,
  );
  url.search = query.join('&');
  url.hash = '';
  if (source.protocol.startsWith('rtmp')) url.pathname = source.pathname.replace(/[^/]+\/*$/, REDACTED);
  return url.href;
}

export const getPort = (source: URL): number => Number(source.port) || PORTS[source.protocol]!;
