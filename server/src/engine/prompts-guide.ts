import { SEVERITY_RULES } from './describe/index.ts';
import { LIMITS, SOUND_RULES, STATES } from './find/index.ts';
import { MIN_LIGHT_HEIGHT, MIN_LIGHT_WIDTH } from './observe/objects/index.ts';
import { createEnglish } from './plan/english/index.ts';
import { type Entry, type Group, RECOGNIZED_SOUNDS } from './plan/index.ts';
import { CLOSED_CLASSES } from './plan/language/english/closed-classes.ts';
import { FOREIGN_LANGUAGES } from './plan/translate/index.ts';
import { PROMPT_EXAMPLES } from './prompts-guide.examples.ts';
import { CALENDAR_TIMES, COMPARISONS_OF_VALUES, GROUPS, TIMES_OF_EVENTS, VALUES } from './prompts-guide.values.ts';

const RELIABLE = RECOGNIZED_SOUNDS.filter((name) => SOUND_RULES[name].isReliable)
  .map((name) => name.replaceAll('_', ' '))
  .join(', ');

/** Prompts about speech are whole sentences, not words of the tables. */
const SPEECH =
  'What is spoken is taken from the [subtitles](captions.md#speech) of a video; where it has none, it is transcribed by a [model](models.md#whisper) for prompts about it, in English or in the spoken language. `someone says …`, `the word … is spoken` and `someone shouts …` find words in any inflected form; `they talk about …`, `… is mentioned` and `someone discusses …` find the sentences that have all words of a subject; `what do they say` and `transcribe the video` find everything. Inflected forms are those of English: words of other languages (`someone says "Hilfe"`) are found as they are written. The same is read in German, Spanish, French and Chinese (`jemand sagt "Hilfe"`): the words are looked for as they are written. Quotation marks tell which words are spoken where that is not certain. Words that are only similar to the spoken ones are candidates. Speakers, listeners and tones are not recognized: prompts about them are refused.';

/** Names of channels are those of each recording, not words of the tables. */
const CHANNELS =
  'Other numbers that a robot log, a telemetry file or a dataset has are *channels*. Prompts name them: "battery", "joint 3", "motor temperature", "left wheel speed". They may be compared with a number ("below 20 %"), rise, fall, change or stay the same, and questions request their highest, lowest or average value, that at a moment, and their change. The words are looked up in the names of the channels of each recording, which may abbreviate them (`batt`, `alt`, `temp`, `pos`); `GET /api/videos/{video_id}/telemetry` lists them. A value that was measured goes before one that was commanded. Where several channels have the name, each is searched and named, and a question for a value asks which. Where none has it, the coverage says that it was not looked for, with the names that are nearest. A unit that the recording does not state is assumed, with a caveat. A rise or fall is one of at least a tenth of the range of the channel in the video. Any noun may be compared with a number and a unit, unless it is an object that the camera can show; without a unit, and for changes and values, it has to be a noun for what is measured.';

