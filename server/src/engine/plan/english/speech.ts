/** Subjects that stand for any speaker: speakers are not distinguished. */
const SOMEONE = '(?:someone|somebody|anyone|anybody|people|they|a person|any person)';
/** Subjects that name a particular speaker, which nothing recognizes. */
const SPEAKER =
  '(?:(?:a|an|the|any|one|this|that|another|each|every) )?(?:(?:young|old|other|tall|same|first|second|male|female) )*(?:man|woman|men|women|boy|girl|guy|lady|child|kid|children|kids|baby|driver|passenger|worker|employee|customer|officer|policeman|cop|guard|teacher|narrator|reporter|announcer|host|speaker|pilot|operator|father|mother|he|she|him|her)';
const SAY = '(?:say|says|said|saying|utter|utters|uttered|uttering)';
const SPEAK = '(?:speak|speaks|spoke|speaking)';
const CALL =
  '(?:shout|shouts|shouted|shouting|yell|yells|yelled|yelling|scream|screams|screamed|screaming|whisper|whispers|whispered|whispering)';
const TALK_ABOUT =
  '(?:(?:talk|talks|talked|talking|speak|speaks|spoke|speaking|chat|chats|chatted|chatting) about|discuss|discusses|discussed|discussing|mention|mentions|mentioned|mentioning)';
const TALK = '(?:talk|talks|talked|talking|speak|speaks|spoke|speaking|say|says|said)';
const NAMED = '(?:(?:the|this) )?(?:video|clip|recording|footage|film|audio)';
const WORD = '(?:the |a )?(?:word|words|phrase|sentence|name)';
const SPOKEN = '(?:spoken|said|heard|uttered)';
const MENTIONED = '(?:mentioned|discussed|talked about|spoken about|spoken of)';

/** Questions before the rest of a prompt, each with the kind of its answer; then "do they talk", "is it said". */
const ASKING =
  '(?:(?<when>when|at what time|at which time|what time)|(?<how_often>how often|how many times)|(?<find>(?:find|show|show me|search for|look for|list)(?: (?:when|where|all times|the times|every time))?))?';
const DOES = '(?:(?<yes_no>do|does|did|is|are|was|were|can you hear|do you hear|has|have) )?';
const lead = `${ASKING}(?:^| )?${DOES}`;
const IN_VIDEO = `(?: in ${NAMED})?`;

/** Meaning of a pattern. The sought words are its group `words`. */
export type SpeechReading = 'phrase' | 'call' | 'topic' | 'transcript' | 'voice' | 'speakers' | 'speaker';

/** Whole prompts about what is spoken, without politeness and punctuation. The first that fits is the reading. */
export const SPEECH_PATTERNS: readonly { reading: SpeechReading; pattern: RegExp }[] = (
  [
    [
      'speakers',
      // "Who speaks how long", "how many people are talking"
      `who(?: else)?(?:(?: is| was| are|'s|s))? ${TALK}(?: .+)?`,
      `(?:for )?how long (?:does|do|did) (?:each|every|which|one)(?: person| speaker| one)?(?: of them)? ${TALK}.*`,
      `how many (?:different )?(?:speakers|voices)(?: .+)?`,
      `how many (?:different )?(?:people|persons|men|women) (?:are |were |do |can be heard )?(?:talk|talking|speak|speaking)(?: .+)?`,
      `(?:which|what) (?:person|speaker|one|man|woman)(?: .+)? ${TALK}(?: .+)?`,
      `(?:speaker )?diari[sz]ation`,
      `speaking time(?: of .+| per .+)?`,
    ],
    [
      'transcript',
      `what (?:do|does|did|are|is|were|was) (?:${SOMEONE}|everyone|everybody) (?:say|saying|talking)${IN_VIDEO}`,
      `what (?:is|was|gets) (?:being )?(?:said|spoken)${IN_VIDEO}`,
      `what (?:words|sentences) (?:are|were) (?:being )?(?:said|spoken)${IN_VIDEO}`,
      `(?:(?:show|give|get|make|write|create)(?: me)? )?(?:a |the )?(?:full |whole |complete )?transcript(?: of ${NAMED}| of (?:the|all) (?:speech|words))?`,
      `transcribe(?: ${NAMED}| it| this| the speech| everything)?`,
    ],
    [
      'voice',
      `(?:${lead}|(?<how_long>how long|for how long) (?:do|does|did|is|are|was|were) )${SOMEONE} (?:talk|talks|talked|talking|speak|speaks|spoke|speaking|say something|says something|saying something|say anything|says anything|saying anything)${IN_VIDEO}`,
    ],
    ['topic', `${lead}${SOMEONE}(?: is| are| was| were)? ${TALK_ABOUT} (?<words>.+)`],
    ['topic', `${lead}(?<words>.+?)(?: is| are| was| were)? ${MENTIONED}${IN_VIDEO}`],
    [
      'topic',
      `${ASKING} ?(?:a |any |every |the |all )?(?:mention|mentions|discussion|discussions|conversation|conversations) (?:of|about) (?<words>.+)`,
    ],
    ['topic', `(?:talking about|discussing|mentioning) (?<words>.+)`],
    [
      'phrase',
      `${lead}${SOMEONE}(?: is| are| was| were)?(?: heard)? (?:${SAY}:?(?: ${WORD})?|${SPEAK} ${WORD}) (?<words>.+)`,
    ],
    ['call', `${lead}${SOMEONE}(?: is| are| was| were)?(?: heard)? ${CALL} (?:${WORD} )?(?<words>.+)`],
    ['phrase', `${lead}${WORD} (?<words>.+?)(?: is| are| was| were)?(?: being)? ${SPOKEN}${IN_VIDEO}`],
    ['speaker', `${lead}${SPEAKER}(?: is| are| was| were)?(?: heard)? (?:${SAY}|${SPEAK}|${CALL}|${TALK_ABOUT}) .+`],
  ] as const
).flatMap(([reading, ...phrases]) => ({ reading, pattern: new RegExp(`^(?:${phrases.join('|')})$`, 'i') }));

/** Quoted words, which are taken as they are. */
export const QUOTED = /^["“”'‘’«»„]([^"“”«»„]+)["“”'‘’«»]$/;

/**
 * Words after which it is not certain whether they are spoken or belong to the sentence around: "says stop and leaves",
 * "says hello to the driver", "says it loudly". Quotation marks tell.
 */
export const DOUBTFUL_WORDS = new Set(
  'and then or while before after when where until unless if because but as than to with without at in on by from near for into onto over under behind beside inside outside of off against during through about toward towards that what which who whom whose how why something anything nothing everything somebody someone it this these those so loudly quietly softly again twice once often never always not only first last next times time seconds second minutes minute hours hour more less least most than another other else'.split(
    ' ',
  ),
);
/** Most words that are read without quotation marks. */
export const MAX_UNQUOTED = 5;
/** Articles and possessives before a subject that is talked about. */
export const DETERMINERS = /^(?:(?:the|a|an|any|some|this|that|these|those|my|our|your|their|his|her) )+/i;
