import type { IncomingHttpHeaders } from 'node:http';
import { parseCookie, type SetCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply } from 'fastify';

/**
 * Cookies that scripts cannot read and that other sites cannot make a browser send with a write. Over https they are
 * `Secure` with the `__Host-` prefix, so that neither plain http nor a sibling subdomain can set one.
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

/** Name of the session cookie. */
export const SESSION_COOKIE = 'sightline_session';