const SECTIONS: readonly { group: keyof typeof PROMPT_EXAMPLES; title: string; text: string }[] = [
  {
    group: 'things',
    title: 'Objects',
    text: 'The 80 COCO classes of the object detector with their synonyms, and groups of classes. Plurals are understood. A word marked with * matches any object of its class, and the coverage reports it.',
  },
  {
    group: 'colors',
    title: 'Colors',
    text: 'Measured on all pixels of the object box, including glass, tires and road; of people, on the upper body and on the legs ("a red shirt", "blue trousers").',
  },
  {
    group: 'counts',
    title: 'Counts',
    text: 'Number of objects at the same time. Numbers may be digits or words. `no` and `nobody` find the intervals without any.',
  },
  {
    group: 'actions',
    title: 'Actions',
    text: 'Actions of objects, derived from their paths in the frame after removing camera motion. All tenses are understood. General verbs such as "walk" accept a direction: left, right, up, down, towards the camera, away.',
  },
  {
    group: 'places',
    title: 'Places in the frame',
    text: 'Thirds, halves and corners of the frame, and [zones and lines](zones.md) that you draw, by their names: `zone door`, `line A`. Other places in the world (road, door, shelf) are not recognized; the rest of the prompt is looked for with less confidence, and the coverage reports it.',
  },
  {
    group: 'relations',
    title: 'Relations',
    text: 'Spatial relations of two objects in the frame. Depth is estimated from where they touch the ground.',
  },
  {
    group: 'sequences',
    title: 'Sequences and time',
    text: '"Then" allows up to 30 seconds unless the prompt states a limit ("within") or a distance ("at least a minute after"; "10 seconds later" allows 20 % more or less). A question with "after" or "before" is about all that happens after or before, at any time. A verb without a subject refers to the previous object, and so do pronouns, also in the next sentence: "a red car comes in. When does it leave?"',
  },
  { group: 'signals', title: 'The whole frame', text: 'These need no object detector.' },
  {
    group: 'camera',
    title: 'The camera, or the vehicle that carries it',
    text: 'Derived from the motion of the whole frame.',
  },
  {
    group: 'sound',
    title: 'Audio',
    text: `Silence, sound, loud sounds and bangs are detected by level. All others are recognized by a [model](models.md#yamnet), and looked for on their own: who or what makes a sound is not known. These are found reliably: ${RELIABLE}. What is found of the others are candidates: they are confused too often, or there were too few recordings to measure them. Without the model, they are looked for as any sound or bang.\n\n${SPEECH}`,
  },
  {
    group: 'text',
    title: 'Text in the frame',
    text: 'Signs, displays, captions and large license plates are read by a [model](models.md#pp-ocrv4), in changed frames and at most once a second. A text is looked for on its own: what it is written on ("sign") is not checked, and where it is or what else happens to it cannot be asked. Write it in capitals, digits or quotation marks; other words are understood after "says" and "reads" to the end of the sentence. Capitals and spaces do not count. Long words may be misread by one or two letters, short words and numbers have to be equal. Text whose capitals are under 20 pixels high is not read reliably. A clock that is burned into the frames and advances with the video answers "when was this recorded?" if the file does not state it and text was read.',
  },
  {
    group: 'lights',
    title: 'Traffic lights',
    text: `The lit lamp of the traffic lights that the detector finds, by its color and its place in the box, smoothed over time. Lights that are smaller than ${MIN_LIGHT_WIDTH} × ${MIN_LIGHT_HEIGHT} pixels in the detector's frame, whose longer side is 416 pixels, are not read, and the coverage says how many. The detector finds about 3 in 10 traffic lights. Which lane a light applies to is not recognized: a wait at a red light is a standstill of the recording vehicle while any light is red, and where no lamp is recognized at all, "the red light" is any standstill, with a caveat. A red light that leaves the frame while the recording vehicle moves is never more than a candidate for running it; other vehicles are not judged. Without "traffic", a light is one of these only beside a color and at the end of its clause. The footage that this was measured on has two lit lights, which are green, and no change; changes were measured on videos of a real light whose lamps were painted (\`npm run bench -- lights\`).`,
  },
  {
    group: 'quantities',
    title: 'Measured quantities',
    text: `From telemetry, if the recording has it; units are converted to SI. Without telemetry, the coverage says that they were not looked for.

${CHANNELS}`,
  },
  {
    group: 'questions',
    title: 'Questions',
    text: 'Questions get a written answer besides the events. Questions for the length, resolution, frame rate or speed of the recording are answered from the file and its telemetry, without events. An open prompt finds everything notable: objects that appear and disappear, cuts, changes of light, image failures, large camera motions, bangs.',
  },
];

/** Renders the guide to the vocabulary, docs/prompts.md, from the lexicon and the thresholds. */
export function renderPromptsGuide(): string {
  const { entries } = createEnglish();
  return `${[
    '# Prompts',
    '<!-- Generated by `npm run generate` from server/src/engine: do not edit. -->',
    'Rules over the vocabulary below turn a prompt into a *plan*: a precise description of what to find. Every analysis contains its plan, and you can send a plan instead of a prompt. Commas, "and", "or" and full stops separate parts, which are answered independently. Words match in any form. A misspelled word is read as the nearest known word, and the summary reports it.',
    'Words that are not understood are never guessed. A word that only narrows the prompt (a place, a manner) lowers the confidence. If the rest would answer a different question without the word ("a person *with a gun*"), that part is not answered. If only something similar can be looked for ("a person *runs*" as any motion), what is found is a *candidate* with a confidence below 0.5; documents list candidates apart from events. The coverage of each analysis lists what was looked for and how, and what was not looked for and why.',
    ...SECTIONS.map((section) => renderSection(section, entries)),
    renderValues(),
    renderLanguages(),
    renderBeyond(entries),
    renderGrades(),
    renderThresholds(),
  ].join('\n\n')}\n`;
}

