import { LIMITS } from '../../thresholds.ts';
import type { Arm, Skeleton } from './skeleton.ts';

/** Rules for a single skeleton. Nothing depends on the person's size, place and side. */

/** Upright, with the knees well below the hips. */
export const isStanding = ({ tilt, kneeDrop }: Skeleton): boolean =>
  tilt < LIMITS.uprightTilt.limit && kneeDrop !== null && kneeDrop >= LIMITS.seatedKnee.limit;

/** The knees are hardly below the hips, or much less than the ankles below the knees, and the feet are far below. */
export function isSitting({ tilt, kneeDrop, thighTilt, ankleDrop, legDrop }: Skeleton): boolean {
  if (tilt > LIMITS.seatedTilt.limit || kneeDrop === null) return false;
  if (legDrop !== null && legDrop < LIMITS.seatedFeet.limit) return false;
  // Where the frame or a table hides the feet, the knees may be guesses: then only level thighs count.
  if (legDrop === null && (thighTilt === null || thighTilt < LIMITS.levelThigh.limit)) return false;
  if (kneeDrop < LIMITS.seatedKnee.limit) return true;
  const isShinSeen = ankleDrop !== null && ankleDrop >= LIMITS.seatedFeet.limit;
  return isShinSeen && kneeDrop < LIMITS.seatedThigh.limit * ankleDrop;
}

/** The torso is not level, and knees and feet are hardly below the hips, as also of people on the floor. */
export const isCrouching = ({ tilt, kneeDrop, legDrop }: Skeleton): boolean =>
  tilt < LIMITS.lyingTilt.limit &&
  kneeDrop !== null &&
  kneeDrop < LIMITS.seatedKnee.limit &&
  legDrop !== null &&
  legDrop < LIMITS.seatedFeet.limit;

/** The torso is about level or head down, and the hips are above the knees. */
export const isBending = ({ tilt, kneeDrop }: Skeleton): boolean =>
  tilt >= LIMITS.bentTilt.limit && kneeDrop !== null && kneeDrop >= LIMITS.seatedKnee.limit;

/** The torso is about level, and no leg is below it. */
export const isLying = ({ tilt, kneeDrop, legDrop }: Skeleton): boolean =>
  tilt >= LIMITS.lyingTilt.limit &&
  tilt <= 180 - LIMITS.lyingTilt.limit &&
  (kneeDrop !== null || legDrop !== null) &&
  (kneeDrop === null || kneeDrop < LIMITS.seatedKnee.limit) &&
  (legDrop === null || legDrop < LIMITS.seatedFeet.limit);

/** A hand above the shoulder of a person who is upright. */
export const isHandRaised = ({ tilt, arms }: Skeleton): boolean =>
  tilt < LIMITS.seatedTilt.limit && arms.some(isRaised);

export const isRaised = ({ aboveShoulder }: Arm): boolean =>
  aboveShoulder !== null && aboveShoulder >= LIMITS.raisedHand.limit;

/** A hand at the height of the head, close to it. */
export const isHandAtFace = ({ arms }: Skeleton): boolean => arms.some(isAtFace);

const isAtFace = ({ aboveShoulder, toNose, toEar }: Arm): boolean =>
  aboveShoulder !== null &&
  aboveShoulder >= LIMITS.faceHeight.limit &&
  ((toNose !== null && toNose <= LIMITS.faceDistance.limit) || (toEar !== null && toEar <= LIMITS.earDistance.limit));

/** One hand at an ear, with a bent arm: the other one is not at the face. */
export function isHandAtEar({ arms }: Skeleton): boolean {
  const atFace = arms.filter(isAtFace);
  const [arm] = atFace;
  if (!arm || atFace.length > 1 || arm.toEar === null || arm.toEar > LIMITS.earDistance.limit) return false;
  return arm.elbow !== null && arm.elbow <= LIMITS.bentElbow.limit;
}

/** One arm is straight and about level, and the other one is not. */
export const isPointing = ({ tilt, arms }: Skeleton): boolean =>
  tilt < LIMITS.uprightTilt.limit && arms.filter(isStretched).length === 1;

const isStretched = ({ aboveShoulder, elbow, reach }: Arm): boolean =>
  aboveShoulder !== null &&
  Math.abs(aboveShoulder) <= LIMITS.levelArm.limit &&
  elbow !== null &&
  elbow >= LIMITS.straightElbow.limit &&
  reach !== null &&
  reach >= LIMITS.stretchedArm.limit;

/** A hand in front of the body with a bent arm, as of those who run: people who walk let their arms hang. */
export const hasRunningArms = ({ tilt, arms }: Skeleton): boolean =>
  tilt < LIMITS.seatedTilt.limit &&
  arms.some(
    ({ aboveShoulder, elbow }) =>
      aboveShoulder !== null &&
      aboveShoulder >= LIMITS.runningHand.limit &&
      aboveShoulder < LIMITS.faceHeight.limit &&
      elbow !== null &&
      elbow <= LIMITS.runningElbow.limit,
  );
