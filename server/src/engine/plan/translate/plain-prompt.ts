/** Longer prompts are no single question; limits the cost of a crafted prompt. */
const MAX_LENGTH = 200;

/** A prompt without punctuation around it and polite words, for patterns of whole prompts; null if it is too long. */
export function toPlainPrompt(query: string): string | null {
  if (query.length > MAX_LENGTH) return null;
  return query
    .replaceAll(/\s+/g, ' ')
    .replaceAll('’', "'")
    .replaceAll(/^[¿¡ ]+|[?？!！.。 ]+$/gu, '')
    .replaceAll(/^(?:bitte|por favor|s'il vous plaît|请问|请)[, ]*|[, ]+(?:bitte|por favor|s'il vous plaît)$/giu, '');
}
