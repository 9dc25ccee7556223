/** Characters that XML 1.0 cannot contain. */
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;
const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', '\n': '&#10;' };

/** Text for content and attributes; line breaks remain in both. */
export const escapeXml = (text: string) =>
  text.replace(FORBIDDEN, '\ufffd').replace(/[&<>"\n]/g, (character) => ENTITIES[character]!);
