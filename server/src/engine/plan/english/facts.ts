import type { Fact } from '../schema.ts';

const KINDS = '(?:video|vid|clip|recording|footage|film|movie|file|stream)';
const NAMED = `(?:(?:the |this |that |your |my |our )?(?:whole |entire |full |original )?(?:video |mp4 |media )?${KINDS})`;
/** Also "it", where only the video can be meant. */
const VIDEO = `(?:it|this|that|${NAMED})`;
const OF_VIDEO = `(?: (?:of|is|in|does|has|was|on|for) ${VIDEO}(?: have| has| in| at| use| using)?)?`;
const WHAT =
  "(?:(?:what|which)(?:'?s| is| was| are| kind of| type of| sort of)? )?(?:(?:is|was) )?(?:the |its |our |my |exact )?";
/** "Is", "is there", "does it have", "can i hear". */
const HAS = `(?:(?:is|are) there |does ${VIDEO} (?:even |actually )?(?:have|come with|contain) |has ${VIDEO} got |${VIDEO} has |has |any |with )`;
const ON = `(?: (?:on|in|to|with|for|at all|track) ?(?:${VIDEO})?)`;
const WHEN_MADE = '(?:recorded|filmed|shot|taken|made|captured|created|produced)';

/** Whole prompts that ask for a fact about the recording, without politeness and punctuation. */
export const FACTS: readonly { fact: Fact; pattern: RegExp }[] = [
  [
    'duration',
    `how (?:long|many (?:seconds|minutes|hours)(?: long)?) (?:is|was|are) ${NAMED}(?: (?:in total|overall|in all|in (?:seconds|minutes)|total))?`,
    `how (?:long|many (?:seconds|minutes|hours)) (?:does|did|do) (?:${NAMED}|(?:the |this )?(?:whole|entire) (?:thing|recording)) (?:last|run|have|go on|take)(?: for)?`,
    `${WHAT}(?:total |video |clip |overall |full )*(?:length|duration|running time|runtime|run time)${OF_VIDEO}(?: in (?:seconds|minutes|hours))?`,
  ],
  [
    'resolution',
    `${WHAT}(?:video |frame |image |picture |screen )?(?:resolution|dimensions|pixel size)(?: (?:is|was|of|does|in) ${VIDEO}(?: have| in)?)?`,
    `${WHAT}(?:frame|image|picture) size${OF_VIDEO}`,
    `how (?:many pixels|wide|high) (?:is|are|has|does) (?:${NAMED}|(?:the |a |each )?(?:frame|picture|image)s?)(?: have)?`,
    `(?:is|was) ${VIDEO} (?:in )?(?:hd|full hd|4k|8k|1080p|720p|uhd|ultra hd)`,
  ],
  [
    'frame_rate',
    `${WHAT}(?:video )?(?:frame ?rate|fps)(?: (?:is|was|of|does|in) ${VIDEO}(?: have| in)?)?`,
    `how many (?:fps|frames (?:per|a) second|frames/s)(?: (?:is|are|does|has|in) (?:there|${VIDEO})(?: have)?)?`,
  ],
  [
    'frame_count',
    `how many (?:video )?frames(?: (?:are there|(?:are there |are )?in ${VIDEO}|(?:does|has) ${VIDEO}(?: have)?|in total))*`,
    `${WHAT}(?:total )?(?:number of frames|frame count)${OF_VIDEO}`,
  ],
  [
    'orientation',
    `(?:is|was) (?:${NAMED} (?:a |in |filmed |shot |recorded |in a )*(?:portrait|landscape|vertical|horizontal|square|widescreen)|${VIDEO} (?:in |a )?(?:portrait|landscape))(?: (?:mode|format|video|orientation|or (?:landscape|portrait|vertical|horizontal)))*`,
    `(?:portrait or landscape|landscape or portrait|vertical or horizontal|horizontal or vertical)`,
    `${WHAT}(?:video )?(?:orientation|aspect ratio)${OF_VIDEO}`,
  ],
  [
    'codec',
    `${WHAT}(?:video |audio )?(?:codec|encoding|compression)(?: (?:is|was|does|of|for|did) (?:${VIDEO}|used|(?:the )?(?:video|audio)(?: track)?)(?: (?:have|use|using|in|encoded with|encoded in|used))?)?`,
    `(?:how|with (?:what|which) codec) (?:is|was) ${VIDEO} (?:encoded|compressed)`,
    `(?:is|was) ${VIDEO} (?:in |encoded (?:in|with|as) |a )?(?:h\\.?26[45]|hevc|avc|av1|vp[89]|mpeg-?[24])(?: encoded)?`,
  ],
  [
    'container',
    `${WHAT}(?:file|video|container|media) ?(?:type|format|container|extension)${OF_VIDEO}`,
    `${WHAT}(?:container|file extension)${OF_VIDEO}`,
    `(?:what|which) (?:type|kind|sort) of (?:video |media )?(?:file|format) (?:is|was) (?:${VIDEO}|(?:it|this|that)(?: in)?)`,
    `(?:what|which) format (?:is|was) ${VIDEO}(?: in)?`,
    `(?:is|was) ${VIDEO} (?:a |an )?(?:mp4|mkv|avi|mov|webm|gif)(?: file)?`,
  ],
  [
    'file_size',
    `${WHAT}(?:file ?size|size of ${NAMED}|video size|size on disk|size in (?:mb|gb|megabytes|gigabytes|bytes))${OF_VIDEO}`,
    `how (?:big|large) (?:is|was) ${NAMED}`,
    `how (?:many (?:mb|gb|megabytes|gigabytes|bytes)|much (?:space|storage)) (?:is|has|does) ${NAMED}(?: have| take| take up| need| use)?`,
  ],
  ['bit_rate', `${WHAT}(?:video |average )?(?:bit ?rate|data rate)${OF_VIDEO}`],
  [
    'dynamic_range',
    `(?:is|was) ${VIDEO} (?:in |an? |recorded in |shot in |filmed in )?(?:hdr(?:10)?|high dynamic range)(?: (?:video|footage|or not|clip|content))*`,
    `${HAS}(?:hdr)`,
    `hdr`,
    `${WHAT}(?:bit depth|color depth|colour depth)${OF_VIDEO}`,
  ],
  [
    'audio_track',
    `${HAS}(?:any |some |an |a |working )?(?:sound|audio|audio track|sound track|soundtrack)${ON}+`,
    `does ${VIDEO} (?:even |actually )?(?:have|come with|contain) (?:any |some |an |a )?(?:sound|audio|audio track|sound track|soundtrack)`,
    `has ${VIDEO} (?:got )?(?:any |some |an |a )?(?:sound|audio|audio track|sound track|soundtrack)`,
    `(?:is there |any )?(?:an |a |any )?(?:audio|sound) ?track`,
    `(?:is there |any )(?:any |an )?audio`,
    `(?:is|was) ${VIDEO} with (?:sound|audio)`,
    `(?:was|is) (?:the )?(?:sound|audio) (?:on|recorded|enabled|included|turned on|there)`,
  ],
  [
    'recorded_at',
    `when (?:was|is|were) (?:${NAMED} ${WHEN_MADE}|${VIDEO} (?:recorded|filmed|shot))`,
    `(?:when|(?:at )?(?:what|which) time) (?:does|did) ${NAMED} (?:start|begin)`,
    `when did (?:they|you|we|i|someone|somebody) (?:record|film|shoot|take|make) ${VIDEO}`,
    `(?:on |at )?(?:what|which) (?:date|day|time|year|month|date and time|day and time)(?: of day)? (?:was|is|were) ${VIDEO} ${WHEN_MADE}`,
    `${WHAT}(?:recording|filming|capture|creation|shooting|video) (?:date|time|timestamp|date and time|day)${OF_VIDEO}`,
    `${WHAT}(?:date|date and time|timestamp|creation date|year) (?:of|on) ${VIDEO}`,
    `${WHEN_MADE} (?:when|on what date|at what time)`,
    `(?:date|creation time|recording timestamp)`,
    `(?:what|which) (?:year|date|day|month) (?:is|was) ${VIDEO} from`,
    `(?:how old is|when is) ${NAMED}(?: from)?`,
  ],
  [
    'camera_model',
    `(?:what|which)(?: kind of| type of| sort of| model of| brand of| make of)? (?:camera|phone|device|dashcam|cam)(?: model)? (?:was|is|did|were|has been) (?:used|it|this|${VIDEO}|they use|you use)(?: (?:${WHEN_MADE}|used|used for ${VIDEO}|to (?:record|film|shoot) ${VIDEO})(?: (?:with|on|by))?)?`,
    `(?:what|which)(?: kind of| type of| sort of)? (?:camera|phone|device)(?: model)? (?:${WHEN_MADE}) ${VIDEO}`,
    `(?:what|which)(?: kind of| type of| sort of)? (?:camera|phone|device)(?: model)? (?:was|is) ${VIDEO} ${WHEN_MADE} (?:with|on|by)`,
    `(?:what|which) (?:was|is) ${VIDEO} ${WHEN_MADE} (?:with|on|by)`,
    `(?:what|which) (?:camera|dashcam)`,
    `${WHAT}(?:camera|device|phone) (?:model|make|brand|type|make and model)${OF_VIDEO}`,
  ],
  [
    'shot_count',
    `how many (?:different |separate |individual |distinct )?(?:shots|scenes|camera shots|takes)(?: (?:are there|(?:are there |are )?in ${VIDEO}|(?:does|has) ${VIDEO}(?: have)?|in total|do we have))*`,
    `${WHAT}(?:number of (?:shots|scenes)|shot count|scene count)${OF_VIDEO}`,
    `count (?:the |all |all the )?(?:shots|scenes)`,
  ],
  [
    'mean_speed',
    'how fast (?:am|was|are|were|is|did|do) (?:i|we) (?:go|going|driv(?:e|ing)|walk(?:ing)?|mov(?:e|ing)|rid(?:e|ing)|travell?(?:ing)?)(?: on average)?',
    `${WHAT}(?:average|avg|mean) (?:driving |walking )?speed`,
  ],
  [
    'top_speed',
    `${WHAT}(?:top|max|maximum|highest|peak|fastest) speed`,
    'how fast did (?:i|we) (?:go|get|drive) at (?:most|max)',
    '(?:what|which) was the (?:fastest|highest speed) (?:i|we) (?:went|drove|got)',
  ],
].map(([fact, ...phrases]) => ({ fact: fact as Fact, pattern: new RegExp(`^(?:${phrases.join('|')})$`, 'i') }));

/** Words around a question that ask nothing. */
export const POLITE =
  /^(?:(?:hi|hey|hello|ok|okay|so|and|please|pls|plz|also|quick question|just|tell me|can you tell me|could you tell me|can you say|do you know|do we know|any idea|i want to know|i'd like to know|id like to know|give me|show me|what about)[, ]+)+|[, ]+(?:please|pls|plz|thanks|thx|btw|again|exactly|actually)$/gi;
