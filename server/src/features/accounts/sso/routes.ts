import { clientOf } from '#features/audit/index';
import { type App, type Caller, routes, SESSION_COOKIE } from '#platform/http/index';
import type { People } from '../people.ts';
import { welcome } from '../sessions/routes.ts';
import type { SignInHttp } from '../types.ts';
import { CALLBACK_PATH } from './provider.ts';
import { Redirect, SignInMethods, SignInQuery, SsoUrl } from './schema.ts';

/** Cookie with the values that the provider's response must match. */
const STATE_COOKIE = 'sightline_sso';

export function ssoRoutes(app: App, people: People, { publicUrl, attempts, cookies }: SignInHttp): void {
  const { sso, sessions, resets } = people;
  const route = routes(app, { tag: 'Accounts', scope: 'public' });

  route.get(
    '/api/auth/methods',
    {
      id: 'getSignInMethods',
      summary: 'Get the ways to sign in',
      description: 'Returns which ways to sign in this service offers. For sign-in pages.',
      response: SignInMethods,
      errors: [500],
    },
    () => ({ password: true, sso: sso.offered, passwordReset: resets.offered }),
  );

  route.get(
    '/api/auth/sso',
    {
      id: 'beginSso',
      summary: 'Sign in by single sign-on',
      description: 'Redirects the browser to the OpenID Connect provider that the operator configured.',
      query: SignInQuery,
      responses: { 302: Redirect('Redirect to the provider.') },
      errors: [400, 404, 429, 500, 502, 503],
    },
    async (request, reply) => {
      await attempts.admit(request.ip);
      const { url, state, expiresAt } = await sso.begin(request.query.returnTo ?? '/');
      cookies.set(reply, STATE_COOKIE, state, expiresAt);
      return reply.redirect(url);
    },
  );

  route.post(
    '/api/auth/sso/link',
    {
      id: 'linkSso',
      scope: 'session',
      summary: 'Link single sign-on to your account',
      description:
        'Open the returned URL in the browser and sign in with the provider. That identity can then sign in to your account.',
      response: SsoUrl,
      errors: [404],
    },
    async ({ caller }, reply) => {
      const { url, state, expiresAt } = await sso.begin('/', caller);
      cookies.set(reply, STATE_COOKIE, state, expiresAt);
      return { url };
    },
  );

  route.get(
    CALLBACK_PATH,
    {
      id: 'finishSso',
      summary: 'Finish single sign-on',
      description: 'The provider redirects the browser here. Starts a session and sets its cookie.',
      responses: { 302: Redirect('Redirect to the requested path.') },
      errors: [400, 403, 404, 409, 429, 500, 502, 503],
    },
    async (request, reply) => {
      await attempts.admit(request.ip);
      const state = cookies.read(request.headers, STATE_COOKIE);
      // Each response is tried once.
      cookies.clear(reply, STATE_COOKIE);
      const caller = await signedIn(cookies.read(request.headers, SESSION_COOKIE));
      const query = request.url.split('?')[1] ?? '';
      const { started, returnTo } = await sso.finish({ query, state, caller }, clientOf(request));
      if (started) await welcome(reply, cookies, people, started);
      return reply.redirect(`${publicUrl}${returnTo}`);
    },
  );

  /** The user who is signed in in this browser; null if the session has ended. */
  const signedIn = (token: string | undefined): Promise<Caller | null> =>
    token ? sessions.authenticate(token).catch(() => null) : Promise.resolve(null);
}
