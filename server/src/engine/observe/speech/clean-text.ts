/** Descriptions of noise: "[Music]", "(applause)", "*sighs*", "♪". */
const NOISE = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+/g;
const WORD = /[\p{L}\p{N}]/u;

/** Spoken words as one line, without descriptions of noise. */
export const cleanText = (text: string): string => text.replaceAll(NOISE, ' ').replaceAll(/\s+/g, ' ').trim();

export const hasWord = (text: string): boolean => WORD.test(text);
