import type { LinguiConfig } from '@lingui/conf';
import { formatter } from '@lingui/format-po';

export default {
  sourceLocale: 'en',
  locales: ['en', 'de'],
  // The check of the translations writes them elsewhere and compares.
  catalogs: [{ path: process.env.CATALOGS ?? '<rootDir>/src/locales/{locale}', include: ['<rootDir>/src'] }],
  // Without line numbers and sorted by text, so that a catalog changes only with its texts.
  format: formatter({ origins: false }),
  orderBy: 'message',
} satisfies LinguiConfig;
