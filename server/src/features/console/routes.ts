import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '#platform/http/index';
import type { ConsoleFile } from './files.ts';
import { RELOAD_PATH, reloadScript, statusPage } from './pages.ts';
import type { Console } from './service.ts';

/** Paths of pages; the console's own router decides what they show. A test compares them with `web/src/router.tsx`. */
const PAGES = [
  '/',
  '/welcome',
  '/second-factor',
  '/videos/*',
  '/questions',
  '/questions/*',
  '/comparisons/*',
  '/saved-questions',
  '/review',
  '/search',
  '/live',
  '/live/cameras',
  '/live/wall',
  '/recordings',
  '/imports',
  '/imports/*',
  '/datasets',
  '/datasets/*',
  '/exports',
  '/settings',
  '/settings/*',
];

/** Only its own scripts and styles; no inline code, and no requests to other origins. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src 'self' blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "worker-src 'self' blob:",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), microphone=(), geolocation=()',
};
const RETRY_S = 2;

/** Sends the console, whose router shows that there is no such page; null if it is not there. */
export const sendPageNotFound = (console: Console, request: FastifyRequest, reply: FastifyReply) =>
  console.current().state === 'ready' ? sendPage(console, request, reply.code(404)) : null;

/** Serves the console. `addresses`: further paths of pages. */
export function consoleRoutes(app: App, console: Console, addresses: readonly string[]): void {
  const config = { scope: 'public' } as const;
  const schema = { hide: true };

  for (const path of [...PAGES, ...addresses])
    app.get(path, { config, schema }, (request, reply) => sendPage(console, request, reply));

  app.get(RELOAD_PATH, { config, schema }, (_request, reply) =>
    reply.headers(PAGE_HEADERS).type('text/javascript; charset=utf-8').send(reloadScript(RETRY_S)),
  );

  app.get('/assets/*', { config, schema }, (request, reply) => {
    const current = console.current();
    const path = `assets/${(request.params as { '*': string })['*']}`;
    const file = current.state === 'ready' ? current.files.get(path) : undefined;
    // Not cached: a page of an older build asks for files that this one no longer has.
    if (!file) return reply.code(404).type('text/plain').send('There is no such file.');
    reply.header('cache-control', 'public, max-age=31536000, immutable');
    return sendFile(request, reply, file);
  });
}

function sendPage(console: Console, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const current = console.current();
  // Pages are for this origin alone, unlike the API.
  for (const name of ['access-control-allow-origin', 'access-control-expose-headers']) reply.removeHeader(name);
  reply.headers(PAGE_HEADERS);
  if (current.state === 'ready') {
    reply.header('cache-control', 'no-cache');
    return sendFile(request, reply, current.files.get('index.html')!);
  }
  const isRoot = request.url.split('?')[0] === '/';
  if (!console.enabled && isRoot) return reply.redirect('/docs');
  if (current.state === 'building') reply.header('retry-after', String(RETRY_S));
  // An installation without the console is complete: nothing that watches the service should report an error.
  const status = current.state === 'not_installed' && isRoot ? 200 : 503;
  return reply.code(status).type('text/html; charset=utf-8').send(statusPage(current));
}

function sendFile(request: FastifyRequest, reply: FastifyReply, { type, etag, bytes }: ConsoleFile): FastifyReply {
  reply.headers({ ...PAGE_HEADERS, etag, vary: 'accept-encoding' });
  if (reply.statusCode === 200 && request.headers['if-none-match'] === etag) return reply.code(304).send();
  const accepted = String(request.headers['accept-encoding'] ?? '');
  const encoding = (['br', 'gzip'] as const).find((name) => bytes[name] && accepted.includes(name));
  if (encoding) reply.header('content-encoding', encoding);
  return reply.type(type).send(bytes[encoding ?? 'identity']);
}
