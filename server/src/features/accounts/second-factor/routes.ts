import { actorOf } from '#features/audit/index';
import { type App, routes } from '#platform/http/index';
import type { People } from '../people.ts';
import { welcome } from '../sessions/routes.ts';
import { SignedInSession } from '../sessions/schema.ts';
import type { SignInHttp } from '../types.ts';
import {
  ConfirmedSecondFactor,
  NewSecondFactor,
  PasswordAndCode,
  RecoveryCodes,
  SecondFactorCode,
  SecondFactorKey,
} from './schema.ts';

export function secondFactorRoutes(app: App, people: People, { attempts, cookies }: SignInHttp): void {
  const { enrollment, sessions } = people;
  const route = routes(app, { tag: 'Accounts', scope: 'session' });

  route.post(
    '/api/auth/second-factor',
    {
      id: 'beginSecondFactor',
      enrollment: true,
      summary: 'Get a key for an authenticator app',
      description:
        'Creates a key for codes that change with the time (TOTP). It has no effect until you confirm it with a code. Each request replaces the key.',
      body: NewSecondFactor,
      response: SecondFactorKey,
      errors: [409],
    },
    async ({ ip, caller, body }) => {
      await attempts.admit(ip, caller.userId, caller.sessionId);
      return enrollment.begin(caller, body.password);
    },
  );

  route.post(
    '/api/auth/second-factor/confirm',
    {
      id: 'confirmSecondFactor',
      enrollment: true,
      summary: 'Require a second factor for your account',
      description:
        'Confirms the key with a code of the app. From then on, signing in with your password needs a code. All your sessions end; this browser gets a new one. The recovery codes are shown only in this response.',
      body: SecondFactorCode,
      response: ConfirmedSecondFactor,
      errors: [409],
    },
    async (request, reply) => {
      const { started, recoveryCodes } = await enrollment.confirm(request.caller, request.body.code, actorOf(request));
      return { session: await welcome(reply, cookies, people, started), recoveryCodes };
    },
  );

  route.post(
    '/api/auth/second-factor/recovery-codes',
    {
      id: 'replaceRecoveryCodes',
      summary: 'Replace your recovery codes',
      description: 'Returns new recovery codes. Earlier ones are no longer accepted.',
      body: PasswordAndCode,
      response: RecoveryCodes,
      errors: [409],
    },
    async (request) => {
      const { ip, caller, body } = request;
      await attempts.admit(ip, caller.userId, caller.sessionId);
      return { recoveryCodes: await enrollment.replaceRecoveryCodes(caller, body, actorOf(request)) };
    },
  );

  route.post(
    '/api/auth/second-factor/turn-off',
    {
      id: 'turnOffSecondFactor',
      summary: 'Turn your second factor off',
      description:
        'Signing in then needs only your password. If your organization requires a second factor, you have to set up another one before anything else.',
      body: PasswordAndCode,
      response: SignedInSession,
      errors: [409],
    },
    async (request) => {
      const { ip, caller, body } = request;
      await attempts.admit(ip, caller.userId, caller.sessionId);
      await enrollment.turnOff(caller, body, actorOf(request));
      return sessions.describe(caller);
    },
  );
}
