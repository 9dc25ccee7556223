/**
 * Words that documentation, comments and sentences for users do not contain, with replacements. Each was once a private
 * word of this project or makes a sentence hard to read; the replacement is the field's word.
 */
export type BannedWord = { pattern: RegExp; instead: string };

const banned = (pattern: string, instead: string): BannedWord => ({
  pattern: new RegExp(`\\b(?:${pattern})\\b`, 'i'),
  instead,
});

/** Checked in comments, Markdown and string literals. */
export const BANNED_WORDS: readonly BannedWord[] = [
  banned('told|tells? (?:of|who|what|whether|how)|telling', 'report, publish, emit, state'),
  banned('asked (?:of|anew|for it)|is asked|was asked|were asked|are asked|been asked', 'requested, queried, prompted'),
  banned('is said|was said|were said|are said|said of|says? of|says so', 'stated, specified, reported'),
  banned('whoever|whom|whosoever', 'the user, the caller, the client'),
  banned('anew', 're- (re-read, retry), again'),
  banned('by now', 'leave it out'),
  banned('goes on|go on|going on|went on', 'continues, resumes'),
  banned('things?', 'object, detection, or the noun that is meant'),
  banned('films?', 'video, recording'),
  banned('stretch(?:es)?', 'range, interval'),
  banned('glances?', 'sparse pass'),
  banned('happenings?', 'event'),
  banned('sealed|sealing|seals', 'encrypted'),
  banned('brought', 'fetched, imported'),
  banned('begun', 'started'),
  banned('is kept|are kept|was kept|were kept|be kept', 'stored, cached, retained'),
  banned('is gone|are gone|was gone|were gone|has gone|have gone|had gone', 'deleted, disconnected, missing'),
  banned('lanes? of|a lane|lanes', 'transfer worker (or the traffic lane, in a file listed as an exception)'),
  banned('hand(?:s|ful)? of', 'batch, transfer'),
  banned('deeds?', 'action'),
  banned('news', 'domain event'),
  banned('mended', 'fixed'),
  banned('gives? way', 'is replaced, yields'),
  banned('of which all', 'complete'),
  banned('stands? in', 'is in, is stored in'),
  banned('lies? in', 'is in, is stored in'),
  banned('so too', 'likewise, also'),
  banned('has a word', 'states'),
];

/** Words that no declared identifier contains, in camelCase or snake_case. */
export const BANNED_IN_NAMES: ReadonlyMap<string, string> = new Map([
  ['told', 'reported, published'],
  ['asked', 'requested'],
  ['said', 'stated'],
  ['gone', 'deleted, disconnected'],
  ['begun', 'started'],
  ['whom', 'caller, user'],
  ['whose', 'owner'],
  ['brought', 'fetched'],
  ['kept', 'stored, cached'],
  ['film', 'video, recording'],
  ['films', 'videos, recordings'],
  ['thing', 'object'],
  ['things', 'objects'],
  ['glance', 'sparsePass'],
  ['deed', 'action'],
  ['deeds', 'actions'],
  ['stretch', 'range, interval'],
  ['stretches', 'ranges, intervals'],
  ['news', 'domainEvent'],
  ['sealed', 'encrypted'],
  ['anew', 'again'],
  ['reel', 'frameSequence'],
  ['patience', 'retry'],
  ['happening', 'event'],
  ['happenings', 'events'],
  ['mended', 'fixed'],
]);

const spelling = (british: string, american: string): BannedWord => ({
  pattern: new RegExp(`\\b(?:${british})\\b`, 'i'),
  instead: american,
});

/** British spellings, refused in prose and names: the API and its readers use American ones. */
export const BRITISH_SPELLINGS: readonly BannedWord[] = [
  spelling('\\w*colour\\w*', 'color'),
  spelling('\\w*(?:behavi|fav|harb|hon|lab|neighb|rum)our\\w*', '-or'),
  spelling('\\w*(?:analy|cataly|paraly)s(?:e|ed|er|ers|ing)', '-yze'),
  spelling(
    '\\w*(?:author|categor|character|custom|emphas|final|general|initial|local|maxim|minim|normal|optim|organ|prior|recogn|serial|special|stabil|standard|summar|synchron|util|visual)is(?:e|ed|er|ers|es|ing|able|ation|ations)',
    '-ize',
  ),
  spelling('centre[sd]?|centring', 'center'),
  spelling('\\w*(?:met|lit|fib)res?', '-er'),
  spelling('grey\\w*', 'gray'),
  spelling('(?:un)?(?:cancel|channel|label|level|model|signal|total|travel|tunnel)l(?:ed|er|ers|ing)', 'a single l'),
  spelling('catalogued?s?|analogue', 'catalog, analog'),
  spelling('artefacts?', 'artifact'),
  spelling('licences?|defences?|offences?', '-se'),
  spelling('fulfils?|enrols?|skilful', 'll'),
  spelling('tyres?', 'tire'),
  spelling('aeroplanes?', 'airplane'),
  spelling('acknowledgements?|judgements?', '-dgment'),
  spelling('whilst|amongst', 'while, among'),
  spelling('anticlockwise', 'counterclockwise'),
  spelling('(?:mis)?spelt|learnt|burnt', '-ed'),
];
/** Names with a British spelling that the API and the database have. */
export const BRITISH_NAMES: ReadonlySet<string> = new Set(['analysedS']);
