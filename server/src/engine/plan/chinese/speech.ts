import type { SpeechPatterns } from '../translate/types.ts';

const SOMEONE = '(?:有人|某人|他们|她们|大家)';
const WHEN = '(?:什么时候|何时)';
const SAYS = '(?:说|讲)(?:了|过|出|到)?';
const MENTIONS = '(?:提到|谈到|谈论|讨论|说到|聊到)(?:了|过)?';

/** Prompts about what is spoken. Words follow "says" without a space, so that only quoted ones are certain. */
export const chineseSpeech: SpeechPatterns = {
  language: 'Chinese',
  articles: /^(?:这个|那个|一个|一辆)/,
  doubtful: /然后|并且|以后|以前|之前|之后|什么|谁|吗|呢/,
  prompts: {
    'someone says "WORDS"': [`${SOMEONE}${SAYS}QUOTED`],
    'someone shouts "WORDS"': [`${SOMEONE}(?:喊|大喊|叫)(?:了|着|道)?QUOTED`],
    'when does someone say "WORDS"': [`${WHEN}${SOMEONE}?${SAYS}QUOTED`, `${SOMEONE}${WHEN}${SAYS}QUOTED`],
    'how often is the word "WORDS" said': [`${SOMEONE}?说(?:了|过)?(?:多少|几)次QUOTED`],
    'they talk about "WORDS"': [`${SOMEONE}(?:在)?${MENTIONS}WORDS`],
    'when do they talk about "WORDS"': [`${WHEN}${SOMEONE}?${MENTIONS}WORDS`, `${SOMEONE}${WHEN}${MENTIONS}WORDS`],
    'what do they say': ['(?:他们|她们|大家)(?:在|都)?说(?:了)?(?:些)?什么'],
    'is anyone talking': ['有人(?:在)?(?:说话|讲话)(?:吗)?'],
  },
};
