import { createLimiter } from '../chat/index.ts';
import { CLAIMS, type ClaimsReply, cleanText, imageTokens, MOMENTS, readClaims, readMoments } from './calls/index.ts';
import { selectDetails } from './plan/details.ts';
import { COLUMNS, cellOf, planSurvey, type Sheet, sheetSize } from './plan/survey.ts';
import type { FrameWindow, TimeSpan } from './plan/windows.ts';
import { claimPrompt, frameLabel, sheetLabel, surveyPrompt } from './prompts.ts';
import {
  type Control,
  type ControlVerdict,
  joinVerdicts,
  judgeControl,
  planControl,
  withDecoy,
} from './reliability/controls.ts';
import { createKnownTest } from './reliability/known-test.ts';
import { drawPlainImage, PLAIN_SIZE } from './reliability/plain-image.ts';
import type { LookSession } from './session.ts';
import type { FrameSource, SeenFact, VideoFrame, VisionQuestion } from './types.ts';

const MAX_TOKENS = 1200;

/** Something that the model claims to see from one shown frame to another. */
export type SeenClaim = {
  question: VisionQuestion;
  label: string;
  /** Frames that were shown, from the first to the last in which it is seen. */
  frames: readonly VideoFrame[];
  /** The nearest shown frames in which it is not seen. */
  before: VideoFrame | null;
  after: VideoFrame | null;
};

/** Reply about one window. */
export type WindowReply = {
  window: FrameWindow;
  frames: VideoFrame[];
  facts: SeenFact[];
  claims: { question: VisionQuestion; label: string; from: number; to: number }[];
  isDecoyed: boolean;
  dropped: number;
};

type WindowRequest = { questions: readonly VisionQuestion[]; request: string | null; about: string };

/**
 * Shows one window and asks for facts and events; once more if the reply reports a scene that cannot be there.
 * `request`: the prompt, if it is answered in words; `about`: words for the objects to enlarge. Null if there is no
 * answer.
 */
export async function askWindow(
  session: LookSession,
  window: FrameWindow,
  request: WindowRequest,
): Promise<WindowReply | null> {
  const seed = `${session.seed} ${window.from}`;
  const first = await askWindowOnce(session, window, request, seed);
  if (!first?.isDecoyed) return first;
  const second = await askWindowOnce(session, window, request, `${seed} again`);
  return second?.isDecoyed === false ? second : first;
}

async function askWindowOnce(
  session: LookSession,
  window: FrameWindow,
  { questions, request, about }: WindowRequest,
  seed: string,
): Promise<WindowReply | null> {
  const { questions: mixed, decoy } = withDecoy(questions, seed);
  const reply = await session.askAbout(window.frames, {
    details: selectDetails(about, session.observations, window.frames),
    text: (images) => claimPrompt(mixed, images, request),
    schema: CLAIMS,
    read: (text, images) => readClaims(text, { questions: mixed.length, frames: images }),
    maxTokens: MAX_TOKENS,
  });
  if (reply === null) return null;
  const { frames, value } = reply;
  const claims = value.claims.flatMap(({ question, firstFrame, lastFrame, label }) => {
    const real = questions.find((each) => each === mixed[question - 1]);
    return real
      ? [{ question: real, label: label || cleanText(real.text, 120), from: firstFrame - 1, to: lastFrame - 1 }]
      : [];
  });
  return {
    window,
    frames,
    claims,
    dropped: value.dropped,
    facts: value.facts.map(({ frame, text }) => ({ ...frames[frame - 1]!, text })),
    isDecoyed: value.claims.some(({ question }) => question === decoy),
  };
}

/**
 * Shows plain images and judges the answer. A wrong one may be a rare error: two more decide then. Null if there is no
 * answer.
 */
export async function askControl(
  session: LookSession,
  questions: readonly VisionQuestion[],
  seed: string,
): Promise<ControlVerdict | null> {
  const first = await askControlOnce(session, questions, seed);
  if (first === null || (first.untrusted === null && first.doubted.size === 0)) return first;
  const further = await Promise.all(
    ['second', 'third'].map((which) => askControlOnce(session, questions, `${seed} ${which}`)),
  );
  return joinVerdicts([first, ...further.filter((verdict) => verdict !== null)]);
}

async function askControlOnce(session: LookSession, questions: readonly VisionQuestion[], seed: string) {
  const control: Control = planControl(questions, seed);
  const tokens = imageTokens(PLAIN_SIZE);
  const jpegs = await Promise.all(control.colors.map((color) => drawPlainImage(color)));
  const images = jpegs.map((jpeg, i) => ({ label: frameLabel({ timeS: i }, i), jpeg, tokens }));
  const reply = await session.ask<ClaimsReply>(images, {
    text: (count) => claimPrompt(control.questions, count, null),
    schema: CLAIMS,
    read: (text, count) => readClaims(text, { questions: control.questions.length, frames: count }),
    maxTokens: MAX_TOKENS,
  });
  return reply && judgeControl(control, reply);
}

