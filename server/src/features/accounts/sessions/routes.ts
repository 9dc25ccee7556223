import type { FastifyReply } from 'fastify';
import { actorOf, clientOf } from '#features/audit/index';
import { type App, type Cookies, refuseCrossSite, routes, SESSION_COOKIE } from '#platform/http/index';
import { normalizeEmail } from '../email.ts';
import type { SignInHttp } from '../types.ts';
import { DEVICE_COOKIE, type Devices } from './devices.ts';
import {
  Credentials,
  EndedSessions,
  PasswordChange,
  ProfileChanges,
  SessionList,
  SessionParams,
  SignedInSession,
} from './schema.ts';
import type { Sessions, StartedSession } from './service.ts';

export function sessionsRoutes(app: App, people: SignedInPeople, { publicUrl, attempts, cookies }: SignInHttp): void {
  const { sessions, devices } = people;
  const route = routes(app, { tag: 'Accounts', scope: 'session' });

  route.post(
    '/api/auth/sign-in',
    {
      id: 'signIn',
      scope: 'public',
      summary: 'Sign in',
      description:
        'Starts a session and sets its cookie. The response to a wrong password and to an unknown address is the same. The number of attempts is limited for each address and each account, and apart from these for each browser in which the user has signed in before. Users with a second factor also send a code: without one, the response is `second_factor_needed`.',
      body: Credentials,
      response: SignedInSession,
      errors: [400, 401, 403, 413, 415, 429, 500, 503],
    },
    async (request, reply) => {
      refuseCrossSite(request, publicUrl);
      // Normalized, so that an account has one counter regardless of spelling.
      const account = normalizeEmail(request.body.email) ?? request.body.email;
      const device = devices.identify(cookies.read(request.headers, DEVICE_COOKIE), account);
      await attempts.admit(request.ip, account, device);
      return welcome(reply, cookies, people, await sessions.signIn(request.body, clientOf(request), device));
    },
  );

  route.get(
    '/api/auth/session',
    {
      id: 'getSession',
      enrollment: true,
      summary: 'Get the current session',
      description: 'Returns the user who is signed in in this browser, and their permissions.',
      response: SignedInSession,
    },
    ({ caller }) => sessions.describe(caller),
  );

  route.patch(
    '/api/auth/profile',
    {
      id: 'changeProfile',
      summary: 'Change your profile',
      description: 'Changes your name and your language. They apply in all your sessions.',
      body: ProfileChanges,
      response: SignedInSession,
    },
    ({ caller, body }) => sessions.changeProfile(caller, body),
  );

  route.get(
    '/api/auth/sessions',
    {
      id: 'listSessions',
      summary: 'List your sessions',
      description: 'Lists your sessions in all browsers.',
      response: SessionList,
    },
    async ({ caller }) => ({ sessions: await sessions.list(caller) }),
  );

  route.delete(
    '/api/auth/sessions/:session_id',
    {
      id: 'endSession',
      summary: 'End one of your sessions',
      description: 'Signs out one of your browsers.',
      params: SessionParams,
      response: EndedSessions,
      errors: [404],
    },
    async (request) => {
      await sessions.end(request.caller, request.params.sessionId, actorOf(request));
      return { ended: 1 };
    },
  );

  route.post(
    '/api/auth/sign-out',
    {
      id: 'signOut',
      enrollment: true,
      summary: 'Sign out',
      description: 'Ends this session.',
      response: EndedSessions,
      errors: [404],
    },
    async (request, reply) => {
      await sessions.end(request.caller, request.caller.sessionId!, actorOf(request));
      cookies.clear(reply, SESSION_COOKIE);
      return { ended: 1 };
    },
  );

  route.post(
    '/api/auth/sign-out-everywhere',
    {
      id: 'signOutEverywhere',
      summary: 'Sign out everywhere',
      description: 'Ends all your sessions, including this one. Keys remain valid.',
      response: EndedSessions,
    },
    async (request, reply) => {
      const ended = await sessions.endAll(request.caller, actorOf(request));
      cookies.clear(reply, SESSION_COOKIE);
      return { ended };
    },
  );

  route.post(
    '/api/auth/password',
    {
      id: 'changePassword',
      summary: 'Change your password',
      description: 'Sets a new password. All your sessions end; this browser gets a new one.',
      body: PasswordChange,
      response: SignedInSession,
      errors: [409],
    },
    async (request, reply) => {
      const { caller, body } = request;
      await attempts.admit(request.ip, caller.userId, caller.sessionId);
      return welcome(reply, cookies, people, await sessions.changePassword(caller, body, actorOf(request)));
    },
  );
}

type SignedInPeople = { sessions: Sessions; devices: Devices };

/** Sets the cookies of a new session and of its browser, and returns the session. */
export async function welcome(
  reply: FastifyReply,
  cookies: Cookies,
  { sessions, devices }: SignedInPeople,
  { token, caller }: StartedSession,
): Promise<SignedInSession> {
  const session = await sessions.describe(caller);
  cookies.set(reply, SESSION_COOKIE, token, caller.expiresAt);
  const device = devices.issue(session.email);
  cookies.set(reply, DEVICE_COOKIE, device.value, device.expiresAt);
  return session;
}
