/** Words of requests for text in the frame, as parts of regular expressions. */

/** Parts of the frame that are no object: text on them is text in the frame. */
const FRAME = '(?:screen|picture|frame|image|video|footage)';
/** Objects with text on them, which are not recognized themselves. */
export const CARRIERS =
  '(?:(?:road|street|traffic|shop|store|warning|exit|neon) )?signs?|displays?|monitors?|dashboards?|scoreboards?|billboards?|banners?|posters?|stickers?|labels?|placards?|notices?|(?:licen[sc]e|number) plates?|plates?';
/** Text itself, wherever it is. */
export const TEXTS =
  'on-?screen (?:text|message)s?|screens?|texts?|words?|letters|phrases?|numbers?|digits|messages?|titles?|captions?|inscriptions?';
/** Nouns before a text: "the word EXIT". */
export const NAMED_TEXTS = 'words?|texts?|letters|phrases?|numbers?|digits|messages?|titles?|captions?|inscriptions?';
/** Words of signs that are named by them: "exit sign". Most others, such as traffic signs, show a picture. */
export const SIGN_WORDS =
  'exit|fire exit|emergency exit|way out|no parking|no smoking|no entry|one way|for sale|for rent|open|closed|welcome|danger|detour';
export const PLATES = '(?:(?:licen[sc]e|number) )?plates?';
/** Text without another meaning: "any text". */
export const ANY_TEXT = '(?:any |some )?(?:on-?screen |visible |readable )?(?:texts?|writing|letters)';
export const IN_FRAME = `(?: (?:on|in) (?:the |this )?${FRAME}| on ?screen)?`;

/** Verbs between a carrier and its text. */
export const SAYS = 'says|say|saying|said|reads|reading|read|states|stating|spells|spelling';
/** Words before a text or an object: a text is in capitals, digits or quotation marks. */
export const SHOWS =
  'shows|show|showing|showed|displays|displaying|displayed|with|labell?ed|marked|contains|contain|containing';

/** Text is there or not: words after it that say no more than that. */
export const APPEARS = `(?: (?:appears?|appeared|appearing|shows? up|showed up|comes? up|pops? up))?(?: (?:is|are|was|were|gets?|being))?(?: (?:visible|shown|displayed|readable|legible|written|in view|seen))?(?: (?:on|in) (?:the |this )?${FRAME}| on ?screen)?(?: (?:on it|there))?`;
/** Auxiliaries of questions before it. */
export const ASKS =
  '(?:(?:is|are|was|were)(?: there)?|do|does|did|(?:can|could|do|did) (?:you|we|i|one)(?: ever)? (?:see|read|find|spot))';

/** Words that may belong to the rest of the prompt: a text with one of them has to be in quotation marks. */
export const NOT_IN_TEXT =
  /^(?:and|or|then|while|before|after|when|whenever|if|until|as|during|for|within|in|on|at|near|next|beside|behind|under|above|with|without|from|that|which|who|where|there|times?|seconds?|minutes?|first|last|it|is|are|was|were|appears?|disappears?|shows?|but|not|nothing|something|anything|everything|what|so|the|a|an|this|these|those)$/i;

/** Words that a text of their kind contains: "the copyright text". */
const CONTAINED = 'copyright|error|version|warning|total|date|tel|phone|isbn';
/** Whole prompts that ask for the text with a certain word. */
export const TEXT_WITH: readonly RegExp[] = [
  `what(?: is|'?s) the (?<word>${CONTAINED}) (?:text|notice|message|line|label)${IN_FRAME}`,
  `what does the (?<word>${CONTAINED}) (?:text|notice|message|line|label)${IN_FRAME} (?:say|read)`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

/** Places and companies whose name is written on them. */
const NAMED =
  'shop|store|super ?market|mall|restaurant|cafe|bar|pub|hotel|bank|petrol station|gas station|company|street|road|station|town|village|city';
/** Whole prompts that ask for a name that is written. */
export const NAME_OF: readonly RegExp[] = [
  `what(?: is|'?s) the (?<name>name of (?:the|this|that) (?:${NAMED}))`,
  `what(?: is|'?s) the (?<name>(?:${NAMED}) (?:name|called))`,
  `(?<name>(?:what|which) (?:${NAMED})) is (?:this|that|it)`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));

/** Whole prompts that ask what is written. */
export const WHAT_IT_SAYS: readonly RegExp[] = [
  `what (?:do|does|did) (?:the |this |that |these |those |a |any )?(?:(?<carrier>${CARRIERS})|(?:${TEXTS}))${IN_FRAME} (?:say|read)`,
  `(?:what(?: is|'?s)|(?:what|which) (?:text is|words are)) (?:written|printed)(?: on (?:the |this |a |any )?(?<carrier>${CARRIERS})|${IN_FRAME})`,
  `what(?: is|'?s) the (?:visible |readable |on-?screen )?(?:text|writing)${IN_FRAME}`,
  `(?:what|which) (?:texts?|words|writing) (?:(?:is|are) (?:there|visible|shown|readable)|can be (?:seen|read)|appears?|(?:do|can) (?:you|we|i) (?:see|read))${IN_FRAME}`,
  `(?:read|list|transcribe|extract|show me)(?: out)?(?: all| any)?(?: the)? (?:(?:visible |readable |on-?screen )?(?:texts?|writing)|(?<carrier>${CARRIERS}))${IN_FRAME}`,
].map((pattern) => new RegExp(`^${pattern}$`, 'i'));
