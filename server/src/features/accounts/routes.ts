import { type App, createCookies } from '#platform/http/index';
import { linksRoutes } from './links/routes.ts';
import { membersRoutes } from './members/routes.ts';
import type { People } from './people.ts';
import { secondFactorRoutes } from './second-factor/routes.ts';
import { sessionsRoutes } from './sessions/routes.ts';
import { ssoRoutes } from './sso/routes.ts';
import type { PeopleHttp } from './types.ts';

export function peopleRoutes(app: App, people: People, { publicUrl, attempts }: PeopleHttp): void {
  const signIn = { publicUrl, attempts, cookies: createCookies(publicUrl) };
  sessionsRoutes(app, people, signIn);
  secondFactorRoutes(app, people, signIn);
  linksRoutes(app, people, signIn);
  membersRoutes(app, people.members);
  ssoRoutes(app, people, signIn);
}
