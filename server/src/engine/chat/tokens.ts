const CHARACTERS_PER_TOKEN = 4;

/** Estimated tokens of a text. */
export const textTokens = (text: string): number => Math.ceil(text.length / CHARACTERS_PER_TOKEN);
