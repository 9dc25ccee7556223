import { domainToASCII } from 'node:url';
import { problems } from './problems.ts';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Checked before the conversion, which removes line breaks and decodes percent signs. */
const DOMAIN_AS_TYPED = /^[\p{L}\p{M}\p{N}.-]+$/u;
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * Normalizes an e-mail address for storage and lookup: lower case, international domains in ASCII. Null if it is
 * invalid. The local part must be ASCII, because similar letters of other scripts would allow impersonation.
 */
export function normalizeEmail(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  // Lower-cases ASCII only: the long s and the Kelvin sign must not become s and k.
  const local = trimmed.slice(0, at).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const typed = trimmed.slice(at + 1);
  const domain = DOMAIN_AS_TYPED.test(typed) ? domainToASCII(typed) : '';
  const valid = at > 0 && local.length <= 64 && domain.length <= 190 && LOCAL_PART.test(local) && DOMAIN.test(domain);
  return valid ? `${local}@${domain}` : null;
}

/** The same; throws `email_invalid` (400). */
export function requireEmail(text: string): string {
  const email = normalizeEmail(text);
  if (email === null) throw problems.email_invalid();
  return email;
}
