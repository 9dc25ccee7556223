/**
 * Accounts: organizations and their users. Everything else belongs to an organization and was created by a user. The
 * first start creates the first organization and its owner; a one-time link lets the owner choose a password. Users
 * sign in with a password or single sign-on, and invite others. Sessions are cookies; only their digests are stored, so
 * a reader of the database cannot sign in.
 */
export { accountJobs } from './links/jobs.ts';
export { createPeople, type People } from './people.ts';
export { peopleRoutes } from './routes.ts';
export { rotateFactorKeys } from './second-factor/factors.ts';
export { type Accounts, createAccountsService as createAccounts } from './service.ts';
export type { Owner } from './types.ts';
