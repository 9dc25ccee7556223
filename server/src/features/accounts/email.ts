import { domainToASCII } from 'node:url';
import { problems } from './problems.ts';

const LOCAL_PART = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Before its conversion, which takes line ends out and percent signs for what they stand for. */
const DOMAIN_AS_TYPED = /^[\p{L}\p{M}\p{N}.-]+$/u;
const DOMAIN = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/**
 * An e-mail address in the one form it is stored and looked up in: lower case, an international domain in its ASCII form. Null for what is
 * none. The part before the @ must be ASCII: letters that look alike in other scripts would let one person pass for another.
 */
export function emailOf(text: string): string | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  // Lower case of ASCII alone: the long s and the Kelvin sign must not turn into an s and a k.
  const local = trimmed.slice(0, at).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const typed = trimmed.slice(at + 1);
  const domain = DOMAIN_AS_TYPED.test(typed) ? domainToASCII(typed) : '';
  const valid = at > 0 && local.length <= 64 && domain.length <= 190 && LOCAL_PART.test(local) && DOMAIN.test(domain);
  return valid ? `${local}@${domain}` : null;
}

/** The same; throws `email_invalid` (400) for what is none. */
export function requireEmail(text: string): string {
  const email = emailOf(text);
  if (email === null) throw problems.email_invalid();
  return email;
}
