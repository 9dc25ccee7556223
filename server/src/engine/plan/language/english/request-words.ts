import { type ClosedClass, words } from './closed-class.ts';

const combine = (...parts: readonly (readonly string[])[]): string =>
  parts
    .reduce((before, next) => before.flatMap((a) => next.map((b) => [a, b].filter((word) => word !== '').join(' '))))
    .join(', ');

const WATCHERS = ['i', 'we'];
const BE = ['am', 'was', 'were', 'are'];
/** Details that every answer lists: times, and with them lengths. */
const DETAILS = [
  'time',
  'times',
  'time stamp',
  'time stamps',
  'timestamp',
  'timestamps',
  'timecode',
  'timecodes',
  'start time',
  'start times',
  'start and end',
  'start and end time',
  'start and end times',
  'times and durations',
  'durations',
  'intervals',
  'time ranges',
  'moments',
];
const WHICH_DETAILS = ['', 'the', 'exact', 'the exact', 'all the', 'their'];
const WHEN = ['when', 'when exactly', 'exactly when', 'at what time', 'which and when'].concat(
  ['it', 'that', 'each'].flatMap((noun) => [`when ${noun} happens`, `when ${noun} happened`]),
);
const QUESTIONS = ['question', 'quick question', 'quick one'];
const GREETED = ['there', 'all', 'team', 'again', 'everyone', 'folks', 'guys'];
const MIND = ['would you mind', 'do you mind', 'mind'];
const OTHERS = ['my', 'our', 'the', 'a']
  .flatMap((owner) =>
    [
      'boss',
      'manager',
      'client',
      'customer',
      'colleague',
      'team',
      'supervisor',
      'wife',
      'husband',
      'friend',
      'insurance',
      'police',
    ].map((who) => `${owner} ${who}`),
  )
  .concat('they', 'people', 'somebody', 'someone');
const WANT_TO_KNOW = [
  'wants to know',
  'want to know',
  'would like to know',
  'needs to know',
  'need to know',
  'is asking',
  'are asking',
  'asks',
  'asked',
  'asked me',
  'is wondering',
  'wonders',
];
const GIVE = ['give me', 'just give me', 'show me', 'list', 'i need', 'include', 'note', 'tell me', 'and tell me'];

