import * as oidc from 'openid-client';
import type { SsoConfig } from '#platform/config/index';
import { problems } from '../problems.ts';

/** What must come back unchanged: the provider's answer is believed only together with it. */
export type Round = { state: string; nonce: string; verifier: string };

/** Who the provider says it is. */
export type Identity = { issuer: string; subject: string; email: string | null; name: string | null };

export interface Provider {
  /** Where to send the browser, and what to remember until it comes back. Throws `sso_unavailable` (503). */
  begin(): Promise<{ url: URL; round: Round }>;
  /**
   * Exchanges the code in the query that the browser came back with for a verified ID token. `email` is null where the provider does not vouch
   * for it. Throws `sso_refused` (403), `sso_failed` (400) or `sso_unavailable` (503).
   */
  finish(query: string, round: Round): Promise<Identity>;
}

/** What is known of the provider is asked for anew this often. */
const BELIEVED_MS = 3_600_000;
const TIMEOUT_S = 10;

/** OpenID Connect's authorisation code flow with PKCE, state and nonce, against the provider that `settings` name. */
export function createProvider(settings: SsoConfig, publicUrl: string): Provider {
  const redirectUri = `${publicUrl}${CALLBACK_PATH}`;
  let known: { at: number; configuration: Promise<oidc.Configuration> } | null = null;

  function discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = settings;
    const insecure = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    // The token's signature is checked too, although it comes over a connection of our own.
    return oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, {
      execute: [oidc.enableNonRepudiationChecks, ...insecure],
      timeout: TIMEOUT_S,
    });
  }

  function configuration(): Promise<oidc.Configuration> {
    if (known && performance.now() - known.at < BELIEVED_MS) return known.configuration;
    const asked = { at: performance.now(), configuration: discover() };
    known = asked;
    asked.configuration.catch(() => {
      if (known === asked) known = null;
    });
    return asked.configuration;
  }

  return {
    begin: () =>
      translated(async () => {
        const config = await configuration();
        const round = {
          state: oidc.randomState(),
          nonce: oidc.randomNonce(),
          verifier: oidc.randomPKCECodeVerifier(),
        };
        const url = oidc.buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: 'openid email profile',
          state: round.state,
          nonce: round.nonce,
          code_challenge: await oidc.calculatePKCECodeChallenge(round.verifier),
          code_challenge_method: 'S256',
        });
        return { url, round };
      }),
    finish: (query, { state, nonce, verifier }) =>
      translated(async () => {
        const config = await configuration();
        const tokens = await oidc.authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
        });
        const token = tokens.claims()!;
        // Some providers keep the address out of the ID token.
        const said =
          token.email === undefined && config.serverMetadata().userinfo_endpoint
            ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
            : token;
        const vouched = said.email_verified === true || (settings.trustEmails && said.email_verified === undefined);
        return {
          issuer: token.iss,
          subject: token.sub,
          email: vouched && typeof said.email === 'string' ? said.email : null,
          name: typeof said.name === 'string' ? said.name : null,
        };
      }),
  };
}

export const CALLBACK_PATH = '/api/auth/sso/callback';

/** What went wrong, in words for whoever signs in; the library's own go along as the cause. */
async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof oidc.AuthorizationResponseError) throw problems.sso_refused(undefined, { cause });
    // What the library makes of an answer has a code; without one no answer came.
    const answered = cause instanceof oidc.ResponseBodyError || (cause instanceof oidc.ClientError && !away(cause));
    throw answered ? problems.sso_failed(undefined, { cause }) : problems.sso_unavailable(undefined, { cause });
  }
}

const away = ({ code = '' }: oidc.ClientError) => code === 'OAUTH_TIMEOUT' || code === 'OAUTH_ABORT' || code === '';
