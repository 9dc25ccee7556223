import { CHOICE, readChoice } from '../calls/index.ts';
import { handled } from '../handled.ts';
import { pickEvenly } from '../plan/windows.ts';
import { choicePrompt, type Option } from '../prompts.ts';
import type { LookSession } from '../session.ts';
import type { FrameDetail, VideoFrame } from '../types.ts';
import type { Vote } from './confidence.ts';
import { randomNumbers, shuffle } from './random.ts';

/** Frames that are shown with four statements about a text, of which the model chooses one. */
export type Look = {
  text: string;
  /** The whole prompt, if the text is a part of it. */
  context: string | null;
  frames: readonly VideoFrame[];
  details?: readonly FrameDetail[];
  /** Shows the frames in reversed order, under the labels of the right one. */
  isReversed?: boolean;
};

/** Frames of one look of several, and of a look that decides alone. */
export const LOOK_FRAMES = 4;
const SINGLE_LOOK_FRAMES = 6;
const MAX_TOKENS = 60;
const OPTIONS: readonly Option[] = ['requested', 'near', 'neither', 'unsure'];

type Turn = { look: number; options: Option[]; reference: string };

/**
 * The order in which looks are sent, and the order of the statements in each place of it. Neither depends on what a
 * look shows: a model that answers by the number of a call, or by the letter of a statement, answers all looks alike.
 */
export function scheduleLooks(count: number, seed: string): Turn[] {
  const random = randomNumbers(seed);
  const turn = Math.floor(random() * OPTIONS.length);
  return shuffle([...Array(count).keys()], random).map((look, i) => {
    const others = shuffle(OPTIONS.slice(1), random);
    const reference = Math.floor(random() * 2 ** 32).toString(16);
    return { look, options: others.toSpliced((i + turn) % OPTIONS.length, 0, OPTIONS[0]!), reference };
  });
}

/** Sends looks in random order. Returns their votes in the order of `looks`; null where there is no answer. */
export function sendLooks(session: LookSession, looks: readonly Look[], seed: string): Promise<Vote>[] {
  const schedule = scheduleLooks(looks.length, `${session.seed} ${seed}`);
  // Frames are drawn before: a call whose frames are known already would overtake others.
  const drawn = session.draw(looks.flatMap(({ frames }) => frames));
  const replies = drawn.then(() => schedule.map((each) => askChoice(session, looks[each.look]!, each)));
  return looks.map((_, i) => {
    const vote = replies.then((sent) => sent[schedule.findIndex(({ look }) => look === i)]!).then(toVote);
    return handled(vote);
  });
}

/** True if the model chooses in a single look that the frames show the text. */
export async function isConfirmed(session: LookSession, look: Look): Promise<boolean> {
  const frames = pickEvenly(look.frames, Math.min(SINGLE_LOOK_FRAMES, session.maxImages));
  const [vote] = sendLooks(session, [{ ...look, frames }], `${look.text} ${frames[0]?.pts} alone`);
  return (await vote) === true;
}

const toVote = (choice: Option | null): Vote =>
  choice === null || choice === 'unsure' ? null : choice === 'requested';

async function askChoice(
  session: LookSession,
  look: Look,
  { options: order, reference }: Turn,
): Promise<Option | null> {
  const { text, context, frames, details = [], isReversed = false } = look;
  const enlarged = session.canEnlarge ? (details[0]?.className ?? null) : null;
  const reply = await session.askAbout(frames, {
    text: (shown) => choicePrompt(text, context, { order, reference, frames: shown, enlarged }),
    schema: CHOICE,
    read: readChoice,
    maxTokens: MAX_TOKENS,
    details,
    isReversed,
  });
  return reply === null ? null : order['ABCD'.indexOf(reply.value)]!;
}
