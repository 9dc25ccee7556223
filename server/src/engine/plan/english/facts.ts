import type { Fact } from '../schema.ts';

const VIDEO =
  '(?:the |this |that |your |my )?(?:whole |entire |full )?(?:video|vid|clip|recording|footage|film|movie|file)';
const OF_VIDEO = `(?: (?:of|is|in|does|has|was) ${VIDEO}(?: have| in| at)?)?`;
const WHAT = "(?:what(?:'?s| is| was| are)? )?(?:the |its |our |my )?";

/** Whole prompts that ask for a fact about the recording, without politeness and punctuation. */
export const FACTS: readonly { fact: Fact; pattern: RegExp }[] = [
  [
    'duration',
    `how (?:long|many (?:seconds|minutes|hours)(?: long)?) (?:is|was|are) ${VIDEO}`,
    `how (?:long|many (?:seconds|minutes|hours)) does ${VIDEO} (?:last|run|have|go on)`,
    `${WHAT}(?:total |video |clip )?(?:length|duration|running time|runtime)${OF_VIDEO}`,
  ],
  [
    'resolution',
    `${WHAT}(?:video |frame |image |picture )?(?:resolution|dimensions)(?: (?:is|was|of|does|in) (?:it|this|${VIDEO})(?: have| in)?)?`,
    `${WHAT}(?:frame|image|picture) size${OF_VIDEO}`,
  ],
  [
    'frame_rate',
    `${WHAT}(?:frame ?rate|fps)(?: (?:is|was|of|does|in) (?:it|this|${VIDEO})(?: have| in)?)?`,
    `how many (?:fps|frames (?:per|a) second)(?: (?:is|are|does|has|in) (?:it|this|there|${VIDEO})(?: have)?)?`,
  ],
  [
    'mean_speed',
    'how fast (?:am|was|are|were|is|did|do) (?:i|we) (?:go|going|driv(?:e|ing)|walk(?:ing)?|mov(?:e|ing)|rid(?:e|ing)|travell?(?:ing)?)',
    `${WHAT}(?:average|avg|mean) (?:driving |walking )?speed`,
  ],
  ['top_speed', `${WHAT}(?:top|max|maximum|highest|peak) speed`, 'how fast did (?:i|we) (?:go|get) at most'],
].map(([fact, ...phrases]) => ({ fact: fact as Fact, pattern: new RegExp(`^(?:${phrases.join('|')})$`, 'i') }));

/** Words around a question that ask nothing. */
export const POLITE =
  /^(?:(?:hi|hey|hello|ok|so|and|please|pls|plz|tell me|can you tell me|do you know)[, ]+)+|[, ]+(?:please|pls|plz|thanks|thx)$/gi;
