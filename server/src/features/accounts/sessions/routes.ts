import type { FastifyReply } from 'fastify';
import { actorOf, placeOf } from '#features/audit/index';
import {
  type App,
  type Cookies,
  failures,
  publicFailures,
  refuseCrossSite,
  SESSION_COOKIE,
} from '#platform/http/index';
import { emailOf } from '../email.ts';
import type { Door } from '../routes.ts';
import { Ended, PasswordBody, SessionAnswer, SessionId, SessionList, SignInBody } from './schema.ts';
import type { SessionRecord, Sessions, Started } from './service.ts';

const TAGS = ['Accounts'];

export function sessionsRoutes(app: App, sessions: Sessions, { publicUrl, attempts, cookies }: Door): void {
  app.post(
    '/api/auth/sign-in',
    {
      config: { scope: 'public' },
      schema: {
        operationId: 'signIn',
        tags: TAGS,
        summary: 'Sign in',
        description:
          'Begins a session and sets its cookie. A wrong password and an unknown address get the same answer. Attempts are limited for each address and each account.',
        body: SignInBody,
        response: { 200: SessionAnswer, ...publicFailures(400, 401, 403, 413, 415, 429, 500, 503) },
      },
    },
    async (request, reply) => {
      refuseCrossSite(request, publicUrl);
      // In the form it is looked up in: one account has one count, however its address is spelt.
      await attempts.admit(request.ip, emailOf(request.body.email) ?? request.body.email);
      return welcome(reply, cookies, await sessions.signIn(request.body, placeOf(request)));
    },
  );

  app.get(
    '/api/auth/session',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'getSession',
        tags: TAGS,
        summary: 'Who is signed in',
        description: 'Says who is signed in in this browser, and what they may do.',
        response: { 200: SessionAnswer, ...failures() },
      },
    },
    async ({ caller }) => sessionAnswer(caller),
  );

  app.get(
    '/api/auth/sessions',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'listSessions',
        tags: TAGS,
        summary: 'List your sessions',
        description: 'Lists where you are signed in.',
        response: { 200: SessionList, ...failures() },
      },
    },
    async ({ caller }) => ({
      sessions: (await sessions.list(caller)).map((session) => row(session, caller.sessionId)),
    }),
  );

  app.delete(
    '/api/auth/sessions/:session_id',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'endSession',
        tags: TAGS,
        summary: 'End one of your sessions',
        description: 'Signs out one browser of yours.',
        params: SessionId,
        response: { 200: Ended, ...failures(404) },
      },
    },
    async (request) => {
      await sessions.end(request.caller, request.params.session_id, actorOf(request));
      return { ended: 1 };
    },
  );

  app.post(
    '/api/auth/sign-out',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'signOut',
        tags: TAGS,
        summary: 'Sign out',
        description: 'Ends this session.',
        response: { 200: Ended, ...failures(404) },
      },
    },
    async (request, reply) => {
      await sessions.end(request.caller, request.caller.sessionId!, actorOf(request));
      cookies.clear(reply, SESSION_COOKIE);
      return { ended: 1 };
    },
  );

  app.post(
    '/api/auth/sign-out-everywhere',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'signOutEverywhere',
        tags: TAGS,
        summary: 'Sign out everywhere',
        description: 'Ends all your sessions, this one too. Keys go on.',
        response: { 200: Ended, ...failures() },
      },
    },
    async (request, reply) => {
      const ended = await sessions.endAll(request.caller, actorOf(request));
      cookies.clear(reply, SESSION_COOKIE);
      return { ended };
    },
  );

  app.post(
    '/api/auth/password',
    {
      config: { scope: 'session' },
      schema: {
        operationId: 'changePassword',
        tags: TAGS,
        summary: 'Change your password',
        description: 'Sets another password. All your other sessions end; this browser gets a new one.',
        body: PasswordBody,
        response: { 200: SessionAnswer, ...failures(409) },
      },
    },
    async (request, reply) => {
      const { caller, body } = request;
      await attempts.admit(request.ip, caller.userId);
      const passwords = { current: body.current_password, next: body.new_password };
      return welcome(reply, cookies, await sessions.changePassword(caller, passwords, actorOf(request)));
    },
  );
}

/** Sets the cookie of a session that just began, and says whose it is. */
export function welcome(reply: FastifyReply, cookies: Cookies, { token, caller }: Started) {
  cookies.set(reply, SESSION_COOKIE, token, caller.expiresAt);
  return sessionAnswer(caller);
}

const sessionAnswer = (caller: Started['caller']) => ({
  session_id: caller.sessionId!,
  user_id: caller.userId,
  email: caller.email,
  org_id: caller.orgId,
  permissions: [...caller.scopes],
  expires_at: caller.expiresAt.toISOString(),
});

const row = (session: SessionRecord, current: string | undefined) => ({
  session_id: session.id,
  current: session.id === current,
  method: session.method,
  address: session.address,
  user_agent: session.userAgent,
  created_at: session.createdAt.toISOString(),
  expires_at: session.expiresAt.toISOString(),
});
