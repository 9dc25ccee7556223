import { i18n } from '@lingui/core';

/** Words as a list of the language, such as "a, b and c". */
export const formatList = (words: readonly string[]): string =>
  new Intl.ListFormat(i18n.locale || 'en', { style: 'long', type: 'conjunction' }).format(words);
