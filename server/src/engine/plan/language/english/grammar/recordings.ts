import type { FactStatement, Leaf } from '../../../meaning/types.ts';
import type { AddRule } from '../../../parse/rules.ts';
import type { Categories } from '../categories.ts';
import { frameEvent, joined, query } from './build.ts';

/** Questions for facts about the recording: "how long is the video", "which codec does it use". */
export function recordingRules(rule: AddRule<Categories>): void {
  rule('Recording', ['Media'], 'length of video', (word) => [word]);
  rule('Recording', ['Determiner', 'Media'], 'length of the video', ({ type }, word) =>
    type === 'definite' ? [word] : null,
  );
  rule('Recording', ['Possessive', 'Media'], 'length of my video', (_, word) => [word]);
  rule('RecordingOrIt', ['Recording'], 'when was the video recorded', (words) => words);
  rule('RecordingOrIt', ['Pronoun'], 'when was it recorded', (word) => (word.person ? null : [word]));
  rule('RecordingOrIt', ['This'], 'when was this recorded', (word) => [word]);

  rule('FactPhrase', ['FactNoun'], 'frame rate', (word) => fact(word.fact, word));
  rule('FactPhrase', ['Determiner', 'FactPhrase'], 'the frame rate', (_, made) => made);
  rule('FactPhrase', ['Possessive', 'FactPhrase'], 'its frame rate', (_, made) => made);
  rule('FactPhrase', ['FactPhrase', 'Of', 'Recording'], 'length of the video', (made, _, words) =>
    fact(made.fact, ...made.words, ...words),
  );
  rule('FactPhrase', ['DateWord', 'Of', 'Recording'], 'date of the video', (date, _, words) =>
    fact('recorded_at', date, ...words),
  );
  rule('FactPhrase', ['FactPhrase', 'In', 'Unit'], 'length in seconds', (made, _, unit) =>
    made.fact === 'duration' && unit.sense.dimension === 'time' && !unit.sense.counted
      ? fact('duration', ...made.words, unit)
      : null,
  );
  rule('FactPhrase', ['Questioned', 'FactUnit'], 'how many shots', (question, unit) =>
    question.sense.question === 'count' ? fact(unit.fact, question, unit) : null,
  );

  rule('Question', ['FactPhrase'], 'recording date', (made) => query(made));
  rule('Question', ['What', 'Be', 'FactPhrase'], ['what is the resolution', "what's the file size"], (_, _be, made) =>
    query(made),
  );
  rule('Question', ['Which', 'FactPhrase'], 'which codec', (_, made) => query(made));
  rule('Question', ['FactPhrase', 'Be', 'There'], 'how many shots are there', (made) => query(made));
  rule(
    'Question',
    ['FactPhrase', 'Do', 'RecordingOrIt', 'Have'],
    'how many frames does it have',
    (made, _, words, _have) => query(fact(made.fact, ...made.words, ...words)),
  );
  rule(
    'Question',
    ['Which', 'FactPhrase', 'Do', 'RecordingOrIt', 'Use'],
    'what codec does it use',
    (_, made, _do, words, use) => query(fact(made.fact, ...made.words, ...words, use)),
  );
  rule(
    'Question',
    ['Which', 'FactPhrase', 'Do', 'RecordingOrIt', 'Have'],
    'which codec does it have',
    (_, made, _do, words) => query(fact(made.fact, ...made.words, ...words)),
  );
  rule(
    'Question',
    ['Which', 'FactPhrase', 'Be', 'RecordingOrIt'],
    'what resolution is the video',
    (_, made, _be, words) => query(fact(made.fact, ...made.words, ...words)),
  );
  rule(
    'Question',
    ['Which', 'FactPhrase', 'Be', 'RecordingOrIt', 'In'],
    'what format is the video in',
    (_, made, _be, words) => query(fact(made.fact, ...made.words, ...words)),
  );
  rule('Question', ['FactHow', 'Be', 'Recording'], 'how big is the video', (word, _, words) =>
    query(fact(word.fact, word, ...words)),
  );
  rule('FactPhrase', ['Recording', 'Genitive', 'FactPhrase'], "the video's length", (words, _, made) =>
    fact(made.fact, ...words, ...made.words),
  );
  rule('FactHow', ['For', 'FactHow'], 'for how long does the video run', (_, word) =>
    word.fact === 'duration' ? word : null,
  );
  rule('Question', ['FactHow', 'Do', 'Recording', 'Have'], 'how many seconds does the video have', (how, _, words) =>
    /^how many/i.test(how.text) ? query(fact(how.fact, how, ...words)) : null,
  );
  rule('Question', ['Question', 'In', 'Unit'], 'how long is the video in seconds', (made, _, unit) =>
    made.statement.kind === 'fact' &&
    made.statement.fact === 'duration' &&
    /^how/i.test(made.statement.words[0]!.text) &&
    unit.sense.dimension === 'time' &&
    !unit.sense.counted
      ? query(fact('duration', ...made.statement.words, unit))
      : null,
  );
  rule('Question', ['FactHow', 'Do', 'Recording', 'Last'], 'how long does the video last', (word, _, words, last) =>
    word.fact === 'duration' && last.form === 'base' ? query(fact('duration', word, ...words, last)) : null,
  );

  rule('Question', ['Opening', 'FactHow', 'Recording', 'Be'], 'tell me how long the video is', (_, word, words) =>
    query(fact(word.fact, word, ...words)),
  );
  rule(
    'Question',
    ['Opening', 'FactHow', 'Recording', 'Last'],
    'tell me how long the video lasts',
    (_, word, words, last) =>
      word.fact === 'duration' && last.form === 'present' ? query(fact('duration', word, ...words, last)) : null,
  );
  rule(
    'Question',
    ['Opening', 'Questioned', 'RecordingOrIt', 'Be', 'Record'],
    'do you know when this was recorded',
    (_, question, words, _be, verb) =>
      question.sense.question === 'when' && isDone(verb) ? query(fact('recorded_at', question, ...words, verb)) : null,
  );

  rule('Format', ['FormatWord'], 'is it hdr', (word) => fact(word.fact, word));
  rule('Format', ['Determiner', 'Format'], 'is it an mp4', (_, made) => made);
  rule('Format', ['In', 'Format'], 'is the video in 4k', (_, made) => made);
  rule('Format', ['FormatWord', 'Media'], 'is it a 4k video', (word, media) => fact(word.fact, word, media));
  rule('Format', ['Format', 'Or', 'Format'], 'is it portrait or landscape', (a, _, b) =>
    a.fact === b.fact ? fact(a.fact, ...a.words, ...b.words) : null,
  );
  rule('Question', ['Be', 'RecordingOrIt', 'Format'], ['is this hdr', 'is the video vertical'], (_, words, made) =>
    isOfAnything(words, made) ? null : query(fact(made.fact, ...words, ...made.words)),
  );
  rule('Question', ['Format', 'Or', 'FormatWord'], 'portrait or landscape', (a, _, b) =>
    a.fact === b.fact ? query(fact(a.fact, ...a.words, b)) : null,
  );

  rule('Format', ['Encoded', 'Format'], 'is it recorded in hdr', (word, made) => fact(made.fact, word, ...made.words));
  rule('Question', ['Do', 'RecordingOrIt', 'Have', 'Format'], 'does it have hdr', (_, words, _have, made) =>
    query(fact(made.fact, ...words, ...made.words)),
  );
  rule(
    'Inverted',
    ['Be', 'RecordingOrIt', 'Encoded', 'SignalTime'],
    'is it filmed at night',
    (_, words, filmed, { sense, ...time }) =>
      frameEvent({ type: 'signal', word: { ...joined(words[0]!, [filmed, time]), sense } }),
  );
  rule('Question', ['FactPhrase', 'Be', 'RecordingOrIt'], 'what type of file is it', (made, _, words) =>
    query(fact(made.fact, ...made.words, ...words)),
  );
  rule('Question', ['FactPhrase', 'Be', 'InVideo'], 'how many shots are in the video', (made) => query(made));
  rule('Question', ['FactPhrase', 'Be', 'In', 'Recording'], 'how many frames are in my video', (made, _, _in, words) =>
    query(fact(made.fact, ...made.words, ...words)),
  );

  rule('AudioPhrase', ['Audio'], 'does the video have audio', (word) => [word]);
  rule('AudioPhrase', ['Determiner', 'Audio'], 'is there any audio track', (_, word) => [word]);
  rule(
    'Question',
    ['Do', 'RecordingOrIt', 'Have', 'AudioPhrase'],
    'does the video have audio',
    (_, words, _have, audio) => query(fact('audio_track', ...words, ...audio)),
  );
  rule(
    'Question',
    ['Be', 'There', 'AudioPhrase', 'In', 'RecordingOrIt'],
    'is there sound on this',
    (_, _there, audio, _on, words) => query(fact('audio_track', ...audio, ...words)),
  );
  rule('Question', ['Be', 'There', 'AudioPhrase'], 'is there an audio track', (_, _there, audio) =>
    audio.every(({ isTrack }) => isTrack) ? query(fact('audio_track', ...audio)) : null,
  );

  rule(
    'Question',
    ['Questioned', 'Be', 'RecordingOrIt', 'Record'],
    'when was it recorded',
    (question, _, words, verb) =>
      question.sense.question === 'when' && isDone(verb) ? query(fact('recorded_at', question, ...words, verb)) : null,
  );
  rule(
    'Question',
    ['Questioned', 'Do', 'Filmer', 'Record', 'RecordingOrIt'],
    'when did they film this',
    (question, _, who, verb, words) =>
      question.sense.question === 'when' && verb.form === 'base'
        ? query(fact('recorded_at', question, who, verb, ...words))
        : null,
  );
  rule(
    'Question',
    ['Which', 'DateWord', 'Be', 'RecordingOrIt', 'Record'],
    'what date was this filmed',
    (_, date, _be, words, verb) => (isDone(verb) ? query(fact('recorded_at', date, ...words, verb)) : null),
  );
  rule('Question', ['In', 'Question'], 'on what day was this filmed', (_, made) =>
    made.statement.kind === 'fact' && made.statement.fact === 'recorded_at' ? made : null,
  );
  rule(
    'Question',
    ['Which', 'DateWord', 'Be', 'RecordingOrIt', 'From'],
    'what year is this from',
    (_, date, _be, words) => query(fact('recorded_at', date, ...words)),
  );

  rule(
    'Question',
    ['Have', 'RecordingOrIt', 'Get', 'AudioPhrase'],
    'has the video got sound',
    (_, words, _got, audio) => query(fact('audio_track', ...words, ...audio)),
  );
  rule(
    'Question',
    ['Be', 'RecordingOrIt', 'With', 'AudioPhrase'],
    'is the video with sound',
    (_, words, _with, audio) => query(fact('audio_track', ...words, ...audio)),
  );
  rule(
    'Question',
    ['Questioned', 'Do', 'Recording', 'Start'],
    'when does the video start',
    (question, _, words, verb) =>
      question.sense.question === 'when' && verb.form === 'base'
        ? query(fact('recorded_at', question, ...words, verb))
        : null,
  );
  rule('Question', ['Which', 'Device', 'Be', 'RecordingOrIt'], 'what camera is this', (_, device, _be, words) =>
    query(fact('camera_model', device, ...words)),
  );
  rule(
    'Question',
    ['Which', 'Device', 'Be', 'Use', 'To', 'Record', 'RecordingOrIt'],
    'which phone was used to film this',
    (_, device, _be, use, _to, verb, words) =>
      isDone(use) && verb.form === 'base' ? query(fact('camera_model', device, use, verb, ...words)) : null,
  );
  rule('Question', ['What', 'Be', 'RecordingOrIt', 'Record', 'In'], 'what was it shot on', (_, _be, words, verb, on) =>
    isDone(verb) && on.surface === 'on' ? query(fact('camera_model', ...words, verb)) : null,
  );
  rule('Question', ['Which', 'Device'], 'what camera', (_, device) => query(fact('camera_model', device)));
  rule('Question', ['Which', 'Device', 'Be', 'Use'], 'what camera was used', (_, device, _be, use) =>
    isDone(use) ? query(fact('camera_model', device, use)) : null,
  );
  rule(
    'Question',
    ['Which', 'Device', 'Record', 'RecordingOrIt'],
    'which phone recorded this',
    (_, device, verb, words) => (verb.form === 'past' ? query(fact('camera_model', device, verb, ...words)) : null),
  );
  rule(
    'Question',
    ['Which', 'Device', 'Be', 'RecordingOrIt', 'Record', 'With'],
    'what camera was this filmed with',
    (_, device, _be, words, verb) => (isDone(verb) ? query(fact('camera_model', device, ...words, verb)) : null),
  );
  rule(
    'Question',
    ['What', 'Be', 'RecordingOrIt', 'Record', 'With'],
    'what was this filmed with',
    (_, _be, words, verb) => (isDone(verb) ? query(fact('camera_model', ...words, verb)) : null),
  );
}

const fact = (kind: FactStatement['fact'], ...words: readonly Leaf[]): FactStatement => ({
  kind: 'fact',
  words,
  fact: kind,
});

/** "Is it square": not only a video is. */
const isOfAnything = (words: readonly Leaf[], { words: format }: FactStatement) =>
  words.every(({ text }) => /^(?:it|this|that)$/i.test(text)) &&
  format.some(({ text }) => /^(?:vertical|horizontal|square)$/i.test(text));

/** "Recorded", "shot". */
const isDone = ({ form }: Categories['Record']) => form === 'participle' || form === 'past';
