import type { SpeechPatterns } from '../translate/types.ts';

const SOMEONE = '(?:alguien|una persona|la gente|ellos)';
const ABOUT = '(?:de|del|sobre)';

/** Prompts about what is spoken. */
export const spanishSpeech: SpeechPatterns = {
  language: 'Spanish',
  articles: /^(?:(?:el|la|los|las|un|una|unos|unas) )+/i,
  doubtful:
    /(?:^| )(?:y|e|o|luego|después|antes|mientras|cuando|que|qué|si|con|a|al|en|por|para|algo|nada|todo|eso|esto|lo|fuerte|veces)(?: |$)/i,
  prompts: {
    'someone says "WORDS"': [
      `${SOMEONE} (?:dice|dijo|dicen|dijeron)(?: la palabra)? WORDS`,
      'se dice la palabra WORDS',
    ],
    'someone shouts "WORDS"': [`${SOMEONE} (?:grita|gritó|gritan|gritaron) WORDS`],
    'does anyone say "WORDS"': ['(?:dice|dijo) alguien(?: la palabra)? WORDS'],
    'when does someone say "WORDS"': [
      `cu[aá]ndo (?:dice|dijo) alguien(?: la palabra)? WORDS`,
      `cu[aá]ndo ${SOMEONE} (?:dice|dijo|dicen|dijeron)(?: la palabra)? WORDS`,
      'cu[aá]ndo (?:se dice|dicen|dijeron)(?: la palabra)? WORDS',
    ],
    'how often is the word "WORDS" said': [
      'cu[aá]ntas veces (?:se dice|dicen|alguien dice|dice alguien)(?: la palabra)? WORDS',
    ],
    'they talk about "WORDS"': [
      `${SOMEONE} (?:habla|habló|hablan|hablaron) ${ABOUT} WORDS`,
      `(?:hablan|se habla) ${ABOUT} WORDS`,
      `(?:${SOMEONE} menciona|mencionan|se menciona) WORDS`,
    ],
    'when do they talk about "WORDS"': [
      `cu[aá]ndo (?:hablan|hablaron|se habla|alguien habla|habla alguien) ${ABOUT} WORDS`,
      'cu[aá]ndo (?:mencionan|se menciona|alguien menciona) WORDS',
    ],
    'what do they say': ['qu[eé] (?:dicen|se dice|dijeron)', '(?:la )?transcripci[oó]n'],
    'someone talks': ['alguien (?:habla|está hablando)'],
    'is anyone talking': ['habla alguien'],
  },
};