/** Words around a request that say nothing of what is requested. */
export const REQUEST_WORDS: readonly ClosedClass[] = [
  words(
    'Opener',
    'so, ok, okay, ok so, okay so, alright, all right, well, so basically, basically, hmm, hm, um, uh, oh',
  ),
  words('Opener', combine(['hello', 'hi', 'hey'], GREETED)),
  words('Opener', 'yo, good morning, good afternoon, good evening, dear team, sorry, excuse me, greetings'),
  words('Opener', combine(['', 'a', 'one', 'just a', 'just one', 'one more', 'another'], QUESTIONS)),
  words(
    'Opener',
    'just wondering, just curious, just checking, out of curiosity, by the way, btw, fyi, anyway, anyways',
  ),
  words(
    'Opener',
    combine(
      ['sorry', 'sorry for', 'sorry if i'],
      ['to bother you', 'bothering you', 'to bother you again', 'to ask', 'bother you'],
    ),
  ),
  words('Opener', 'silly question, dumb question, stupid question, weird question, quick check, one thing'),
  words(
    'Opener',
    'surely, obviously, apparently, presumably, i guess, i suppose, hopefully, honestly, i mean, you know',
  ),
  words('Opener', 'what about, how about, for the record, for my report, for the report, not sure if you can but'),
  words('Softener', 'maybe, perhaps, possibly, just, quickly, real quick, really quick, somehow'),
  words('Softener', 'by any chance, also, actually, simply, if you can, if possible'),
  words(
    'Aside',
    'if any, if possible, if you can, asap, thx, in advance, many thanks, cheers, just curious, just wondering',
  ),
  words('Aside', combine(['if there'], ['is', 'are', 'was', 'were'], ['any', 'one', 'some'])),
  words(
    'Aside',
    'maybe, perhaps, possibly, by any chance, by chance, for my report, for the report, for the record, for our records, for the log',
  ),
  words(
    'Aside',
    'roughly, approximately, more or less, lol, haha, mate, buddy, out of curiosity, for us, thanks a lot, thanks a bunch, thank you so much, thank you very much',
  ),
  words('Retrieve', 'get, gimme, lemme see, bring up, pull out, display, report, flag, mark, log, collect, extract'),
  words(
    'Command',
    combine(MIND, ['showing', 'finding', 'listing', 'giving', 'looking for', 'searching for', 'pulling up']),
    { opening: 'search' },
  ),
  words('Command', combine(MIND, ['telling', 'checking', 'confirming']), { opening: 'ask' }),
  words('Questioned', combine(MIND, ['counting'], ['', 'all', 'the', 'all the', 'up']), {
    sense: { type: 'question', question: 'count' },
  }),
  words('Command', combine(['can', 'could', 'may'], WATCHERS, ['get', 'have']), { opening: 'search' }),
  words('Command', combine(WATCHERS, BE, ['wondering', 'just wondering', 'curious', 'just curious']), {
    opening: 'ask',
  }),
  words('Command', 'let me know about, let us know about, tell me about, tell us about', { opening: 'search' }),
  words('Command', combine(OTHERS, WANT_TO_KNOW), { opening: 'ask' }),
  words(
    'Command',
    combine(
      ['is it', 'is that', 'would it be', 'am i', 'are we'],
      ['correct', 'right', 'fair to say', 'accurate', 'safe to say'],
    ),
    { opening: 'ask' },
  ),
  words('Command', combine(['would you', 'do you', 'can you', 'could you'], ['think', 'believe']), {
    opening: 'ask',
  }),
  words('Command', 'was wondering, wanna know, do you happen to know, would you know, can you tell, any clue', {
    opening: 'ask',
  }),
  words(
    'Wish',
    combine(WATCHERS, ['just want to', 'just need to', 'really want to', 'really need to', 'gotta', 'need you to']),
  ),
  words('Wish', combine(WATCHERS, BE, ['trying to', 'hoping to', 'curious to', 'looking to'])),
  words('Wish', 'need to, want to, trying to, hoping to, do me a favor and, do me a favour and, be so kind as to'),
  words('Wish', combine(['it would be', 'would be', 'that would be'], ['great', 'nice'], ['if you could'])),
  words('Reply', combine(['with', 'including', 'plus', 'and', 'incl'], WHICH_DETAILS, DETAILS)),
  words('Reply', combine(GIVE, WHICH_DETAILS, DETAILS)),
  words('Reply', combine(['tell me', 'and tell me', 'just tell me', 'tell us', 'say', 'and say'], WHEN)),
  words(
    'YesOrNo',
    'yes or no, y/n, yes/no, true or false, just yes or no, a yes or no, yes or no answer, did it happen, did that happen',
  ),
  words(
    'Context',
    combine(['this'], ['is', 'was'], ['a video', 'a clip', 'footage', 'from', 'my', 'our', 'the', 'filmed']),
  ),
  words('Context', combine(['this', 'the', 'our', 'my'], ['camera', 'video', 'clip', 'footage', 'recording', 'cam'])),
  words('Context', combine(['i', 'we'], ['am', 'are'], ['a', 'an', 'the', 'from', 'in charge of', 'responsible for'])),
  words('Context', combine(['i', 'we'], ['work', 'run', 'own', 'manage', 'have', 'had', 'use', 'installed', 'live'])),
  words(
    'Context',
    combine(['i', 'we'], ['think', 'thought', 'heard', 'believe', 'suspect', 'got', 'need it', 'forgot']),
  ),
  words('Context', 'my boss, my manager, our manager, somebody said, someone said, there was a complaint, it is for'),
];
