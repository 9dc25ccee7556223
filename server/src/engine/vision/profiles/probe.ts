import { createChat } from '../../chat/index.ts';
import {
  type CallContext,
  CHOICE,
  CLAIMS,
  createModelClient,
  createTokenBudget,
  FRAME_SIDE,
  imageTokens,
  type LabeledImage,
  type ModelClient,
  PER_FRAME,
  readChoice,
  readClaims,
  readPerFrame,
} from '../calls/index.ts';
import { claimPrompt, edgePrompt, frameLabel } from '../prompts.ts';
import { checkClips } from '../reliability/clip-check.ts';
import { judgeControl, markerText, planControl } from '../reliability/controls.ts';
import { drawPlainImage, PLAIN_COLORS, PLAIN_SIZE, type PlainColor } from '../reliability/plain-image.ts';
import type { FrameSource, VisionProfile } from '../types.ts';

/** A check of an endpoint, with what was measured. `isRequired`: without it no answer of the model can be used. */
export type ProbeCheck = { name: string; isPassed: boolean; isRequired: boolean; detail: string };
export type ProbeReport = { model: string; isUsable: boolean; checks: ProbeCheck[] };

/** `encodeClip` makes an MP4 of images; without it clips are not tried. */
export type ProbeOptions = { signal?: AbortSignal; timeoutMs?: number; encodeClip?: FrameSource['clip'] };

const TIMEOUT_MS = 180_000;
const WIDE = { width: FRAME_SIDE, height: Math.round((FRAME_SIDE * 9) / 16) };
const COLORS = Object.keys(PLAIN_COLORS) as PlainColor[];
/** Tokens of an answer of one letter from which on a model is taken to think. */
const THINKING = 60;
const CODES = ['4127', '9380', '6615', '2954'];

/**
 * Tries what Sightline needs of an endpoint: whether its model sees, tells images and their order apart, how many
 * images and how much context it takes, and what they cost. Sends about ten requests with plain images, no footage.
 * Rejects only if the signal is aborted.
 */
export async function probeProfile(
  profile: VisionProfile,
  { signal = new AbortController().signal, timeoutMs = TIMEOUT_MS, encodeClip }: ProbeOptions = {},
): Promise<ProbeReport> {
  const checks: ProbeCheck[] = [];
  const note = (name: string, isPassed: boolean, detail: string, isRequired = true) =>
    void checks.push({ name, isPassed, isRequired, detail });
  const report = () => {
    const isUsable = checks.every(({ isPassed, isRequired }) => isPassed || !isRequired);
    return { model: profile.model, isUsable, checks };
  };
  const client = createModelClient(profile, { timeoutMs });
  const send = createSender(client, signal);

  const first = await tryFormats(profile, timeoutMs, signal);
  note('answers', first.failure === null, first.failure ?? `in ${first.seconds.toFixed(1)} s`);
  if (first.failure !== null) return report();
  note('structured output', true, first.format, false);
  const thinks = first.outputTokens > THINKING;
  const thinking = thinks
    ? `${first.outputTokens} tokens for one letter: turn thinking off (SIGHTLINE_VISION_EXTRA)`
    : 'off';
  note('thinking', !thinks, thinking, false);

  const control = planControl([], `probe ${profile.model}`);
  const seen = await send(await drawImages(control.colors), {
    text: claimPrompt(control.questions, control.colors.length, null),
    schema: CLAIMS,
    read: (reply) => readClaims(reply, { questions: control.questions.length, frames: control.colors.length }),
  });
  const verdict = seen.value && judgeControl(control, seen.value);
  note(
    'sees',
    verdict?.untrusted === null,
    verdict ? (verdict.untrusted ?? 'recognizes a color among four') : seen.failure,
  );

  const red = await askColor(send, ['red'], 'red');
  const blue = await askColor(send, ['blue'], 'red');
  const isDistinct = red.so?.[0] === true && blue.so?.[0] === false;
  note(
    'tells images apart',
    isDistinct,
    isDistinct ? 'two images under the same words' : (red.failure ?? 'answers the same about different images'),
  );

  const order = await askColor(send, COLORS, 'green');
  const isOrdered = order.so?.every((so, i) => so === (COLORS[i] === 'green')) === true;
  note(
    'tells frames apart',
    isOrdered,
    isOrdered ? 'four frames by number' : (order.failure ?? 'names the wrong frames'),
  );

  const most = await countImages(send, profile.maxImages);
  note(
    'images per request',
    most === profile.maxImages,
    most === profile.maxImages
      ? `${most}, as configured`
      : `${most} of the ${profile.maxImages} that are configured: set SIGHTLINE_VISION_MAX_IMAGES=${Math.max(4, most)}`,
    most < 4,
  );

  const context = await tryContext(send, Math.max(1, most));
  note('context', context.isPassed, context.detail, false);
  const tokens = await countTokens(send);
  note('tokens per image', true, tokens, false);
  if (encodeClip) {
    const clips = await tryClips({ ...profile, videoUrl: true }, encodeClip, { timeoutMs, signal });
    note('clips', clips.isAccepted || !profile.videoUrl, clips.detail, false);
  }
  return report();
}

