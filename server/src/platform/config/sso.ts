import { invalid } from './invalid.ts';
import type { Settings } from './variables.ts';

/** The provider of single sign-on. */
export type SsoConfig = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Lower-case domains of email addresses that may join without an invitation. */
  domains: readonly string[];
  /** Role of users who join without an invitation. */
  role: 'admin' | 'member';
  /** True if an address counts as verified when the provider does not state it. */
  trustEmails: boolean;
}>;

/** Requests to this machine cannot be intercepted, so they may use http. */
const LOCAL_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/** Checks the `SIGHTLINE_OIDC_…` variables together; null without a provider. */
export function toSsoConfig({ issuer, clientId, clientSecret, domains, ...rest }: Settings['sso']): SsoConfig | null {
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    throw invalid(
      'SIGHTLINE_OIDC_ISSUER',
      'must be given together with SIGHTLINE_OIDC_CLIENT_ID and SIGHTLINE_OIDC_CLIENT_SECRET',
    );
  }
  const url = URL.parse(issuer);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname))) {
    throw invalid('SIGHTLINE_OIDC_ISSUER', 'must be a URL that starts with https://');
  }
  return { issuer, clientId, clientSecret, domains: domains.map((domain) => domain.toLowerCase()), ...rest };
}
