import { isName, tidyName } from '#platform/text';
import { problems } from './problems.ts';

/** A BCP 47 language tag in its canonical form, such as `pt-BR` for `pt-br`. Throws `locale_invalid` (400). */
export function requireLocale(text: string): string {
  try {
    return Intl.getCanonicalLocales(text)[0]!;
  } catch {
    throw problems.locale_invalid();
  }
}

const MAX_NAME = 100;

/** A name as it is stored: trimmed, of one line. Throws `name_invalid` (400). */
export function requireName(text: string): string {
  const name = tidyName(text);
  if (name === '' || name.length > MAX_NAME || !isName(name)) throw problems.name_invalid();
  return name;
}