type Request<T> = {
  text: string;
  schema: Parameters<ReturnType<typeof createModelClient>['call']>[0]['schema'];
  read: (reply: string) => T | null;
};
type Sent<T> = { value: T | null; failure: string; inputTokens: number; seconds: number };
type Send = <T>(images: readonly LabeledImage[], request: Request<T>) => Promise<Sent<T>>;

/** The context of calls without a cache and limits. */
function createContext(signal: AbortSignal): CallContext {
  const ledger = { find: async () => null, allowance: async () => null, record: async () => {}, store: async () => {} };
  const budget = createTokenBudget({ tokens: Number.POSITIVE_INFINITY, limit: 'none' }, ledger, 0);
  return {
    ledger,
    budget,
    signal,
    deadline: new AbortController().signal,
    usage: { calls: 0, cachedCalls: 0, inputTokens: 0, outputTokens: 0 },
  };
}

/** Shows a clip of plain images. */
async function tryClips(
  profile: VisionProfile,
  encodeClip: NonNullable<FrameSource['clip']>,
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
) {
  const client = createModelClient(profile, { timeoutMs });
  const isAccepted = await client.clips.isAccepted(() => checkClips(client, encodeClip, createContext(signal)));
  signal.throwIfAborted();
  const share = Math.round(100 * client.clips.tokenShare());
  return {
    isAccepted,
    detail: isAccepted
      ? `named all frames truly, at ${share} % of the tokens of images (SIGHTLINE_VISION_VIDEO_URL=true)`
      : `images are sent instead: ${client.clips.health().reason}`,
  };
}

/** Sends requests as an analysis does, without a cache and limits. */
function createSender(client: ModelClient, signal: AbortSignal): Send {
  return async (images, request) => {
    const context = createContext(signal);
    const { usage } = context;
    const start = performance.now();
    const result = await client.call({ ...request, images, maxTokens: 600 }, context);
    const seconds = (performance.now() - start) / 1000;
    const { inputTokens } = usage;
    if ('value' in result) return { value: result.value, failure: '', inputTokens, seconds };
    return { value: null, failure: result.failure, inputTokens, seconds };
  };
}

const LETTER = 'Answer with the letter A. JSON: {"choice": "A"}';

