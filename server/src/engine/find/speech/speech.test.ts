import { describe, expect, it } from 'vitest';
import { answerPrompt, toRows } from '../../answer.fixture.ts';
import { createTranscript } from '../../observe/speech/transcriber.ts';
import { observations, signals, sound } from '../observations.fixture.ts';
import { createWordMatcher, stemsOf, toSpokenWords } from './word-matcher.ts';

const SPOKEN: [startS: number, endS: number, text: string, confidence?: number][] = [
  [2, 4, 'Please stop the fork lift.'],
  [5, 8, "Who's moving the boxes? They moved three of them."],
  [12, 14, 'Watch'],
  [14, 16, 'out! Stop, stop.'],
  [20, 22, 'The telescopes were mentioned, I think.', 0.3],
];

function videoWith(segments = SPOKEN) {
  const transcript = createTranscript('whisper_tiny_en 0123456789ab');
  for (const [startS, endS, text, confidence = 0.9] of segments) {
    transcript.addSegment({ startS, endS, text, confidence });
    transcript.addVoice({ voiceStartS: startS, voiceEndS: endS });
  }
  return observations(30, { signals: signals(30), sound: sound(30, () => -30), speech: transcript.finish() });
}
const video = videoWith();
const MISHEARD = 'about 8 in 10 spoken words are recognized here, others are misheard';
const labelsOf = (prompt: string) => answerPrompt(prompt, video).events.map(({ label }) => label);

