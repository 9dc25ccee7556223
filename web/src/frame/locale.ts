import { i18n } from '@lingui/core';
import { loadModule } from '#api/load-module.ts';
import { isLocale, LOCALE_KEY, type Locale, loadCatalog } from './catalogs.ts';

/** Loads the texts of a language and shows them. */
export async function activateLocale(locale: Locale): Promise<void> {
  const { messages } = await loadModule(() => loadCatalog(locale));
  i18n.loadAndActivate({ locale, messages });
  document.documentElement.lang = locale;
}

/** Shows a language and stores the choice in this browser. */
export async function setLocale(locale: Locale): Promise<void> {
  await activateLocale(locale);
  localStorage.setItem(LOCALE_KEY, locale);
}

/** Shows the language of the user's account, if it has one that the console has. */
export async function showLocaleOf({ locale }: { locale: string | null }): Promise<void> {
  if (isLocale(locale) && locale !== i18n.locale) await setLocale(locale);
}
