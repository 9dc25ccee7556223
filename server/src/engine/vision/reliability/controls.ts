import type { ClaimsReply } from '../calls/index.ts';
import type { VisionQuestion } from '../types.ts';
import { PLAIN_COLORS, type PlainColor } from './plain-image.ts';
import { numberOf, randomNumbers, shuffle } from './random.ts';

type QuestionText = Pick<VisionQuestion, 'text' | 'context'>;

/** Questions about plain images whose right answers are known. */
export type Control = {
  colors: PlainColor[];
  questions: QuestionText[];
  /** Numbers of the question that is true and of its frame, from 1. */
  marker: { question: number; frame: number };
  /** The questions of the prompt, by number in the control. */
  ofPrompt: ReadonlyMap<number, QuestionText>;
};

/** Scenes that no footage shows. One is among the questions of each window. */
const DECOYS = [
  'a giraffe wearing a top hat plays the piano',
  'an astronaut rides an ostrich',
  'a submarine drives through a library',
  'a polar bear juggles burning torches',
  'a pineapple the size of a house rolls by',
  'two penguins play chess on a sofa',
];

/** Words for a scene that no footage shows. */
export const decoyOf = (seed: string): string => DECOYS[numberOf(seed, DECOYS.length)]!;

/** True of any footage. */
const TRUISMS = [
  'light and dark areas',
  'more than one color or shade',
  'something other than a blank picture',
  'a picture that a camera could have recorded',
];

/** Statements about footage whose truth is known from their words alone: true ones, and impossible ones. */
export function knownStatements(
  trueOnes: number,
  falseOnes: number,
  seed: string,
): { text: string; isTrue: boolean }[] {
  const random = randomNumbers(seed);
  const [truisms, decoys] = [shuffle(TRUISMS, random), shuffle(DECOYS, random)];
  return [
    ...Array.from({ length: trueOnes }, (_, i) => ({ text: truisms[i % truisms.length]!, isTrue: true })),
    ...Array.from({ length: falseOnes }, (_, i) => ({ text: decoys[i % decoys.length]!, isTrue: false })),
  ];
}

/** Adds a decoy to the questions of a window. Returns its number, from 1. */
export function withDecoy(
  questions: readonly QuestionText[],
  seed: string,
): { questions: QuestionText[]; decoy: number } {
  const at = numberOf(`${seed} place`, questions.length + 1);
  const decoy = { text: decoyOf(seed), context: null };
  return { questions: questions.toSpliced(at, 0, decoy), decoy: at + 1 };
}

export const markerText = (color: PlainColor) => `the whole picture is plain ${color}`;

/**
 * Plans a control: plain images of several colors in random order, about which the prompt's questions are put
 * together with one about a color. Only that one is true, of exactly one frame.
 */
export function planControl(questions: readonly QuestionText[], seed: string): Control {
  const colors = shuffle(Object.keys(PLAIN_COLORS) as PlainColor[], randomNumbers(seed));
  // Neither the first nor the last: models that always name one of these do not pass.
  const frame = numberOf(`${seed} frame`, colors.length - 2) + 2;
  const marker = { text: markerText(colors[frame - 1]!), context: null };
  const { questions: mixed } = withDecoy(questions, seed);
  const at = numberOf(`${seed} marker`, mixed.length + 1);
  const all = mixed.toSpliced(at, 0, marker);
  const ofPrompt = new Map(
    all.flatMap((each, i): [number, QuestionText][] => (questions.includes(each) ? [[i + 1, each]] : [])),
  );
  return { colors, questions: all, marker: { question: at + 1, frame }, ofPrompt };
}

/** Result of a control: a reason to believe none of its answers, or those to some questions. */
export type ControlVerdict = { untrusted: string | null; doubted: ReadonlySet<string> };

export function judgeControl(control: Control, { claims }: ClaimsReply): ControlVerdict {
  const { question, frame } = control.marker;
  const ofMarker = claims.filter((claim) => claim.question === question);
  const others = claims.filter((claim) => claim.question !== question);
  const isFound = ofMarker.some(({ firstFrame, lastFrame }) => firstFrame <= frame && lastFrame >= frame);
  const isExact = ofMarker.length === 1 && ofMarker[0]!.firstFrame === frame && ofMarker[0]!.lastFrame === frame;
  const isDecoyed = others.some((claim) => !control.ofPrompt.has(claim.question));
  const untrusted = isDecoyed
    ? 'it reports what plain images do not show'
    : ofMarker.length === 0
      ? 'it does not recognize a plain colored image'
      : !isFound
        ? 'it names the wrong image of several'
        : isExact
          ? null
          : 'it says yes about images that do not show it';
  const doubted = others.flatMap((claim) => control.ofPrompt.get(claim.question)?.text ?? []);
  return { untrusted, doubted: new Set(doubted) };
}

/** The verdict of most of several controls. */
export function joinVerdicts(verdicts: readonly ControlVerdict[]): ControlVerdict {
  const isMost = (count: number) => 2 * count > verdicts.length;
  const reasons = verdicts.flatMap(({ untrusted }) => untrusted ?? []);
  const doubted = verdicts.flatMap((verdict) => [...verdict.doubted]);
  const isDoubted = (text: string) => isMost(doubted.filter((each) => each === text).length);
  return { untrusted: isMost(reasons.length) ? reasons[0]! : null, doubted: new Set(doubted.filter(isDoubted)) };
}

/** Windows with a decoy that is claimed twice, above which a model is not believed: a share of them, or a number. */
const MAX_DECOYED = { share: 0.25, count: 2 };

/** A reason to believe none of the claims, if the model reported decoys in too many windows. */
export function judgeDecoys(decoyed: number, windows: number): string | null {
  return decoyed > MAX_DECOYED.count || decoyed > MAX_DECOYED.share * windows
    ? `it reported objects that cannot be there in ${decoyed} of ${windows} ranges`
    : null;
}