function renderValues(): string {
  const tableOf = (title: string, rows: Record<string, { states: string; examples: readonly string[] }>) =>
    [
      `| ${title} | For example |`,
      '|---|---|',
      ...Object.values(rows).map(
        ({ states, examples }) => `| ${states} | ${examples.map((each) => `\`${each}\``).join(', ')} |`,
      ),
    ].join('\n');
  return [
    '## Values and comparisons',
    'A question may request a value that is calculated from what is found, or compare two of them. The answer states the values and what each was calculated from. Two values that differ by less than what may have been missed are "not certain": of two counts, by the share of such objects that the detector finds. Objects that cannot be distinguished (a man and a woman) are not compared. Each value may be about a part of the video of its own: "in the second half", "in the last third", "at the end" (10 s, of a short video its last quarter), "at second 20".',
    tableOf('Value', VALUES),
    tableOf('Comparison', COMPARISONS_OF_VALUES),
    'Values may be stated by group. Rates ("per minute", "in 5 minute bins") count in every period.',
    tableOf('Group', GROUPS),
    'Times relative to events can be shown by themselves, or limit another search, as a shot does ("what is in the second shot").',
    tableOf('Time', TIMES_OF_EVENTS),
    'Days and times of day are those of the [recording clock](time.md) of each video, at the start or at the end of a sentence; "yesterday" counts from the moment of asking. A time such as 8:15 is in the ninth minute of a video that is as long, or else in the ninth hour of the day; the answer states the other one if both are in the video.',
    tableOf('Calendar', CALENDAR_TIMES),
  ].join('\n\n');
}

function renderLanguages(): string {
  const rows = FOREIGN_LANGUAGES.map(({ name, roles }) => {
    const words = (forms: Record<string, string> = {}, count: number) =>
      Object.values(forms)
        .slice(0, count)
        .map((each) =>
          each
            .split(/[,|]/)
            .find((form) => form.trim() !== '')!
            .trim(),
        )
        .join(', ');
    return `| ${name} | ${words(roles.noun, 12)}, … | ${words(roles.color, 5)}, … | ${words(roles.action, 6)}, … |`;
  });
  return [
    '## Other languages',
    `Common words of ${FOREIGN_LANGUAGES.map(({ name }) => name).join(', ')} are read without a model: all classes of the detector, colors, counts, plain actions, sides and directions, sequences and simple questions; in German also the picture, the camera, sounds, the recording vehicle, texts, and parts of the video. Such a prompt is rewritten in English word by word; the plan contains what was read (\`rewritten\`), and so does \`interpretation\`. A sentence with any other word is not answered. A prompt in another language is refused with the name of that language, unless a language model is configured (\`SIGHTLINE_LANGUAGE_URL\`).`,
    ['| Language | Objects | Colors | Actions |', '|---|---|---|---|', ...rows].join('\n'),
    ...LANGUAGE_MODEL,
  ].join('\n\n');
}

/** Reading of prompts that a language model rewrites. */
const LANGUAGE_MODEL = [
  '## Other words, with a language model',
  'With a language model (`SIGHTLINE_LANGUAGE_URL`), a prompt that is not understood is sent to it, and nothing of any video. The model suggests a sentence of the words above; what is searched is decided by code:',
  [
    '- English: words that are not known are replaced by known ones that a dictionary relates to them ("whippet" by "dog"), and the result has to mean what the model suggests. So "a zeppelin" is never searched as "a person", and no word of the prompt is lost. Where the known word includes more, what is found is a candidate, with the reason: any dog may be meant.',
    '- Other languages: nothing here knows their words. Numbers, quoted words, negation and the amount of text have to agree; every event then has the caveat that a language model read the prompt, and a lower confidence.',
    '- A suggestion that is refused is not searched, and shown in `interpretation`: send it as a prompt of its own if it is what you mean.',
    '- Each node checks the model at its start and regularly, with twelve sentences whose readings are known, some of which have none. A model that reads more than a quarter of them wrongly is not used; `coverage` and `GET /api/system` say so.',
  ].join('\n'),
];

