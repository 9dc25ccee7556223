import { i18n, type Messages } from '@lingui/core';

/** Languages of the console, by their own names. */
export const LOCALES = { en: 'English', de: 'Deutsch' } as const;
export type Locale = keyof typeof LOCALES;

const KEY = 'sightline.locale';
const CATALOGS: Record<Locale, () => Promise<{ messages: Messages }>> = {
  en: () => import('../locales/en.po'),
  de: () => import('../locales/de.po'),
};

const isLocale = (value: string | null | undefined): value is Locale => value != null && value in LOCALES;

/** The language chosen in this browser, or the first one of the browser that the console has. */
export function preferredLocale(): Locale {
  const stored = localStorage.getItem(KEY);
  if (isLocale(stored)) return stored;
  return navigator.languages.map((tag) => tag.split('-')[0]).find(isLocale) ?? 'en';
}

/** Loads the texts of a language and shows them. */
export async function activateLocale(locale: Locale): Promise<void> {
  const { messages } = await CATALOGS[locale]();
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

/** Shows a language and remembers it in this browser. */
export async function setLocale(locale: Locale): Promise<void> {
  await activateLocale(locale);
  localStorage.setItem(KEY, locale);
}

/** Shows the language of the user's account, if it has one that the console has. */
export async function showLocaleOf({ locale }: { locale: string | null }): Promise<void> {
  if (isLocale(locale) && locale !== i18n.locale) await setLocale(locale);
}
