/**
 * Accounts: organisations and the people in them. Everything else belongs to an organisation and was made by one of its users.
 * On an empty database the first organisation and its owner are made at start.
 */
export { type Accounts, createAccountsService as createAccounts, type Owner } from './service.ts';
