const ENDS_SENTENCE = /[.!?…:]["”')]*$/;

/** A phrase with a capital letter and a full stop. */
export function toSentence(phrase: string): string {
  const text = phrase.trim();
  if (text === '') return '';
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return ENDS_SENTENCE.test(sentence) ? sentence : `${sentence}.`;
}
