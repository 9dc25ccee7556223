import type { JWT } from 'google-auth-library';
import type { ServiceAccount } from './types.ts';

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
export const READ_ONLY_SCOPE = 'https://www.googleapis.com/auth/devstorage.read_only';

/** Requests read-only tokens of a service account. Ignores other fields of the file: they may name programs to run. */
export async function createServiceAccount(account: ServiceAccount, fetcher: typeof fetch): Promise<JWT> {
  // The library always uses Google's token URL; the file may name another one.
  const tokenUrl = account.token_uri ?? TOKEN_URL;
  const fetchImplementation: typeof fetch = (input, init) =>
    fetcher(String(input) === TOKEN_URL ? tokenUrl : input, init);
  // Imported on first use, because it slows down every start.
  const { JWT } = await import('google-auth-library');
  return new JWT({
    email: account.client_email,
    key: account.private_key,
    keyId: account.private_key_id,
    scopes: [READ_ONLY_SCOPE],
    transporterOptions: { fetchImplementation, timeout: 15_000 },
  });
}
