/** English has four; other scripts have fewer, in more bytes. */
const BYTES_PER_TOKEN = 3;

/** Estimated tokens of a text, on the high side. */
export const textTokens = (text: string): number => Math.ceil(Buffer.byteLength(text) / BYTES_PER_TOKEN);
