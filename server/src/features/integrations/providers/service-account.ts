import { JWT } from 'google-auth-library';

/** The key file of a Google service account, as Google's console gives it; more fields may stand in it. */
export type ServiceAccount = {
  type: 'service_account';
  client_email: string;
  private_key: string;
  private_key_id?: string;
  project_id?: string;
  token_uri?: string;
};

const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const READ_ONLY = 'https://www.googleapis.com/auth/devstorage.read_only';

/** Tokens of the account, for reading buckets. Nothing else of the file is followed: some kinds of it name programs and addresses. */
export function createServiceAccount(account: ServiceAccount, fetcher: typeof fetch): JWT {
  // The library knows one address to get tokens from; the file may name another.
  const tokenUrl = account.token_uri ?? TOKEN_URL;
  const fetchImplementation: typeof fetch = (input, init) =>
    fetcher(String(input) === TOKEN_URL ? tokenUrl : input, init);
  return new JWT({
    email: account.client_email,
    key: account.private_key,
    keyId: account.private_key_id,
    scopes: [READ_ONLY],
    transporterOptions: { fetchImplementation, timeout: 15_000 },
  });
}
