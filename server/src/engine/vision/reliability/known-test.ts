import { framesAt } from '../plan/frame-times.ts';
import type { LookSession } from '../session.ts';
import type { VideoFrame } from '../types.ts';
import { knownStatements } from './controls.ts';
import { sendLooks } from './looks.ts';
import { createStatementTest, type StatementTest } from './statement-test.ts';

/** A reason to believe no answer about the footage, or null. It is found on the first call. */
export type KnownTest = () => Promise<string | null>;

/** True statements are the expected place of a test, impossible ones its contrast. */
export const createKnownStatementTest = (): StatementTest => createStatementTest({ expected: 1, contrasts: 1 });

export const BY_CHANCE = 'its answers about the footage do not depend on the question more than chance explains';
const NO_ANSWER = 'it did not answer statements about the footage whose truth is known';

/**
 * Asks about statements that are true of any footage, and about scenes that no footage shows, in random order: a model
 * whose answers do not depend on what it is shown and asked cannot tell them apart.
 */
export function createKnownTest(session: LookSession): KnownTest {
  let reason: Promise<string | null> | null = null;
  return () => (reason ??= testAll());

  async function testAll(): Promise<string | null> {
    const { durationS } = session.observations.video;
    const times = Array.from({ length: FRAMES }, (_, i) => ((i + 0.5) * durationS) / FRAMES);
    const frames = framesAt(session.observations, times, durationS / FRAMES);
    const test = createKnownStatementTest();
    for (let round = 0; await askKnownRound(session, test, frames, round); round++);
    const stopped = session.stoppedBy();
    return stopped !== null && test.result() !== 'proven' ? `it was stopped: ${stopped}` : reasonOf(test);
  }
}

/** Places of the video that known statements are shown with, a frame for each look. */
const FRAMES = 9;

export function reasonOf(test: StatementTest): string | null {
  if (test.result() === 'proven') return null;
  const isAnswered = [0, 1].some((place) => test.votesOf(place).some((vote) => vote !== null));
  return isAnswered ? BY_CHANCE : NO_ANSWER;
}

/** Asks the next round of a test about known statements. False if it is over. */
export async function askKnownRound(
  session: LookSession,
  test: StatementTest,
  frames: readonly VideoFrame[],
  round: number,
): Promise<boolean> {
  const places = test.next();
  if (places.length === 0 || frames.length === 0 || session.stoppedBy() !== null) return false;
  const count = (wanted: number) => places.filter((place) => place === wanted).length;
  const statements = knownStatements(count(0), count(1), `${session.seed} known ${round}`);
  const looks = statements.map(({ text }, i) => ({ text, context: null, frames: [frames[i % frames.length]!] }));
  const votes = await Promise.all(sendLooks(session, looks, `known ${round}`));
  // Without any answer it is not tested: the endpoint may answer later.
  if (votes.every((vote) => vote === null)) return false;
  test.add(votes.map((vote, i) => ({ place: statements[i]!.isTrue ? 0 : 1, vote })));
  return true;
}