/** A reason to believe no answer of the model, or null: it answers a control of plain images truly. */
export async function askPlainControl(session: LookSession, seed: string): Promise<string | null> {
  const verdict = await askControl(session, [], seed);
  return verdict === null ? 'it did not answer questions whose answers are known' : verdict.untrusted;
}

/** The same, if it also tells statements about the footage apart whose truth is known. */
export async function askTrust(session: LookSession, seed: string): Promise<string | null> {
  const [plain, footage] = await Promise.all([askPlainControl(session, seed), createKnownTest(session)()]);
  return plain ?? footage;
}

/** Times of a long range at which small frames may show one of the questions, and how often they were taken. */
export async function surveyRange(
  session: LookSession,
  source: Pick<FrameSource, 'sheet'>,
  range: TimeSpan,
  questions: readonly VisionQuestion[],
  onDone: () => void,
): Promise<number[]> {
  // Users wait for images from the same processes: the sheets of one call are drawn at a time.
  const drawing = createLimiter(1, Number.POSITIVE_INFINITY);
  const cell = cellOf(session.observations.video);
  const draw = ({ times }: Sheet) => source.sheet(times, COLUMNS, cell).catch(() => null);
  const found = await Promise.all(
    planSurvey(range).map(async (sheets) => {
      const drawn = await drawing(async () => (session.stoppedBy() === null ? Promise.all(sheets.map(draw)) : []));
      const times = await askSheets(session, sheets, drawn ?? [], questions);
      onDone();
      return times;
    }),
  );
  return found.flat();
}

async function askSheets(
  session: LookSession,
  sheets: readonly Sheet[],
  drawn: readonly (Buffer | null)[],
  questions: readonly VisionQuestion[],
): Promise<number[]> {
  const cell = cellOf(session.observations.video);
  const times = sheets.flatMap((sheet) => sheet.times);
  let first = 1;
  const images = sheets.flatMap((sheet, i) => {
    const label = sheetLabel(sheet.times, i, first);
    first += sheet.times.length;
    return drawn[i] ? [{ label, jpeg: drawn[i]!, tokens: imageTokens(sheetSize(sheet, cell)) }] : [];
  });
  if (images.length === 0) return [];
  const reply = await session.ask(images, {
    text: () => surveyPrompt(questions, times.length),
    schema: MOMENTS,
    read: (text) => readMoments(text, { questions: questions.length, cells: times.length }),
    maxTokens: MAX_TOKENS / 2,
  });
  const cells = new Set(reply?.map((moment) => moment.cell));
  return spreadOverRuns([...cells].toSorted((a, b) => a - b)).map((each) => times[each - 1]!);
}

/** The first, middle and last of each run of consecutive numbers: all of a run would take the windows of others. */
function spreadOverRuns(ascending: readonly number[]): number[] {
  const starts = ascending.flatMap((cell, i) => (cell - 1 === ascending[i - 1] ? [] : [i]));
  return starts.flatMap((start, i) => {
    const run = ascending.slice(start, starts[i + 1]);
    return [...new Set([run[0]!, run[run.length >> 1]!, run.at(-1)!])];
  });
}

/** Windows this close continue each other, in seconds. */
const ADJACENT_S = 0.01;

/** Joins claims about one question that continue from one window to the next, or overlap. */
export function joinClaims(replies: readonly WindowReply[]): SeenClaim[] {
  const ordered = replies.toSorted((a, b) => a.window.from - b.window.from);
  const shown = ordered.flatMap(({ frames }) => frames);
  const offsets = ordered.map((_, i) => ordered.slice(0, i).reduce((sum, { frames }) => sum + frames.length, 0));
  const continues = (i: number) => i > 0 && ordered[i]!.window.from - ordered[i - 1]!.window.to < ADJACENT_S;
  const isStart = new Set(offsets.filter((_, i) => !continues(i)));
  const all = ordered.flatMap(({ claims }, i) =>
    claims.map(({ question, label, from, to }) => ({
      question,
      label,
      from: offsets[i]! + from,
      to: offsets[i]! + to,
    })),
  );
  return [...Map.groupBy(all, ({ question }) => question)].flatMap(([question, own]) => {
    const joined: { label: string; from: number; to: number }[] = [];
    for (const claim of own.toSorted((a, b) => a.from - b.from)) {
      const last = joined.at(-1);
      const touches = last && claim.from <= last.to + 1 && !(claim.from === last.to + 1 && isStart.has(claim.from));
      if (touches) last.to = Math.max(last.to, claim.to);
      else joined.push({ ...claim });
    }
    return joined.map(({ label, from, to }) => ({
      question,
      label,
      frames: shown.slice(from, to + 1),
      before: isStart.has(from) ? null : (shown[from - 1] ?? null),
      after: isStart.has(to + 1) ? null : (shown[to + 1] ?? null),
    }));
  });
}
