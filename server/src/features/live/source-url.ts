import { problems } from './problems.ts';

const PORTS: Record<string, number> = { 'rtsp:': 554, 'rtsps:': 322, 'rtmp:': 1935, 'rtmps:': 443 };
const MAX_LENGTH = 4_096;
/** What else than a user and a password opens a source stands in the query (tokens, passphrases), and with RTMP at the end of the path (stream keys). */
const HIDDEN = '***';

/** A URL that may be a source. Throws `live_source_invalid` (400). */
export function parseSource(text: string): URL {
  const url = text.length > MAX_LENGTH ? null : URL.parse(text.trim());
  if (!url?.hostname) throw problems.live_source_invalid();
  if (url.protocol === 'srt:') {
    if (!url.port) throw problems.live_source_invalid('An SRT source needs a port: srt://host:port.');
    const mode = url.searchParams.get('mode') ?? 'caller';
    if (mode !== 'caller') throw problems.live_source_invalid('An SRT source is called: its mode can only be caller.');
  } else if (!['http:', 'https:', ...Object.keys(PORTS)].includes(url.protocol)) {
    throw problems.live_source_invalid();
  }
  return url;
}

/** The source as it may be shown: no user, no password, no values of its query, no stream key. */
export function shownSource(source: URL): string {
  const shown = new URL(source);
  shown.username = '';
  shown.password = '';
  // What has no name is shown as a value.
  const query = [...source.searchParams].map(([name, value]) => (value ? `${encodeURIComponent(name)}=` : '') + HIDDEN);
  shown.search = query.join('&');
  shown.hash = '';
  if (source.protocol.startsWith('rtmp')) shown.pathname = source.pathname.replace(/[^/]+\/*$/, HIDDEN);
  return shown.href;
}

export const portOf = (source: URL): number => Number(source.port) || PORTS[source.protocol]!;
