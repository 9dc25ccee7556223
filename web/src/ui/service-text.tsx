import { Trans, useLingui } from '@lingui/react/macro';
import { toSentence } from './format/sentence.ts';

/**
 * A reason, explanation or error of the service, which writes English whatever the language of the console is: screen
 * readers read it in English, and its numbers stay those of its language.
 */
export const ServiceText = ({ children }: { children: string }) => <span lang="en">{toSentence(children)}</span>;

/** States why explanations are in English; nothing in the English console. */
export function ServiceLanguageNote() {
  const { i18n } = useLingui();
  if (i18n.locale === 'en') return null;
  return (
    <p className="text-ink-3 text-sm">
      <Trans>Explanations of the engine are in English.</Trans>
    </p>
  );
}