describe('spoken words', () => {
  it.each([
    ['someone says stop', ['"Please stop the fork lift."', '"out! Stop, stop."', '"out! Stop, stop."']],
    ['someone says stopping', ['"Please stop the fork lift."', '"out! Stop, stop."', '"out! Stop, stop."']],
    ['someone says "stop the forklift"', ['"Please stop the fork lift."']],
    ['someone says fork lift', ['"Please stop the fork lift."']],
    ['someone says watch out', ['"Watch out! Stop, stop."']],
    ['they mention the box', ['"Who\'s moving the boxes? They moved three of them."']],
    ['someone talks about moving boxes', ['"Who\'s moving the boxes? They moved three of them."']],
    ['someone says 3', ['"Who\'s moving the boxes? They moved three of them."']],
    ['someone says top', []],
    ['someone says "stop moving"', []],
    ['someone talks about a truck', []],
  ])('%s', (prompt, expected) => {
    expect(labelsOf(prompt)).toEqual(expected);
  });

  it('have the time of the words, not of everything around them', () => {
    const [, boxes] = toRows(answerPrompt('what do they say', video))[1]!;
    expect(boxes).toBe(5);
    const [event] = answerPrompt('someone says three', video).events;
    expect(event!.startS).toBeGreaterThan(5.5);
    expect(event!.endS).toBeLessThanOrEqual(8);
  });

  it('that are similar, or uncertain, are candidates', () => {
    expect(answerPrompt('someone says telescope', video)).toMatchObject({
      events: [],
      candidates: [{ label: '"The telescopes were mentioned, I think."', confidence: 0.3 }],
    });
    const { events, candidates } = answerPrompt('someone says moping', videoWith([[1, 3, 'It is moving.']]));
    expect(events).toEqual([]);
    expect(candidates).toMatchObject([{ caveats: [expect.stringContaining('similar')] }]);
  });

  it('are the answer to questions', () => {
    expect(answerPrompt('does anyone say stop?', video).answer).toMatch(/^Yes: "Please stop/);
    expect(answerPrompt('how often is the word stop said?', video).answer).toMatch(/^3 times/);
    expect(answerPrompt('does anyone say help?', video).answer).toBe(
      `No: it was looked for and not found. Note: ${MISHEARD}.`,
    );
    expect(answerPrompt('when do they talk about boxes?', video).answer).toMatch(/^0:05\.0 to 0:08\.0\./);
    expect(labelsOf('what do they say?')).toHaveLength(4);
    expect(answerPrompt('what do they say?', video).answer).toMatch(/^Please stop .* Stop, stop\.$/);
    expect(answerPrompt('what do they say?', videoWith([])).answer).toBe('No spoken words were recognized.');
    const long = answerPrompt('transcript', videoWith([[0, 9, 'word '.repeat(900)]])).answer;
    expect(long!.length).toBeLessThan(2_010);
    expect(long).toMatch(/word …$/);
    const { coverage, interpretation } = answerPrompt('someone says stop', video);
    expect(coverage).toMatchObject([
      { status: 'partly', by: ['speech (whisper_tiny_en, English only)'], reason: MISHEARD },
    ]);
    expect(interpretation).toContain('the spoken words "stop"');
  });

  it('are not looked for without a transcript, or without audio', () => {
    const without = observations(9, { signals: signals(9), sound: sound(9, () => -30) });
    expect(answerPrompt('someone says stop', without).coverage[0]).toMatchObject({
      status: 'not_looked_for',
      reason: expect.stringContaining('not available'),
    });
    expect(answerPrompt('does anyone say stop?', observations(9, { signals: signals(9) })).answer).toMatch(
      /^No: .*no audio/,
    );
  });
});

describe('words that may have been misheard', () => {
  const heard = (text: string, confidence = 0.9) => videoWith([[2, 6, text, confidence]]);

  it.each([
    ['forklift', 'Careful with the fork left over there.'],
    ['forklift', 'The four klift is moving.'],
    ['Stephen', 'I saw Stefan yesterday.'],
    ['sulphur', 'It smells of sulfur.'],
  ])('"%s" in "%s" is a candidate, so that "never" is not certain', (word, text) => {
    const { answer, candidates, events } = answerPrompt(`when does someone say "${word}"?`, heard(text));
    expect(events).toEqual([]);
    expect(candidates).toMatchObject([{ label: `"${text}"`, caveats: [expect.stringContaining('only similar')] }]);
    expect(answer).toMatch(/^Not certain: /);
  });

  it.each([
    ['forklift', 'Please fold the list.'],
    ['helmet', 'He will hold it.'],
    ['stop', 'Step up to the shop.'],
    ['Stephen', 'Stop the van.'],
  ])('"%s" is not in "%s"', (word, text) => {
    const { answer, candidates } = answerPrompt(`when does someone say "${word}"?`, heard(text));
    expect(candidates).toEqual([]);
    expect(answer).toMatch(/^Never: .* Note: about 9 in 10 spoken words are recognized here/);
  });

  it('leave an answer open where little of the speech is recognized, or none of it', () => {
    expect(answerPrompt('does anyone say help?', heard('Something unclear.', 0.4)).answer).toMatch(
      /^Not certain: .* Note: about 4 in 10/,
    );
    const transcript = createTranscript('whisper_tiny_en 0123456789ab');
    transcript.addVoice({ voiceStartS: 3, voiceEndS: 9 });
    const mumbled = observations(30, {
      signals: signals(30),
      sound: sound(30, () => -30),
      speech: transcript.finish(),
    });
    expect(answerPrompt('does anyone say help?', mumbled).answer).toMatch(/^Not certain: .* Note: about 0 in 10/);
    expect(answerPrompt('does anyone say help?', videoWith([])).answer).toBe('No: it was looked for and not found.');
  });
});

describe('spoken words of other languages', () => {
  type Spoken = [startS: number, text: string, language: string];
  const MIXED: Spoken[] = [
    [2, 'Hilfe, der Gabelstapler rollt!', 'de'],
    [6, 'Die Stopps waren lang.', 'de'],
    [10, 'He stopped.', 'en'],
  ];
  function videoIn(...segments: Spoken[]) {
    const transcript = createTranscript('whisper_tiny 0123456789ab', { isMultilingual: true });
    for (const [startS, text, language] of segments)
      transcript.addSegment({ startS, endS: startS + 2, text, language, confidence: 0.9 });
    return observations(30, { signals: signals(30), sound: sound(30, () => -30), speech: transcript.finish() });
  }
  const answerIn = (prompt: string, ...segments: Spoken[]) => {
    const { events, candidates, coverage } = answerPrompt(prompt, videoIn(...segments));
    return { events: events.map(({ label }) => label), candidates: candidates.map(({ label }) => label), coverage };
  };

  it('are found as they are written, and those that are spelled almost like it are candidates', () => {
    expect(answerIn('someone says "Hilfe"', ...MIXED).events).toEqual(['"Hilfe, der Gabelstapler rollt!"']);
    expect(answerIn('they mention the Gabelstaplers', ...MIXED)).toMatchObject({
      events: [],
      candidates: ['"Hilfe, der Gabelstapler rollt!"'],
    });
    // "Stopps" would be a form of "stop" in English.
    expect(answerIn('someone says stop', ...MIXED).events).toEqual(['"He stopped."']);
    expect(answerIn('someone says "Stopps"', ...MIXED).events).toEqual(['"Die Stopps waren lang."', '"He stopped."']);
  });

  it('are stated with their language', () => {
    const [german, , english] = MIXED as [Spoken, Spoken, Spoken];
    expect(answerIn('someone says help', german).coverage).toMatchObject([
      {
        status: 'partly',
        by: ['speech (whisper_tiny, de)'],
        reason: expect.stringMatching(
          /^the speech is in another language \(de\), in which words are found as they are written only; about 9/,
        ),
      },
    ]);
    expect(answerIn('someone says stop', ...MIXED).coverage).toMatchObject([
      { by: ['speech (whisper_tiny, de, en)'], reason: expect.stringMatching(/^some of the speech is .*\(de\)/) },
    ]);
    expect(answerIn('someone says stop', english).coverage).toMatchObject([
      { status: 'partly', by: ['speech (whisper_tiny, en)'], reason: expect.stringMatching(/^about 9 in 10/) },
    ]);
    expect(answerIn('what do they say?', german)).toMatchObject({
      events: ['"Hilfe, der Gabelstapler rollt!"'],
      coverage: [{ status: 'looked_for', by: ['speech (whisper_tiny, de)'], reason: null }],
    });
    expect(answerIn('someone says stop').coverage).toMatchObject([{ by: ['speech (whisper_tiny)'], reason: null }]);
  });

  it('are found in texts without spaces, and with marks on letters', () => {
    const chinese: Spoken = [1, '小心,这里有一辆叉车。', 'zh'];
    expect(answerIn('someone says "小心"', chinese).events).toHaveLength(1);
    expect(answerIn('they mention 叉车', chinese).events).toHaveLength(1);
    expect(answerIn('they mention 车叉', chinese).events).toEqual([]);
    const hindi: Spoken = [1, 'यह हिन्दी है', 'hi'];
    expect(answerIn('someone says "हिन्दी"', hindi).events).toHaveLength(1);
    expect(answerIn('someone says "हन्द"', hindi).events).toEqual([]);
    // One letter with a mark, or a letter and a mark.
    expect(answerIn('someone says "caf\u00e9"', [1, 'Un cafe\u0301.', 'fr']).events).toHaveLength(1);
  });
});

describe('subtitles', () => {
  const stated = (language: string | null) => ({
    source: 'file',
    language,
    texts: ['Please stop.', 'Watch out!'],
    startS: Float64Array.of(1, 5),
    endS: Float64Array.of(3, 6),
  });

  it('are searched before what was recognized, also without audio', () => {
    const both = { ...videoWith(), subtitles: stated('en') };
    const { events, coverage } = answerPrompt('someone says stop', both);
    expect(events).toMatchObject([{ label: '"Please stop."', explanation: '"Please stop." is in the subtitles.' }]);
    expect(coverage).toMatchObject([{ status: 'looked_for', by: ['subtitles (file, en)'], reason: null }]);
    const silent = { ...observations(9, { signals: signals(9) }), subtitles: stated(null) };
    expect(answerPrompt('does anyone say watch out?', silent).answer).toMatch(/^Yes: "Watch out!"/);
    expect(answerPrompt('someone says stop', silent).coverage[0]!.by).toEqual(['subtitles (file)']);
  });

  it('in another language are reported', () => {
    const { coverage } = answerPrompt('someone says stop', { ...videoWith([]), subtitles: stated('de') });
    expect(coverage).toMatchObject([
      { status: 'partly', by: ['subtitles (file, de)'], reason: 'the subtitles are in another language (de)' },
    ]);
    const german = { ...stated('de'), texts: ['Zwei Stopps.', 'Stop!'] };
    expect(answerPrompt('someone says stop', { ...videoWith([]), subtitles: german }).events).toMatchObject([
      { label: '"Stop!"' },
    ]);
  });
});

it('voices are found without words, and short pauses belong to them', () => {
  const rows = toRows(answerPrompt('is anyone talking?', video)).map(([, start, end]) => [start, end]);
  expect(rows).toEqual([
    [2, 8],
    [12, 16],
    [20, 22],
  ]);
  expect(answerPrompt('is anyone talking?', video).coverage[0]).toMatchObject({
    by: ['speech (silero_vad)'],
    reason: null,
  });
});

describe('words', () => {
  it.each([
    ['stop', 'stops stopped stopping'],
    ['city', 'cities'],
    ['move', 'moves moved moving'],
    ['box', 'boxes'],
    ['bus', 'buses'],
    ['house', 'houses'],
    ['hope', 'hoping hopes hoped'],
    ['need', 'needs needed'],
    ['mention', 'mentions mentioned mentioning'],
    ['happy', 'happy'],
  ])('%s has one stem in all forms', (word, forms) => {
    for (const form of forms.split(' ')) expect(stemsOf(form)).toContain(word);
  });

  it.each([
    ['red', 'r'],
    ['sing', 's'],
    ['this', 'thi'],
    ['stop', 'step'],
    ['bring', 'br'],
    ['hop', 'hope'],
    ['cars', 'cares'],
    ['her', 'here'],
  ])('%s is not %s', (word, other) => {
    expect(stemsOf(word).filter((stem) => stemsOf(other).includes(stem))).toEqual([]);
  });

  it('are matched by irregular forms, and short words exactly', () => {
    const isSpoken = (sought: string, spoken: string) =>
      createWordMatcher([sought]).matchAt([spoken], 0)?.match ?? null;
    expect(isSpoken('drive', 'driven')).toBe('same');
    expect(isSpoken('child', 'children')).toBe('same');
    expect(isSpoken('stop', 'shop')).toBeNull();
    expect(isSpoken('forklift', 'forklifd')).toBe('similar');
    expect(isSpoken('where', 'there')).toBeNull();
    expect(toSpokenWords("It's 10 o’clock.")).toEqual(["it's", 'ten', "o'clock"]);
    expect(toSpokenWords('iPhone手机 3台')).toEqual(['iphone', '手', '机', 'three', '台']);
  });
});
