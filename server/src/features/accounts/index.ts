/**
 * Accounts: organisations and the people in them. Everything else belongs to an organisation and was made by one of its users.
 * On an empty database the first organisation and its owner are made at start; a link that works once lets that owner choose a password. From
 * then on people sign in with a password or by single sign-on, and bring in others by invitation. A session is a cookie of which only a digest is
 * stored: whoever reads the database cannot sign in with what they find.
 */
export { createPeople, type People } from './people.ts';
export { peopleRoutes } from './routes.ts';
export { type Accounts, createAccountsService as createAccounts, type Owner } from './service.ts';
