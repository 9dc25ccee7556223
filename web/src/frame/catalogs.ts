import type { Messages } from '@lingui/core';

/** Languages of the console, by their own names. */
export const LOCALES = { en: 'English', de: 'Deutsch' } as const;
export type Locale = keyof typeof LOCALES;

export const LOCALE_KEY = 'sightline.locale';
const CATALOGS: Record<Locale, () => Promise<{ messages: Messages }>> = {
  en: () => import('../locales/en.po'),
  de: () => import('../locales/de.po'),
};

export const isLocale = (value: string | null | undefined): value is Locale => value != null && value in LOCALES;

/** The language chosen in this browser, or the first one of the browser that the console has. */
export function preferredLocale(): Locale {
  const stored = localStorage.getItem(LOCALE_KEY);
  if (isLocale(stored)) return stored;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en';
}

/** Loads the texts of a language. */
export const loadCatalog = (locale: Locale): Promise<{ messages: Messages }> => CATALOGS[locale]();
