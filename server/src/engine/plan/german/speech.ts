import type { SpeechPatterns } from '../translate/types.ts';

const SOMEONE = '(?:jemand|irgendjemand|irgendwer|eine person|man|sie|die leute)';
const ANYONE = '(?:jemand|irgendjemand|irgendwer|wer|man)';
const TALKED = '(?:gesprochen|geredet)';
const SOMEWHERE = '(?:(?:da|hier|irgendwann|irgendwo|im video) )?';
const ABOUT = '(?:über|ueber|von)';

/** Prompts about what is spoken or written. */
export const germanSpeech: SpeechPatterns = {
  language: 'German',
  articles: /^(?:(?:der|die|das|den|dem|des|ein|eine|einen|einem|einer) )+/i,
  doubtful:
    /(?:^| )(?:und|oder|dann|nachdem|bevor|während|wenn|als|dass|ob|mit|zu|zum|zur|bei|vor|hinter|neben|etwas|nichts|alles|was|wer|wie|warum|es|dies|ihm|ihr|ihnen|mir|dir|uns|laut|leise|worüber|mehrmals|zweimal)(?: |$)/i,
  prompts: {
    'someone says "WORDS"': [
      `${SOMEONE} (?:sagt|sagte|sagen|sagten)(?: das wort)? WORDS`,
      'das wort WORDS (?:wird (?:gesagt|gesprochen)|fällt|faellt)',
    ],
    'someone shouts "WORDS"': [`${SOMEONE} (?:ruft|rief|rufen|riefen|schreit|schrie|schreien|schrien) WORDS`],
    'does anyone say "WORDS"': [`(?:sagt|sagte) ${ANYONE}(?: das wort)? WORDS`, 'wird (?:das wort )?WORDS gesagt'],
    'when does someone say "WORDS"': [
      `wann (?:sagt|sagte) ${ANYONE}(?: das wort)? WORDS`,
      'wann (?:sagen|sagten) (?:sie|die leute)(?: das wort)? WORDS',
      'wann wird (?:das wort )?WORDS gesagt',
      'wann (?:fällt|faellt) das wort WORDS',
    ],
    'how often is the word "WORDS" said': [
      `wie oft (?:sagt|sagte) ${ANYONE}(?: das wort)? WORDS`,
      'wie oft wird (?:das wort )?WORDS gesagt',
      'wie oft (?:fällt|faellt) das wort WORDS',
    ],
    'they talk about "WORDS"': [
      `${SOMEONE} (?:spricht|sprach|sprechen|sprachen|redet|redete|reden|redeten) ${ABOUT} WORDS`,
      `${SOMEONE} (?:erwähnt|erwähnte|erwähnen|erwähnten) WORDS`,
      `es wird ${ABOUT} WORDS (?:gesprochen|geredet)`,
    ],
    'do they talk about "WORDS"': [
      `(?:spricht|redet) ${ANYONE} ${ABOUT} WORDS`,
      `(?:sprechen|reden) (?:sie|die leute) ${ABOUT} WORDS`,
      `wird ${ABOUT} WORDS (?:gesprochen|geredet)`,
      `erwähnt ${ANYONE} WORDS`,
      'wird WORDS erwähnt',
    ],
    'when do they talk about "WORDS"': [
      `wann (?:spricht|redet) ${ANYONE} ${ABOUT} WORDS`,
      `wann (?:sprechen|reden) (?:sie|die leute) ${ABOUT} WORDS`,
      `wann wird ${ABOUT} WORDS (?:gesprochen|geredet)`,
      `wann erwähnt ${ANYONE} WORDS`,
      'wann wird WORDS erwähnt',
    ],
    'what do they say': [
      'was (?:sagen|sagten|reden) (?:sie|die leute)',
      `was (?:sagt|sagte) ${ANYONE}`,
      'was wird (?:da |hier )?gesagt',
      '(?:das )?transkript',
    ],
    'the text "WORDS"': ['(?:(?:der|den) )?(?:text|schriftzug) QUOTED', '(?:die )?(?:aufschrift|schrift) QUOTED'],
    'is the text "WORDS" visible': [
      'steht (?:irgendwo|da|dort|hier) QUOTED',
      'ist (?:irgendwo )?(?:der text )?QUOTED (?:zu lesen|zu sehen)',
    ],
    'when is the text "WORDS" visible': ['wann ist (?:der text )?QUOTED (?:zu lesen|zu sehen)'],
    'a sign that says "WORDS"': [
      '(?:ein|das) schild mit(?: der aufschrift)? QUOTED',
      'ein schild,? auf dem QUOTED steht',
    ],
    'what is written on the sign': ['was steht auf dem schild'],
    'someone talks': [`${ANYONE} (?:spricht|redet)`, `es wird ${TALKED}`],
    'is anyone talking': [`(?:spricht|redet) (?:da |hier )?${ANYONE}`, `wird ${SOMEWHERE}${TALKED}`],
    'when does someone talk': [`wann (?:spricht|redet) ${ANYONE}`, `wann wird ${SOMEWHERE}${TALKED}`],
    'how long does someone talk': [`wie lange (?:spricht|redet) ${ANYONE}`, `wie lange wird ${SOMEWHERE}${TALKED}`],
    'how often does someone talk': [`wie oft (?:spricht|redet) ${ANYONE}`, `wie oft wird ${SOMEWHERE}${TALKED}`],
  },
};