/** Asks for a letter with the strictest format that the endpoint accepts. */
async function tryFormats(profile: VisionProfile, timeoutMs: number, signal: AbortSignal) {
  const chat = createChat('vision', profile, timeoutMs);
  const schema = { type: 'json_schema', json_schema: { name: CHOICE.name, strict: true, schema: CHOICE.schema } };
  const formats: [string, Record<string, unknown> | undefined][] = [
    ['json_schema', schema],
    ['json_object: schemas are described in words only', { type: 'json_object' }],
    ['none: answers are read from text', undefined],
  ];
  let failure = '';
  for (const [format, responseFormat] of formats) {
    const start = performance.now();
    const content = [{ type: 'text' as const, text: LETTER }];
    const request = { content, maxTokens: 600, retries: 0, extra: profile.extra };
    const reply = await chat({ ...request, ...(responseFormat ? { responseFormat } : {}) }, signal);
    const seconds = (performance.now() - start) / 1000;
    if ('text' in reply && readChoice(reply.text) === 'A')
      return { failure: null, format, seconds, outputTokens: reply.usage.outputTokens };
    failure = 'text' in reply ? 'its answer did not have the requested form' : reply.failure;
  }
  return { failure, format: '', seconds: 0, outputTokens: 0 };
}

async function drawImages(colors: readonly PlainColor[], size = PLAIN_SIZE): Promise<LabeledImage[]> {
  const jpegs = await Promise.all(colors.map((color) => drawPlainImage(color, size)));
  return jpegs.map((jpeg, i) => ({ label: frameLabel({ timeS: i }, i), jpeg, tokens: imageTokens(size) }));
}

/** For each image: whether it has the color. Null if there is no such answer. */
async function askColor(send: Send, colors: readonly PlainColor[], color: PlainColor, size = PLAIN_SIZE) {
  const { value, failure, inputTokens } = await send(await drawImages(colors, size), {
    text: edgePrompt(markerText(color), colors.length),
    schema: PER_FRAME,
    read: (reply) => readPerFrame(reply, colors.length),
  });
  return { so: value, failure, inputTokens };
}

/** The most images, up to `max`, of which the model recognizes the last one. */
async function countImages(send: Send, max: number): Promise<number> {
  for (const count of [max, 12, 8, 4].filter((each, i) => i === 0 || each < max)) {
    const colors = Array.from({ length: count }, (_, i): PlainColor => (i === count - 1 ? 'green' : 'red'));
    const { so } = await askColor(send, colors, 'green');
    if (so?.at(-1) === true && so.indexOf(true) === count - 1) return count;
  }
  return 0;
}

/** Puts a code before as many large images as a request has, and asks for it after them. */
async function tryContext(send: Send, count: number) {
  const images = await drawImages(
    Array.from({ length: count }, () => 'red' as const),
    WIDE,
  );
  const [first, ...rest] = images;
  const code = CODES[2]!;
  const coded = [{ ...first!, label: `The code is ${code}. ${first!.label}` }, ...rest];
  const options = CODES.map((each, i) => `(${'ABCD'[i]}) ${each}`).join('\n');
  const { value, failure, inputTokens, seconds } = await send(coded, {
    text: `Which code was stated before the first picture?\n${options}\nJSON: {"choice": "A"}`,
    schema: CHOICE,
    read: readChoice,
  });
  const isPassed = value === 'C';
  const size = `${count} images of ${WIDE.width} × ${WIDE.height} pixels`;
  const speed = inputTokens > 0 ? `, ${inputTokens} tokens, ${Math.round(inputTokens / seconds)} a second` : '';
  return {
    isPassed,
    detail: isPassed
      ? `holds ${size}${speed}`
      : `${value === null ? failure : 'forgets what comes before the images'}: ${size} may not fit (raise the context of the server, or set SIGHTLINE_VISION_MAX_IMAGES)`,
  };
}

async function countTokens(send: Send): Promise<string> {
  const one = await askColor(send, ['red'], 'red', WIDE);
  const three = await askColor(send, ['red', 'red', 'red'], 'red', WIDE);
  const each = Math.round((three.inputTokens - one.inputTokens) / 2);
  const size = `${WIDE.width} × ${WIDE.height} pixels`;
  return one.inputTokens === 0
    ? `the endpoint does not count tokens: ${imageTokens(WIDE)} are assumed for ${size}`
    : `${each} for ${size} (estimates assume ${imageTokens(WIDE)})`;
}
