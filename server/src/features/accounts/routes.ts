import { type App, type Attempts, type Cookies, createCookies } from '#platform/http/index';
import { linksRoutes } from './links/routes.ts';
import { membersRoutes } from './members/routes.ts';
import type { People } from './people.ts';
import { sessionsRoutes } from './sessions/routes.ts';
import { ssoRoutes } from './sso/routes.ts';
import { welcomeRoutes } from './welcome/routes.ts';

/** What the routes of this room need beside the room itself. */
export type PeopleHttp = {
  /** Address of the service: cookies and redirects are for it. */
  publicUrl: string;
  /** Counts attempts to get in. */
  attempts: Attempts;
};

export function peopleRoutes(app: App, people: People, { publicUrl, attempts }: PeopleHttp): void {
  const door = { publicUrl, attempts, cookies: createCookies(publicUrl) };
  sessionsRoutes(app, people.sessions, door);
  linksRoutes(app, people.links, door);
  membersRoutes(app, people.members);
  ssoRoutes(app, people, door);
  welcomeRoutes(app, { sso: people.sso.offered });
}

/** What the routes that begin a session share. */
export type Door = PeopleHttp & { cookies: Cookies };
