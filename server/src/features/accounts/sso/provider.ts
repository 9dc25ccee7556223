import type * as OpenIdClient from 'openid-client';
import type { SsoConfig } from '#platform/config/index';
import { problems } from '../problems.ts';

/** Values that must match in the provider's response for it to be trusted. */
export type Challenge = { state: string; nonce: string; verifier: string };

/** The identity stated by the provider. */
export type Identity = { issuer: string; subject: string; email: string | null; name: string | null };

type Library = typeof OpenIdClient;

export interface Provider {
  /** URL to redirect the browser to, and the values to store until it returns. Throws `sso_unavailable` (502). */
  begin(): Promise<{ url: URL; challenge: Challenge }>;
  /**
   * Exchanges the code in the query of the returning browser for a verified ID token. `email` is null unless the
   * provider vouches for it. Throws `sso_failed` (400), `sso_refused` (403) or `sso_unavailable` (502).
   */
  finish(query: string, challenge: Challenge): Promise<Identity>;
}

/** Refresh interval of the provider's metadata. */
const REFRESH_MS = 3_600_000;
const TIMEOUT_S = 10;

/** OpenID Connect's authorization code flow with PKCE, state and nonce, for the provider in `settings`. */
export function createProvider(settings: SsoConfig, publicUrl: string): Provider {
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  let known: { at: number; configuration: Promise<OpenIdClient.Configuration> } | null = null;

  function discover(oidc: Library): Promise<OpenIdClient.Configuration> {
    const { issuer, clientId, clientSecret } = settings;
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    // Checks the signature of the token too, although it comes over a direct connection.
    return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: [oidc.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_S,
    });
  }

  function configuration(oidc: Library): Promise<OpenIdClient.Configuration> {
    if (known && performance.now() - known.at < REFRESH_MS) return known.configuration;
    const discovery = { at: performance.now(), configuration: discover(oidc) };
    known = discovery;
    discovery.configuration.catch(() => {
      if (known === discovery) known = null;
    });
    return discovery.configuration;
  }

  return {
    begin: () =>
      withProblems(async (oidc) => {
        const config = await configuration(oidc);
        const challenge = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: challenge.state,
          nonce: challenge.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(challenge.verifier),
          code_challenge_method: 'S256',
        });
        return { url, challenge };
      }),
    finish: (query, { state, nonce, verifier }) =>
      withProblems(async (oidc) => {
        const config = await configuration(oidc);
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const token = tokens.claims()!;
        // Some providers leave the address out of the ID token.
        const claims =
          token.email === undefined && config.serverMetadata().userinfo_endpoint
            ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
            : token;
        const isVerified =
          claims.email_verified === true || (settings.trustEmails && claims.email_verified === undefined);
        return {
          issuer: token.iss,
          subject: token.sub,
          email: isVerified && typeof claims.email === 'string' ? claims.email : null,
          name: typeof claims.name === 'string' ? claims.name : null,
        };
      }),
  };
}

export const CALLBACK_PATH = '/api/auth/sso/callback';

/** The failure as a message for the user who signs in; the library's error becomes the cause. */
async function withProblems<T>(work: (oidc: Library) => Promise<T>): Promise<T> {
  const oidc = await import('openid-client');
  try {
    return await work(oidc);
  } catch (cause) {
    if (cause instanceof oidc.AuthorizationResponseError) throw problems.sso_refused(undefined, { cause });
    // The library's errors about a response have a code; without one there was no response.
    const responded =
      cause instanceof oidc.ResponseBodyError || (cause instanceof oidc.ClientError && !isUnreachable(cause));
    throw responded ? problems.sso_failed(undefined, { cause }) : problems.sso_unavailable(undefined, { cause });
  }
}

const isUnreachable = ({ code = '' }: OpenIdClient.ClientError) =>
  code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === '';
