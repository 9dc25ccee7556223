import type { SpeechPatterns } from '../translate/types.ts';

const SOMEONE = "(?:quelqu'un|une personne|on|ils|les gens)";
const ANYONE = `(?:est-ce qu(?:e |'))?${SOMEONE}`;
const SAYS = '(?:dit|disent|a dit|ont dit)(?: le mot)?';
const TALKS_ABOUT = "(?:parle|parlent|a parlé|ont parlé) (?:de |du |des |d')";

/** Prompts about what is spoken. */
export const frenchSpeech: SpeechPatterns = {
  language: 'French',
  articles: /^(?:(?:le|la|les|un|une) |l')+/i,
  doubtful:
    /(?:^| )(?:et|ou|puis|ensuite|avant|après|pendant|quand|que|qu'.*|si|avec|à|au|en|pour|quelque|rien|tout|ça|cela|quoi|fort|fois)(?: |$)/i,
  prompts: {
    'someone says "WORDS"': [`${SOMEONE} ${SAYS} WORDS`, 'le mot WORDS est (?:dit|prononcé)'],
    'someone shouts "WORDS"': [`${SOMEONE} (?:crie|crient|a crié|ont crié) WORDS`],
    'does anyone say "WORDS"': [`est-ce qu(?:e |')${SOMEONE} ${SAYS} WORDS`],
    'when does someone say "WORDS"': [`quand ${ANYONE} ${SAYS} WORDS`, 'quand (?:dit-on|disent-ils)(?: le mot)? WORDS'],
    'how often is the word "WORDS" said': [
      `combien de fois ${ANYONE} ${SAYS} WORDS`,
      'combien de fois le mot WORDS est(?:-il)? (?:dit|prononcé)',
    ],
    'they talk about "WORDS"': [`${SOMEONE} ${TALKS_ABOUT}WORDS`, `${SOMEONE} (?:mentionne|mentionnent) WORDS`],
    'do they talk about "WORDS"': [`est-ce qu(?:e |')${SOMEONE} ${TALKS_ABOUT}WORDS`],
    'when do they talk about "WORDS"': [
      `quand ${ANYONE} ${TALKS_ABOUT}WORDS`,
      "quand (?:parlent-ils|parle-t-on) (?:de |du |des |d')WORDS",
    ],
    'what do they say': [
      'que disent-ils',
      "qu'est-ce qu'(?:ils disent|on dit)",
      "qu'est-ce qui est dit",
      '(?:la )?transcription',
    ],
    'someone talks': ["quelqu'un parle"],
    'is anyone talking': ["est-ce que quelqu'un parle"],
  },
};
