import { invalid } from './invalid.ts';

/** The provider of single sign-on, as the operator describes it. */
export type SsoConfig = Readonly<{
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Domains of addresses that may join without an invitation. */
  domains: readonly string[];
  /** What they become. */
  role: 'admin' | 'member';
  /** Whether an address counts as verified where the provider does not say so. */
  trustEmails: boolean;
}>;

type Read = (name: string) => string | null;
type Choose = <T extends string>(name: string, fallback: T, allowed: readonly T[]) => T;

/** Hosts of this machine: what is said to them cannot be overheard. */
const NEAR = ['localhost', '127.0.0.1', '[::1]'];

/** Reads the `SIGHTLINE_OIDC_…` variables; null when none is given. */
export function parseSso(text: Read, oneOf: Choose): SsoConfig | null {
  const issuer = text('SIGHTLINE_OIDC_ISSUER');
  const clientId = text('SIGHTLINE_OIDC_CLIENT_ID');
  const clientSecret = text('SIGHTLINE_OIDC_CLIENT_SECRET');
  if (!issuer && !clientId && !clientSecret) return null;
  if (!issuer || !clientId || !clientSecret) {
    throw invalid(
      'SIGHTLINE_OIDC_ISSUER',
      'must be given together with SIGHTLINE_OIDC_CLIENT_ID and SIGHTLINE_OIDC_CLIENT_SECRET',
    );
  }
  const url = URL.parse(issuer);
  if (url?.protocol !== 'https:' && !(url?.protocol === 'http:' && NEAR.includes(url.hostname))) {
    throw invalid('SIGHTLINE_OIDC_ISSUER', 'must be a URL that starts with https://');
  }
  const domains = (text('SIGHTLINE_OIDC_DOMAINS') ?? '').split(',').map((domain) => domain.trim().toLowerCase());
  return {
    issuer,
    clientId,
    clientSecret,
    domains: domains.filter(Boolean),
    role: oneOf('SIGHTLINE_OIDC_ROLE', 'member', ['member', 'admin']),
    trustEmails: oneOf('SIGHTLINE_OIDC_TRUST_EMAILS', 'false', ['true', 'false']) === 'true',
  };
}
