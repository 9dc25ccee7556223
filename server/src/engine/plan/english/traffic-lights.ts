/** Words of requests for the lit lamp of a traffic light, as parts of regular expressions. */

/** Words that name a traffic light, and "the light", which names one beside a color. */
const NAMED = '(?:traffic ?lights?|traffic signals?|stoplights?)';
const ANY = `(?:${NAMED}|lights?)`;
const COLOR = '(?<color>red|yellow|amber|orange|green)';
const THE = '(?:(?:the|a|an|any|our|that|this|one|another) )?';
/** "Turns", and other verbs for a change of color. */
const TURN =
  '(?:turn(?:s|ed|ing)?|go(?:es|ing)?|went|gone|chang(?:e|es|ed|ing)|switch(?:es|ed|ing)?|becom(?:e|es|ing)|became)(?: back)?(?: to)?';
const CHANGE = '(?:chang(?:e|es|ed|ing)|switch(?:es|ed|ing)?)(?: (?:its )?colou?rs?)?(?! (?:to|from)\\b)';
/** Auxiliaries, alone and behind a question. */
const BE = '(?:is|are|was|were)';
const DO = '(?:do|does|did|has|have)';
const ASK = '(?<ask>when|how long|how often|how many times)';
/** The vehicle that carries the camera. `WAY` also means it beside a verb that only one on the road can do. */
const WE = '(?:we|i|ego|the ego vehicle|(?:our|my) (?:car|vehicle))';
const WAY = `(?:${WE}|the (?:car|vehicle|driver))`;
const REST = '(?:wait(?:s|ed|ing)?|stop(?:s|ped|ping)?|stand(?:s|ing)?(?: still)?|stood(?: still)?|sit(?:s|ting)?|sat)';
const RUN =
  '(?:(?:run|runs|ran|running|jump|jumps|jumped|jumping)(?: through)?|(?:drive|drives|drove|driven|driving|go|goes|went|going) through)';
const AT = `(?:at|in front of) (?:(?<the>the|that|this)|a|any)? ?${COLOR} ${ANY}`;
const RED = `(?:the|a|any|that) (?<color>red) ${ANY}`;
const HAVE_TO = '(?: (?:have|had) to)?';

/**
 * A phrase and its meaning: `is` and `ask` are read as "is there" and as the question before "is there".
 * `implied`: it does not say who does it.
 */
export type LightPattern = {
  event: 'shows' | 'turns' | 'waits' | 'runs';
  pattern: string;
  asks?: 'is' | 'ask';
  implied?: true;
};

const shows = (pattern: string, asks?: LightPattern['asks']): LightPattern => ({ event: 'shows', pattern, asks });
const turns = (pattern: string, asks?: LightPattern['asks']): LightPattern => ({ event: 'turns', pattern, asks });

/** Longer phrases precede those that they contain. */
export const LIGHT_PATTERNS: readonly LightPattern[] = [
  turns(`${ASK} (?:${DO}|${BE}) ${THE}${ANY} ${TURN} ${COLOR}`, 'ask'),
  turns(`(?:${DO}|${BE}) ${THE}${ANY} (?:ever )?${TURN} ${COLOR}`, 'is'),
  turns(`${THE}${ANY} (?:${BE} )?${TURN} ${COLOR}`),
  turns(`${ASK} ${DO} ${THE}${NAMED} ${CHANGE}`, 'ask'),
  turns(`${DO} ${THE}${NAMED} (?:ever )?${CHANGE}`, 'is'),
  turns(`${THE}${NAMED} ${CHANGE}`),
  shows(`${ASK} ${BE} ${THE}${ANY} ${COLOR}`, 'ask'),
  shows(`${ASK} ${DO} ${THE}${ANY} (?:stay|remain) ${COLOR}`, 'ask'),
  shows(`${BE} ${THE}${ANY} (?:ever )?${COLOR}`, 'is'),
  shows(`${THE}${ANY} (?:(?:that|which) )?(?:${BE}|stay(?:s|ed)?|remain(?:s|ed)?|show(?:s|ed|ing)?) ${COLOR}`),
  shows(`${THE}${NAMED} ${COLOR}`),
  { event: 'waits', pattern: `${ASK} (?:${DO}|${BE}|am) ${WE}${HAVE_TO} ${REST} ${AT}`, asks: 'ask' },
  { event: 'waits', pattern: `how long (?:is|was) (?:the|our) (?:wait|stop) ${AT}`, asks: 'ask' },
  { event: 'waits', pattern: `(?:${DO}|${BE}|am) ${WE} (?:ever )?${REST} ${AT}`, asks: 'is' },
  { event: 'waits', pattern: `${WE}(?: ${BE}| am)?${HAVE_TO} ${REST} ${AT}` },
  { event: 'waits', pattern: `${REST} ${AT}`, implied: true },
  { event: 'runs', pattern: `${ASK} ${DO} ${WAY} ${RUN} ${RED}`, asks: 'ask' },
  { event: 'runs', pattern: `${DO} ${WAY} (?:ever )?${RUN} ${RED}`, asks: 'is' },
  { event: 'runs', pattern: `${WAY}(?: ${BE}| am)? ${RUN} ${RED}` },
  { event: 'runs', pattern: `${RUN} ${RED}`, implied: true },
  shows(`${THE}${COLOR} ${ANY}`),
];

/** "When does the light change": of a traffic light, or of the whole picture. */
export const LIGHT_OR_LIGHTING = /^when (?:do|does|did) the lights? change$/i;

/** Words that may precede a phrase: others may belong to it ("the brake light is red", "a car runs a red light"). */
export const BEFORE_LIGHT =
  /(?:^|[,;:.?!(]|(?<![\p{L}\p{N}-])(?:and|or|then|when|while|whenever|after|before|until|if|once|where(?: (?:is|are|was|were))?|moments?|times?|scenes?|show(?: me)?|find(?: me)?|please|see|look for|search for|there|count|all|every|each|first|last|longest|shortest|no|how many))\s*$/iu;
/** Words that may follow one: "red light camera", "the light is green-tinted" are something else. */
export const AFTER_LIGHT =
  /^(?:\s*$|\s*[,;:.?!)]|\s+(?:and|or|then|while|when|before|after|but|again|ahead|per|within|for(?= (?:at|more|less|over|longer|about|\d))|longer than|more than|less than|at least|(?:are|were|is|was) there|the (?:whole|entire) time|all the time|throughout|in the (?:video|clip|first|last|beginning|end)|in this (?:video|clip)|at the (?:start|end|beginning)|during the (?:first|last))(?![\p{L}\p{N}-]))/iu;
/** A second color of the same light, before or after a phrase: "turns red and then green", "red or green light". */
export const COLOR_BEFORE = /(?:red|yellow|amber|orange|green)\s*(?:,|\/|or|and|then|(?:,|and) then)\s*$/i;
export const COLOR_FIRST = /^(?:red|yellow|amber|orange|green)\b/i;
export const COLOR_AFTER =
  /^(?:\s*[,/]|,?\s+(?:and|or|then|but))*\s+(?:then )?(?:(?:it )?(?:turns?|goes|is|back|to) )*(?:red|yellow|amber|orange|green)(?![\p{L}\p{N}-])(?! (?:traffic|light|stop))/iu;
/** "What color is the traffic light". */
export const WHICH_LIGHT = new RegExp(`^(?:what|which) colou?r (?:is|was|are|were) (?:the |that )?${NAMED}$`, 'i');
