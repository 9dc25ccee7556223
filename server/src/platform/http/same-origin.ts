import type { FastifyRequest } from 'fastify';
import { problems } from './problems.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Whether a page of this service sent the request: what the browser says of it, where it does (`Sec-Fetch-Site`), else that its `Origin` is the
 * host it came to or the public address. Null: the request says neither, so no browser of the last years sent it.
 */
function sameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return null;
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.origin === new URL(publicUrl).origin || origin.host === headers.host);
}

/** Before a request that a cookie answers for: what changes something must come from a page of this service. Throws `cross_site` (403). */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (!SAFE.has(request.method) && sameOrigin(request, publicUrl) !== true) throw problems.cross_site();
}

/** Before a request that sets a cookie: another site must not sign a browser in. Programs that say no origin may. Throws `cross_site` (403). */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  if (sameOrigin(request, publicUrl) === false) throw problems.cross_site();
}
