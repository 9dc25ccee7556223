import type { Quoting } from '../../parse/quoting.ts';
import { type ClosedClass, inflected, words } from './closed-class.ts';

/**
 * Words that may belong to the rest of the prompt: "says stop and leaves", "says hello to the driver". A text with one
 * of them has to be in quotation marks.
 */
const NOT_PLAIN = new Set(
  `and or then while before after when whenever where until unless if because but as than to with without at in on by
  from near next for into onto over under behind beside inside outside of off against during within through about above
  toward towards that what which who whom whose how why something anything nothing everything somebody someone anybody
  anyone it this these those there so loudly quietly softly again twice once often never always only first last times
  time per second seconds minute minutes hour hours more less least most than another other else is are was were be been
  being appear appears appeared disappear disappears show shows visible please word words phrase sentence mentioned discussed spoken said heard`.split(
    /\s+/,
  ),
);

/** Words of any kind are one category: they are taken as they are. */
export const ENGLISH_QUOTING: Quoting = { category: 'Quotation', isPlain: (word) => !NOT_PLAIN.has(word) };

/** Most words that are quoted without quotation marks. */
const MOST = 6;
const opening = (list: readonly ClosedClass[], opens = MOST): ClosedClass[] =>
  list.map(({ features, ...each }) => ({ ...each, features: { ...features, opens } }));
const closing = (list: readonly ClosedClass[], closes = MOST): ClosedClass[] =>
  list.map(({ features, ...each }) => ({ ...each, features: { ...features, closes } }));

const SIGN_KINDS = 'road, street, traffic, shop, store, warning, exit, neon';
const kinds = (nouns: string, prefixes: string) =>
  [nouns, ...prefixes.split(', ').map((prefix) => `${prefix} ${nouns}`)].join(', ');

/** Words for what is written and what is spoken. */
export const QUOTED_WORDS: readonly ClosedClass[] = [
  ...opening(inflected('Say', 'say, utter')),
  ...opening([words('Say', 'said', { form: 'past' })]),
  ...opening(inflected('Read', 'read, state, spell')),
  ...opening(inflected('Call', 'shout, yell, scream, whisper')),
  ...opening(inflected('TalkAbout', 'talk about, speak about, chat about, discuss, mention')),
  ...closing([
    words('Mentioned', 'mentioned, discussed, talked about, spoken about, spoken of', { form: 'participle' }),
    words(
      'Mentioned',
      ['is', 'are', 'was', 'were', 'gets']
        .flatMap((be) => ['mentioned', 'discussed', 'talked about', 'spoken of'].map((verb) => `${be} ${verb}`))
        .join(', '),
      { form: 'present' },
    ),
  ]),
  ...opening([words('SaidAbout', 'said about, told about, heard about, being said about')]),
  ...opening(inflected('SayAbout', 'say about, tell about')),
  words('Said', 'said, spoken, heard, uttered, being said, being spoken'),
  ...opening([
    words(
      'Mention',
      ['mention', 'mentions', 'discussion', 'discussions', 'conversation', 'conversations']
        .flatMap((noun) => [`${noun} of`, `${noun} about`])
        .join(', '),
    ),
  ]),
  ...opening([words('WordNoun', 'word')], 1),
  ...opening([words('WordNoun', 'words, phrase, sentence')]),
  words(
    'TextNoun',
    'text, texts, letters, number, numbers, digits, message, messages, title, titles, caption, captions, inscription, inscriptions, on screen text, onscreen text, on screen message, screen, screens',
  ),
  words(
    'AnyText',
    'text, texts, writing, letters, on screen text, onscreen text, visible text, readable text, visible writing, readable writing',
  ),
  words('Carrier', kinds('sign', SIGN_KINDS)),
  words('Carrier', kinds('signs', SIGN_KINDS)),
  words('Carrier', 'warning label, warning labels'),
  words(
    'Carrier',
    'display, displays, monitor, monitors, dashboard, scoreboard, billboard, billboards, banner, banners, poster, posters, sticker, stickers, label, labels, placard, placards, notice, notices',
  ),
  ...['license plate', 'licence plate', 'number plate', 'plate'].flatMap((plate) => [
    words('Carrier', `${plate}, ${plate}s`),
    words('Plate', `${plate}, ${plate}s, ${plate} number`),
  ]),
  words(
    'SignName',
    'exit, fire exit, emergency exit, way out, no parking, no smoking, no entry, one way, for sale, for rent, open, closed, welcome, danger, detour',
  ),
  words('Sign', 'sign, signs'),
  ...inflected('ShowText', 'show, display, contain, bear, carry'),
  words('ShowText', 'labelled, labeled, marked', { form: 'participle' }),
  words('Written', 'written, printed'),
  words('ReadOut', 'read, read out, show me, transcribe, extract, list, list all'),
  words('TextKind', 'copyright, error, version, warning, total, date, tel, phone, isbn'),
  words('NameWord', 'name'),
  words(
    'NamedPlace',
    'shop, store, mall, restaurant, cafe, bar, pub, hotel, bank, petrol station, gas station, company, village',
  ),
  words('Transcript', 'transcript, transcription, full transcript, whole transcript, complete transcript'),
  words('Transcribe', 'transcribe, transcribe everything, transcribe all'),
];
