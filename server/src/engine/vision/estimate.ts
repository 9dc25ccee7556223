import { searchedRange } from '../find/index.ts';
import type { Plan } from '../plan/index.ts';
import { FRAME_SIDE, imageTokens, scaledSize } from './calls/index.ts';
import {
  isVerifiable,
  MOST_REMARKED,
  MOST_REVIEWS,
  needsWords,
  selectQuestions,
  visibleRemarks,
} from './plan/questions.ts';
import { cellOf, planSurvey, sheetSize } from './plan/survey.ts';
import { countTiles, FRAMES_PER_WINDOW, isShownWhole, MAX_WINDOWS } from './plan/windows.ts';
import { PLAIN_SIZE } from './reliability/plain-image.ts';
import type { VerifyMode } from './types.ts';

/** Expected calls and tokens of a model for one video, before anything is decoded or sent. */
export type VisionEstimate = { calls: number; inputTokens: number; outputTokens: number };

/** Text of a call around its images: instructions, labels and questions. */
const TEXT = { call: 220, image: 14 };
const OUTPUT = { survey: 60, claims: 220, choice: 10, words: 150 };
/** Claims that are expected for each question, and the calls and frames that each takes. */
const CLAIMS = 1;
const PER_CLAIM = { calls: 12, frames: 54 };

/** Events of the observers that are expected to be verified for each search, and the calls and frames of each. */
const REVIEWS: Record<VerifyMode, number> = { auto: 2, always: 6, never: 0 };
/** The same for searches with remarks that frames may show. */
const REMARKED: Record<VerifyMode, number> = { auto: 4, always: 8, never: 0 };
const PER_REVIEW = { calls: 6, frames: 22 };

/** Checks of the three sentences of an answer in words: fewer beside claims, whose test counts for them, too. */
const PER_ANSWER = { besideClaims: { calls: 7, frames: 24 }, alone: { calls: 22, frames: 45 } };

const NOTHING: VisionEstimate = { calls: 0, inputTokens: 0, outputTokens: 0 };

export type EstimateOptions = {
  tokensPerQuestion: number;
  verify: VerifyMode;
  /** Tokens of a frame as a share of those of an image; see `VisionSearch.frameShare`. */
  frameShare?: number;
};

/**
 * Plans the same windows and surveys as a search, and adds what its checks take for an expected number of claims and of
 * events to verify.
 */
export function estimateVision(
  plan: Plan,
  video: { durationS: number; width?: number; height?: number },
  { tokensPerQuestion, verify, frameShare = 1 }: EstimateOptions,
): VisionEstimate {
  const questions = selectQuestions(plan);
  const isInWords = needsWords(plan);
  const isLooking = questions.length > 0 || isInWords;
  const remarked = plan.searches.filter((search) => visibleRemarks(search).length > 0).length;
  const others = plan.searches.filter(isVerifiable).length - remarked;
  const reviews =
    Math.min(MOST_REVIEWS[verify], REVIEWS[verify] * others) +
    Math.min(MOST_REMARKED[verify], REMARKED[verify] * remarked);
  if (!isLooking && reviews === 0) return NOTHING;
  const { width = 1920, height = 1080 } = video;
  const range = searchedRange(plan.window, video);
  const isWhole = isShownWhole(range);
  const surveys = isWhole || questions.length === 0 ? [] : planSurvey(range);
  const cell = cellOf({ width, height });
  const surveyTokens = surveys
    .flat()
    .reduce((sum, sheet) => sum + imageTokens(sheetSize(sheet, cell)) + TEXT.image * sheet.times.length, 0);
  const frame = frameShare * imageTokens(scaledSize({ width, height }, FRAME_SIDE)) + TEXT.image;
  const windows = isLooking ? (isWhole ? countTiles(range) : MAX_WINDOWS) : 0;
  const claims = CLAIMS * questions.length;
  const checks = questions.length > 0 ? PER_ANSWER.besideClaims : PER_ANSWER.alone;
  const control = 4 * imageTokens(PLAIN_SIZE);
  const choices = claims * PER_CLAIM.calls + reviews * PER_REVIEW.calls;
  const calls = 1 + surveys.length + windows + choices + (isInWords ? 1 + checks.calls : 0);
  const frames =
    windows * FRAMES_PER_WINDOW +
    claims * PER_CLAIM.frames +
    reviews * PER_REVIEW.frames +
    (isInWords ? checks.frames : 0);
  const words = isInWords ? { input: 1500, output: OUTPUT.words } : { input: 0, output: 0 };
  const inputTokens = surveyTokens + frames * frame + control + calls * TEXT.call + words.input;
  return {
    calls,
    inputTokens: Math.min(tokensPerQuestion, Math.ceil(inputTokens)),
    outputTokens:
      surveys.length * OUTPUT.survey + (windows + 1) * OUTPUT.claims + choices * OUTPUT.choice + words.output,
  };
}
