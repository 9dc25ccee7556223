import type { FastifyRequest } from 'fastify';
import { problems } from '../problems.ts';

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * True if a page of this service sent the request: by `Sec-Fetch-Site` if the browser sends it, else by comparing
 * `Origin` with the host and the public address. Null if the request has neither header: no current browser sends that.
 */
function sameOrigin({ headers }: FastifyRequest, publicUrl: string): boolean | null {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  if (headers.origin === undefined) return null;
  const origin = URL.parse(headers.origin);
  return origin !== null && (origin.origin === new URL(publicUrl).origin || origin.host === headers.host);
}

/** Requires that a write in a session comes from a page of this service. Throws `cross_site` (403). */
export function requireSameOrigin(request: FastifyRequest, publicUrl: string): void {
  if (!SAFE.has(request.method) && sameOrigin(request, publicUrl) !== true) throw problems.cross_site();
}

/** Keeps other sites from signing a browser in. Programs without an `Origin` are allowed. Throws `cross_site` (403). */
export function refuseCrossSite(request: FastifyRequest, publicUrl: string): void {
  if (sameOrigin(request, publicUrl) === false) throw problems.cross_site();
}
