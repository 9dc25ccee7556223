import type { LookSession } from '../session.ts';
import type { FrameDetail, VideoFrame, VisionQuestion } from '../types.ts';
import type { Vote } from './confidence.ts';
import { decoyOf } from './controls.ts';
import type { PlaceVote } from './evidence.ts';
import { isConfirmed, type Look, sendLooks } from './looks.ts';
import { createStatementTest, type StatementTest, SUFFICIENT, statusOf } from './statement-test.ts';
import { type FrameVerdict, framesOfLooks } from './verification.ts';

/** A place in which something was reported: its frames, and frames between them that were not shown before. */
export type ReportedPlace = {
  frames: readonly VideoFrame[];
  others?: readonly VideoFrame[];
  details?: readonly FrameDetail[];
};

export type StatementRequest = {
  question: VisionQuestion;
  places: readonly ReportedPlace[];
  /** Frames of places in which it was not reported. */
  contrasts: readonly (readonly VideoFrame[])[];
  /** See `TestDesign`. */
  canDeny?: boolean;
  /** Called once for a place when two looks have confirmed it, before the test ends. */
  onConfirmed?: (place: number) => void;
};

export type TestedPlace = { verdict: FrameVerdict; isDecoyed: boolean };

export type TestedStatement = {
  places: TestedPlace[];
  /** Votes about the contrasts. */
  contrasts: Vote[][];
  result: ReturnType<StatementTest['result']>;
  /** True if contrasts alone make the evidence sufficient. */
  isContrasted: boolean;
};

/**
 * Tests a statement in places where it was reported against places where it was not: the same question is repeated in
 * rounds whose calls are sent in random order, with the options under random letters. The first round also shows each
 * reported place with a scene that cannot be there, and, where the order matters, its frames reversed.
 */
export async function testStatement(
  session: LookSession,
  { question, places, contrasts, canDeny = false, onConfirmed }: StatementRequest,
): Promise<TestedStatement> {
  const { text, context, isOrdered } = question;
  const test = createStatementTest({ expected: places.length, contrasts: contrasts.length, canDeny });
  const frames = places.map((place) => framesOfLooks(session, place.frames, place.others));
  const seed = `${text} ${frames[0]?.shown[0]?.pts}`;
  const lookAt = (place: number, i: number): Look => {
    if (place >= places.length) return { text, context, frames: contrasts[place - places.length]! };
    const { details = [] } = places[place]!;
    return { text, context, frames: frames[place]!.of(i), details };
  };
  const decoyAt = (place: number, which: string): Look => {
    const shown = frames[place]!.of(0);
    return { text: decoyOf(`${session.seed} ${seed} ${shown[0]?.pts} ${which}`), context: null, frames: shown };
  };
  const hasOrder = (place: number) => isOrdered && frames[place]!.of(0).length > 1;
  const each = [...places.keys()];
  const ordered = each.filter(hasOrder);
  const beside = [
    ...each.map((place) => decoyAt(place, 'first')),
    ...ordered.map((place): Look => ({ ...lookAt(place, 0), isReversed: true })),
  ];
  let ofBeside: Promise<Vote>[] = [];
  for (let next = test.next(), round = 0; next.length > 0; next = test.next(), round++) {
    const looked = each.map((place) => test.votesOf(place).length);
    const looks = next.map((place) => lookAt(place, place < places.length ? looked[place]!++ : 0));
    const sent = sendLooks(session, [...looks, ...(round === 0 ? beside : [])], `${seed} round ${round}`);
    if (round === 0) ofBeside = sent.slice(looks.length);
    test.add(await collectVotes(next, sent, (place) => place < places.length && onConfirmed?.(place)));
    if (session.stoppedBy() !== null) break;
  }
  const areDecoyed = await Promise.all(
    each.map(async (place) => {
      // One yes may be a rare error.
      return (await ofBeside[place]) === true && (await isConfirmed(session, decoyAt(place, 'second')));
    }),
  );
  const reversed = await Promise.all(ofBeside.slice(places.length));
  return {
    places: places.map((_, place) => {
      const own = test.votesOf(place);
      const isDecoyed = areDecoyed[place] === true;
      const status = isDecoyed && statusOf(own) === 'verified' ? 'unverified' : statusOf(own);
      const isOrderSeen = reversed[ordered.indexOf(place)] !== true;
      return { verdict: { status, votes: own, frames: frames[place]!.shown, isOrderSeen }, isDecoyed };
    }),
    contrasts: contrasts.map((_, i) => test.votesOf(places.length + i)),
    result: test.result(),
    isContrasted: contrasts.length > 0 && test.evidence().contrast >= SUFFICIENT,
  };
}

/** Waits for the votes of a round. Calls `onConfirmed` once for a place, with its second yes. */
async function collectVotes(
  next: readonly number[],
  sent: readonly Promise<Vote>[],
  onConfirmed: (place: number) => void,
): Promise<PlaceVote[]> {
  const confirmations = new Map<number, number>();
  return Promise.all(
    next.map(async (place, i) => {
      const vote = await sent[i]!;
      if (vote === true) confirmations.set(place, (confirmations.get(place) ?? 0) + 1);
      if (vote === true && confirmations.get(place) === CONFIRMING) onConfirmed(place);
      return { place, vote };
    }),
  );
}

/** Looks of a round that confirm a place well enough to narrow its edges. */
const CONFIRMING = 2;
