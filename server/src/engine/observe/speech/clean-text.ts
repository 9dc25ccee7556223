/** Descriptions of noise: "[Music]", "(applause)", "*sighs*", "♪". */
const NOISE = /\[[^\]]*\]|\([^)]*\)|\*[^*]*\*|[♪♫]+/g;
/** The same in Chinese and Japanese: "（笑）", "【音楽】". */
const FULL_WIDTH_NOISE = /（[^）]*）|【[^】]*】|［[^］]*］/g;
const WORD = /[\p{L}\p{N}]/u;

/** Spoken words as one line, without descriptions of noise. */
export const cleanText = (text: string): string => text.replaceAll(NOISE, ' ').replaceAll(/\s+/g, ' ').trim();

/** Recognized words as `cleanText` has them, also without noise in brackets of full width. */
export const cleanRecognized = (text: string): string => cleanText(text.replaceAll(FULL_WIDTH_NOISE, ' '));

export const hasWord = (text: string): boolean => WORD.test(text);
