import type { AttemptLimit, Cookies } from '#platform/http/index';

/** Role of a user: an owner manages owners and admins, an admin members and keys; a member reads and writes. */
export type Role = 'owner' | 'admin' | 'member';

/** A user with full access to an organization. */
export type Owner = { orgId: string; userId: string; email: string };

/** Dependencies of the routes besides the services. */
export type PeopleHttp = {
  /** Address of the service: cookies and redirects are for it. */
  publicUrl: string;
  /** Limits sign-in attempts. */
  attempts: AttemptLimit;
};

/** Dependencies of the routes that start a session. */
export type SignInHttp = PeopleHttp & { cookies: Cookies };