function renderSection({ group, title, text }: (typeof SECTIONS)[number], entries: readonly Entry[]): string {
  const rows = PHRASES[group] ?? rowsOf(group, entries);
  const table = [
    '| Meaning | Words |',
    '|---|---|',
    ...rows.map(([what, words]) => `| ${cell(what)} | ${cell(words)} |`),
  ];
  const examples = `For example: ${PROMPT_EXAMPLES[group].map((e) => `\`${e}\``).join(', ')}.`;
  return [`## ${title}`, text, examples, table.join('\n')].join('\n\n');
}

/** Texts are read by patterns of whole phrases. */
const TEXT_ROWS: [string, string][] = [
  ['the text', 'a sign that says …, a display that shows …, the word …, the number …, license plate …, "…" appears'],
  ['any text', 'text, any text, writing, what does the sign say, read the sign'],
];

/** Traffic lights, too. */
const LIGHT_ROWS: [string, string][] = [
  ['a lamp is lit', 'red light, green traffic light, yellow traffic signal, the light is red, the light stays green'],
  ['it changes', 'the light turns green, traffic light goes red, changes to amber, the traffic light changes'],
  [
    'the recording vehicle waits',
    'we wait at a red light, stopped at the red light, how long did we wait at the red light',
  ],
  ['the recording vehicle may pass it', 'we run a red light, the car drives through a red light, running a red light'],
];
const PHRASES: Partial<Record<Group, [string, string][]>> = { text: TEXT_ROWS, lights: LIGHT_ROWS };

/** One row for each meaning, with all its words. */
function rowsOf(group: Group, entries: readonly Entry[]): [string, string][] {
  const rows = new Map<string, string[]>();
  for (const entry of entries.filter((e) => e.group === group)) {
    const what = meaningOf(entry);
    const caveat = entry.senses.some((s) => 'caveat' in s && s.caveat !== undefined);
    const words = entry.phrases.split(',').map((w) => w.trim() + (caveat ? '\\*' : ''));
    rows.set(what, [...(rows.get(what) ?? []), ...words]);
  }
  return [
    ...[...rows].map(([what, words]): [string, string] => [what, shorten([...new Set(words)])]),
    ...rowsOfConnected(group),
  ];
}

const MAX_WORDS = 60;
/** Truncates long lists, which are generated by rules ("picture is dark", "image is dark" …). */
const shorten = (words: readonly string[]) =>
  words.length <= MAX_WORDS ? words.join(', ') : `${words.slice(0, MAX_WORDS).join(', ')}, … (${words.length} in all)`;

function meaningOf(entry: Entry): string {
  const [sense] = entry.senses;
  switch (sense?.type) {
    case 'noun':
      return `${sense.negated ? 'no ' : ''}${sense.min ? `${sense.min} or more: ` : ''}${sense.classes.join(', ') || 'any object'}${sense.afoot ? ' on foot' : ''}`;
    case 'color':
      return sense.names.join(' or ');
    case 'number':
      return 'numbers';
    case 'count':
      return sense.max === null ? `${sense.min} or more` : `exactly ${sense.min}`;
    case 'compare':
      return COMPARISONS[sense.compare];
    case 'action':
      return sense.relation
        ? `${sense.action} (${sense.relation})`
        : [sense.negated && 'not', sense.action, sense.direction, sense.or && `or ${sense.or}`]
            .filter(Boolean)
            .join(' ')
            .replaceAll('_', ' ');
    case 'state':
      return sense.state;
    case 'side':
      return sense.side;
    case 'part':
      return PARTS[sense.part];
    case 'line':
      return sense.line === null ? 'a line in the plan' : `the ${sense.line} line that halves the frame`;
    case 'per':
      return 'counted per interval';
    case 'direction':
      return sense.direction;
    case 'relation':
      return sense.relation.replaceAll('_', ' ');
    case 'reciprocal':
      return 'another of the same';
    case 'window':
      if (sense.from) return `counted from the ${sense.window === 'first' ? 'start' : 'end'} of the video`;
      return sense.seconds === undefined
        ? `the ${sense.window} … of the video`
        : `the ${sense.window} ${sense.seconds} s of the video`;
    case 'pick':
      return `the ${sense.pick} of all that is found`;
    case 'signal':
      return sense.signal.replaceAll('_', ' ');
    case 'motion':
      return 'motion';
    case 'empty':
      return sense.negated ? 'anything there' : 'nothing there';
    case 'camera':
      return 'the camera';
    case 'camera_move':
      return [sense.move, sense.direction].filter(Boolean).join(' ');
    case 'sound':
      return sense.sound.replaceAll('_', ' ');
    case 'quantity':
      return sense.quantity.replaceAll('_', ' ');
    case 'unit':
      return sense.dimension === 'beyond'
        ? 'understood, not measured'
        : `unit of ${sense.dimension.replaceAll('_', ' ')}`;
    case 'question':
      return sense.question.replaceAll('_', ' ');
    default:
      return sense?.type ?? '';
  }
}

