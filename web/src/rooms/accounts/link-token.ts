export type LinkKind = 'setup' | 'invitation' | 'reset';
export type LinkToken = { kind: LinkKind; token: string };

const KEY = 'sightline.link';

/**
 * Reads the secret of a link from the fragment, removes it from the address bar, and keeps it for a reload of this tab.
 * Returns null for an address without a link.
 */
export function keepLink(search: Partial<Record<LinkKind, boolean>>): LinkToken | null {
  const kind = (['setup', 'invitation', 'reset'] as const).find((each) => search[each]);
  const token = window.location.hash.slice(1);
  if (kind && token) sessionStorage.setItem(KEY, JSON.stringify({ kind, token }));
  // Without a link, the address has the page to open after signing in.
  if (kind) window.history.replaceState(window.history.state, '', window.location.pathname);
  const stored = sessionStorage.getItem(KEY);
  return stored ? (JSON.parse(stored) as LinkToken) : null;
}

/** Removes the secret after its use. */
export const forgetLink = (): void => sessionStorage.removeItem(KEY);
