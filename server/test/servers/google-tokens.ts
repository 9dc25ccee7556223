import { generateKeyPairSync } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const SUBJECT = '100000000000000000042';
const EMAIL = 'sightline@example-project.iam.gserviceaccount.com';

/**
 * A stand-in for Google's token endpoint, and the key file of a service account that asks it. Gives access tokens
 * and, to an assertion with a target audience, ID tokens whose claims are those that Google gives. Stop it.
 */
export async function startGoogleTokens() {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const assertions: Record<string, unknown>[] = [];
  let refusal: string | null = null;
  const server = createServer(async (request, response) => {
    const body = new URLSearchParams(Buffer.concat(await request.toArray()).toString());
    const claims = JSON.parse(Buffer.from(body.get('assertion')!.split('.')[1]!, 'base64url').toString());
    assertions.push(claims);
    const answer = refusal
      ? { error: refusal, error_description: 'Invalid JWT Signature.' }
      : claims.target_audience
        ? { id_token: idToken(claims.target_audience) }
        : { access_token: `ya29.${assertions.length}`, expires_in: 3600, token_type: 'Bearer' };
    response.writeHead(refusal ? 400 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    account: {
      type: 'service_account' as const,
      project_id: 'example-project',
      private_key_id: 'key-1',
      private_key: privateKey,
      client_email: EMAIL,
      client_id: SUBJECT,
      token_uri: `http://127.0.0.1:${port}/token`,
    },
    subject: SUBJECT,
    email: EMAIL,
    /** Claims of the requests so far. */
    assertions,
    /** From now on it says this instead of giving tokens; null: it gives them. */
    refuse(name: string | null) {
      refusal = name;
    },
    stop: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  };
}

function idToken(audience: string): string {
  const claims = { aud: audience, azp: SUBJECT, sub: SUBJECT, email: EMAIL, iss: 'https://accounts.google.com' };
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}.${part({ signature: 'of the stand-in' })}`;
}
