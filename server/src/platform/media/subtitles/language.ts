const TAG = /^[a-z]{2,3}(-[a-z0-9]{2,8}){0,3}$/i;

/**
 * Canonical language tag (BCP 47) of one from a file or a user, such as `en` for `eng`; null if it names no language.
 */
export function toLanguage(tag: string | null | undefined): string | null {
  if (!tag || !TAG.test(tag)) return null;
  try {
    const [canonical = ''] = Intl.getCanonicalLocales(tag);
    return /^(und|mul|mis|zxx)\b/.test(canonical) ? null : canonical;
  } catch {
    return null;
  }
}

/** True if a language is English, in which prompts are read. */
export const isEnglish = (language: string | null): boolean => /^en\b/.test(language ?? '');