const PARTS = {
  half: 'half of the frame',
  area: 'a third of the frame, or a corner',
  edge: 'an edge of the frame',
};

const COMPARISONS = {
  min: 'at least',
  max: 'at most',
  above: 'more than',
  below: 'less than',
  exact: 'exactly',
};

/** Words that connect others, by the group that they are listed under. */
const CONNECTED: Partial<Record<Group, Readonly<Record<string, readonly string[]>>>> = {
  counts: { 'or more': ['OrMore'], 'or less': ['OrLess'] },
  relations: { not: ['No', 'Not', 'Without', 'FreeOf'], except: ['Except'] },
  sequences: {
    // biome-ignore lint/suspicious/noThenProperty: the word of a sequence
    then: ['Then'],
    after: ['After'],
    before: ['Before'],
    while: ['While', 'AtOnce'],
    until: ['Until'],
    within: ['Within'],
  },
};

function rowsOfConnected(group: Group): [string, string][] {
  const rows = CONNECTED[group] ?? {};
  return Object.entries(rows).map(([what, categories]) => {
    const words = CLOSED_CLASSES.filter(({ category }) => categories.includes(category)).flatMap(({ phrases }) =>
      phrases.split(', '),
    );
    // "A before B" is a sequence as well; the word belongs to its own row.
    return [what, shorten([...new Set(words)].filter((word) => word === what || !(word in rows)))];
  });
}

function renderBeyond(entries: readonly Entry[]): string {
  const rows = new Map<string, string[]>();
  for (const entry of entries.filter((e) => !e.isUnlisted)) {
    const sense = entry.senses.find((s) => s.type === 'beyond');
    if (sense?.type === 'beyond') rows.set(sense.reason, [...(rows.get(sense.reason) ?? []), entry.phrases]);
  }
  return [
    '## Recognized but not supported',
    'These words are known, but no observer can detect them. If a vision-language model is configured, it is used instead.',
    [
      '| Reason | Words |',
      '|---|---|',
      ...[...rows].map(([why, words]) => `| ${cell(why)} | ${cell(words.join(', '))} |`),
    ].join('\n'),
  ].join('\n\n');
}

function renderGrades(): string {
  return [
    '## Confidence and severity',
    '*Confidence* estimates the probability that an event is right: about eight in ten events at 0.8 are. It grows with the detector scores and the number of detections, or with the margin above a threshold. Several conditions multiply, and words that could not be checked lower it. It never exceeds 0.97. `npm run bench -- accuracy` calibrates it on labeled clips.',
    '*Severity* follows rules: the first that applies counts, and for a sequence the most severe step. Negated conditions are `low`.',
    [
      '| Severity | Condition |',
      '|---|---|',
      ...SEVERITY_RULES.map(({ severity, when }) => `| ${severity} | ${cell(when)} |`),
      '| low | everything else |',
    ].join('\n'),
  ].join('\n\n');
}

function renderThresholds(): string {
  const rows = [
    ...Object.entries(STATES).map(([name, t]) => [name, `starts at ${t.enter}, ends at ${t.leave}`, t.unit, t.why]),
    ...Object.entries(LIMITS).map(([name, t]) => [name, String(t.limit), t.unit, t.why]),
  ];
  return [
    '## Thresholds',
    'The thresholds that define each state. A state starts at one value and ends at another, so that values near the threshold do not flicker.',
    [
      '| Name | Value | Unit | Reason |',
      '|---|---|---|---|',
      ...rows.map((row) => `| ${row.map((v) => cell(v ?? '')).join(' | ')} |`),
    ].join('\n'),
  ].join('\n\n');
}

const cell = (text: string) => text.replaceAll('|', '\\|');
