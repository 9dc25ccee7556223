import { problems } from './problems.ts';

const MAX_NAME = 100;

/** A name as it is stored: trimmed, without control characters and what turns the direction of text. Throws `name_invalid` (400). */
export function requireName(text: string): string {
  const name = text.normalize('NFC').trim();
  if (name === '' || name.length > MAX_NAME || /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(name)) {
    throw problems.name_invalid();
  }
  return name;
}
