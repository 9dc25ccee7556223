import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';

/**
 * Cookies that no script can read and no other site can make a browser send with what changes something. Over https they are marked as such,
 * with the `__Host-` prefix, so that neither plain http nor a neighbouring subdomain can plant one.
 */
export function createCookies(publicUrl: string) {
  const secure = publicUrl.startsWith('https:');
  const nameOf = (name: string) => (secure ? `__Host-${name}` : name);
  const send = (reply: FastifyReply, cookie: Pick<SetCookie, 'value' | 'maxAge'> & { name: string }) => {
    const { name, ...rest } = cookie;
    reply.header(
      'set-cookie',
      stringifySetCookie({ name: nameOf(name), ...rest, path: '/', httpOnly: true, sameSite: 'lax', secure }),
    );
  };
  return {
    read: (headers: IncomingHttpHeaders, name: string): string | undefined =>
      headers.cookie === undefined ? undefined : parseCookie(headers.cookie)[nameOf(name)],
    set(reply: FastifyReply, name: string, value: string, expiresAt: Date): void {
      send(reply, { name, value, maxAge: Math.max(0, Math.floor((expiresAt.getTime() - Date.now()) / 1000)) });
    },
    clear(reply: FastifyReply, name: string): void {
      send(reply, { name, value: '', maxAge: 0 });
    },
  };
}

export type Cookies = ReturnType<typeof createCookies>;

/** The cookie that a signed-in browser sends. */
export const SESSION_COOKIE = 'sightline_session';
