import { placeOf } from '#features/audit/index';
import { type App, type Caller, failures, publicFailures, SESSION_COOKIE } from '#platform/http/index';
import type { People } from '../people.ts';
import type { Door } from '../routes.ts';
import { welcome } from '../sessions/routes.ts';
import { CALLBACK_PATH } from './provider.ts';
import { BeginQuery, LinkAnswer, Redirect } from './schema.ts';

const TAGS = ['Accounts'];
/** Holds what the provider's answer must agree with, while the browser is there. */
const ROUND_COOKIE = 'sightline_sso';

export function ssoRoutes(app: App, { sso, sessions }: People, { publicUrl, attempts, cookies }: Door): void {
  app.get(
    '/api/auth/sso',
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'beginSso',
        tags: TAGS,
        summary: 'Sign in by single sign-on',
        description: 'Leads the browser to the provider that the operator set up (OpenID Connect).',
        querystring: BeginQuery,
        response: { 302: Redirect('To the provider.'), ...publicFailures(400, 404, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      await attempts.admit(request.ip);
      const { url, kept, expiresAt } = await sso.begin(request.query.return_to ?? '/');
      cookies.set(reply, ROUND_COOKIE, kept, expiresAt);
      return reply.redirect(url);
    },
  );

  app.post(
    '/api/auth/sso/link',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'linkSso',
        tags: TAGS,
        summary: 'Link single sign-on to your account',
        description: 'Lead the browser to the URL in the answer: who it is there can sign in as you from then on.',
        response: { 200: LinkAnswer, ...failures(404) },
      },
    },
    async ({ caller }, reply) => {
      const { url, kept, expiresAt } = await sso.begin('/', caller);
      cookies.set(reply, ROUND_COOKIE, kept, expiresAt);
      return { url };
    },
  );

  app.get(
    CALLBACK_PATH,
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'finishSso',
        tags: TAGS,
        summary: 'The way back from the provider',
        description: 'The provider leads the browser here: begins a session and sets its cookie.',
        response: {
          302: Redirect('To where the browser wanted.'),
          ...publicFailures(400, 403, 404, 409, 429, 500, 503),
        },
      },
    },
    async (request, reply) => {
      await attempts.admit(request.ip);
      const kept = cookies.read(request.headers, ROUND_COOKIE);
      // One answer, one try.
      cookies.clear(reply, ROUND_COOKIE);
      const caller = await signedIn(cookies.read(request.headers, SESSION_COOKIE));
      const query = request.url.split('?')[1] ?? '';
      const { started, returnTo } = await sso.finish({ query, kept, caller }, placeOf(request));
      if (started) welcome(reply, cookies, started);
      return reply.redirect(`${publicUrl}${returnTo}`);
    },
  );

  /** Who is signed in in this browser; null also where that session has ended. */
  const signedIn = (token: string | undefined): Promise<Caller | null> =>
    token ? sessions.authenticate(token).catch(() => null) : Promise.resolve(null);
}
