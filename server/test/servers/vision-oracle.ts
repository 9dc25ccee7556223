import { createHash } from 'node:crypto';
import { drawPlainImage, PLAIN_COLORS, type PlainColor } from '#engine/vision/reliability/plain-image';
import type { Media } from '#platform/media/index';
import { createClipWatcher } from './clip-watcher.ts';
import { isTruism } from './known-statements.ts';
import { bytesOf, type VisionModelRequest, type VisionModelScript } from './vision-model.ts';

/** Knowledge of an oracle about an image: the truth, and its place in the order of the video. */
export type KnownImage = {
  timeS: number;
  /** True if the words describe what is visible in the image. */
  shows: (text: string) => boolean;
  /** Facts that are visible. */
  facts: readonly string[];
  /** Values of fields that are visible, by the name of the field; default none. */
  values?: Readonly<Record<string, string>>;
};

export type VisionOracle = {
  /** Makes an image known, by the digest of its bytes. A sheet has several. */
  learn(jpeg: Buffer, images: readonly KnownImage[]): void;
  knows(jpeg: Buffer): boolean;
  /** Decodes a clip. Returns the known images that its frames show, and unknown bytes for others. */
  watch(mp4: Buffer): Promise<Buffer[]>;
  script: VisionModelScript;
};

/**
 * A model that answers truly about the images that it knows and sees nothing in others: the ceiling of what the
 * service can make of a model. It reads the questions from the prompts and the images from their bytes. `media` decodes
 * clips; without it none may be sent.
 */
export async function createVisionOracle(media?: Media): Promise<VisionOracle> {
  const known = new Map<string, readonly KnownImage[]>();
  const watcher = createClipWatcher(media);
  const digestOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  for (const color of Object.keys(PLAIN_COLORS) as PlainColor[]) {
    const shows = (text: string) => text === `the whole picture is plain ${color}`;
    const jpeg = await drawPlainImage(color);
    watcher.learn(jpeg);
    known.set(digestOf(jpeg), [{ timeS: 0, shows, facts: [`plain ${color}`] }]);
  }
  const see = ({ images }: VisionModelRequest) =>
    images.flatMap((url) => known.get(digestOf(bytesOf(url))) ?? [{ timeS: 0, shows: () => false, facts: [] }]);
  return {
    learn(jpeg, images) {
      watcher.learn(jpeg);
      known.set(digestOf(jpeg), images);
    },
    watch: watcher.watch,
    knows: (jpeg) => known.has(digestOf(jpeg)),
    script: (request) => ({ text: JSON.stringify(answerTruly(request, see(request))) }),
  };
}

/** Truth about a clip: the intervals that each text describes. `clothing: red` is also a value of a field. */
export type Truth = Readonly<Record<string, readonly (readonly [from: number, to: number])[]>>;

/** The content of the frame at a time. */
export function knownAt(truth: Truth, timeS: number): KnownImage {
  const holds = (text: string) => (truth[text] ?? []).some(([from, to]) => timeS >= from - 1e-6 && timeS <= to + 1e-6);
  const facts = Object.keys(truth).filter(holds);
  const values = Object.fromEntries(facts.map((fact) => fact.split(': ')).filter((parts) => parts.length === 2));
  return { timeS, shows: holds, facts: facts.filter((fact) => !fact.includes(': ')), values };
}

const FRAME = /^Frame \d+ <([\d.]+) seconds>:$/;
const SHEET = /^Sheet \d+: .* at ([\d., ]+) seconds:$/;
const DETAIL = /^Enlarged part of frame (\d+),/;

/**
 * An oracle that knows one clip by the times of its frames: it reads them from the labels of the first call that shows
 * an image, so that it is not fooled when the same images are shown in another order.
 */
export async function createTimedOracle(truth: Truth): Promise<VisionOracle> {
  const oracle = await createVisionOracle();
  return {
    ...oracle,
    script(request, n) {
      const labels = request.texts.filter((text) => [FRAME, SHEET, DETAIL].some((label) => label.test(text)));
      const frames = labels.flatMap((label) => FRAME.exec(label)?.[1] ?? []);
      for (const [i, url] of request.images.entries()) {
        const jpeg = bytesOf(url);
        if (labels[i] === undefined || oracle.knows(jpeg)) continue;
        const detailed = DETAIL.exec(labels[i]!)?.[1];
        const times = FRAME.exec(labels[i]!)?.[1] ?? SHEET.exec(labels[i]!)?.[1] ?? frames[Number(detailed) - 1] ?? '';
        oracle.learn(
          jpeg,
          times.split(', ').map((time) => knownAt(truth, Number(time))),
        );
      }
      return oracle.script(request, n);
    },
  };
}

/** Kinds of calls, by what their prompt requests. */
export type CallKind = 'claims' | 'survey' | 'choice' | 'edges' | 'words' | 'captions' | 'fields';

export function kindOf({ texts }: Pick<VisionModelRequest, 'texts'>): CallKind {
  const prompt = texts.at(-1) ?? '';
  if (prompt.startsWith('Notes about a video')) return 'words';
  if (prompt.includes('contact sheets')) return 'survey';
  if (/^Range 1: frames /m.test(prompt)) return 'captions';
  if (prompt.includes('Fill these fields')) return 'fields';
  if (prompt.includes('Which statement is best supported')) return 'choice';
  return prompt.includes('one for each frame') ? 'edges' : 'claims';
}

/** True if the images are the plain ones of a control. */
export const isControl = ({ texts }: Pick<VisionModelRequest, 'texts'>) =>
  kindOf({ texts }) === 'claims' && /the whole picture is plain/.test(texts.at(-1) ?? '');

/** Questions of a prompt by number, from 1. */
export function questionsIn({ texts }: Pick<VisionModelRequest, 'texts'>): string[] {
  const lines = (texts.at(-1) ?? '').matchAll(/^\d+\. ("(?:[^"\\]|\\.)*")/gm);
  return [...lines].map(([, text]) => JSON.parse(text!) as string);
}

/** Ranges of a prompt for captions: the numbers of their first and last frame. */
export function rangesIn({ texts }: Pick<VisionModelRequest, 'texts'>): [number, number][] {
  const lines = (texts.at(-1) ?? '').matchAll(/^Range \d+: frames (\d+) to (\d+)\.$/gm);
  return [...lines].map(([, first, last]) => [Number(first), Number(last)]);
}

/** Fields of a prompt, with the options of an enum. */
export function fieldsIn({ texts }: Pick<VisionModelRequest, 'texts'>): { name: string; options: string[] }[] {
  const lines = (texts.at(-1) ?? '').matchAll(/^\d+\. ("(?:[^"\\]|\\.)*"); ([^\n]*)$/gm);
  return [...lines].map(([, name, form]) => ({
    name: JSON.parse(name!) as string,
    options: form!.startsWith('one of') ? [...form!.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, option]) => option!) : [],
  }));
}

/** Options of a choice by letter, with their text. */
export function optionsIn({ texts }: Pick<VisionModelRequest, 'texts'>) {
  const lines = (texts.at(-1) ?? '').matchAll(/^\(([A-D])\) (.*)$/gm);
  return [...lines].map(([, letter, words]) => {
    const quoted = /"(?:[^"\\]|\\.)*"/.exec(words!)?.[0];
    const option = words!.startsWith('the frames show:')
      ? 'requested'
      : words!.startsWith('the frames show something')
        ? 'near'
        : words!.startsWith('the frames do not show')
          ? 'neither'
          : 'unsure';
    return { letter: letter!, option, text: quoted ? (JSON.parse(quoted) as string) : '' };
  });
}

function answerTruly(request: VisionModelRequest, images: readonly KnownImage[]): object {
  switch (kindOf(request)) {
    case 'claims':
      return { seen: factsIn(images), events: eventsIn(questionsIn(request), images) };
    case 'survey':
      return {
        moments: questionsIn(request).flatMap((text, q) =>
          images.flatMap(({ shows }, i) => (shows(text) ? [{ question: q + 1, cell: i + 1 }] : [])),
        ),
      };
    case 'choice': {
      const options = optionsIn(request);
      const { text } = options.find(({ option }) => option === 'requested')!;
      // Enlarged parts come after the frames.
      const frames = images.slice(0, images.length - request.texts.filter((label) => DETAIL.test(label)).length);
      const isForward = frames.every(({ timeS }, i) => i === 0 || timeS >= frames[i - 1]!.timeS);
      const isTrue = isTruism(text) || (isForward && images.some(({ shows }) => shows(text)));
      return { choice: options.find(({ option }) => option === (isTrue ? 'requested' : 'neither'))!.letter };
    }
    case 'edges': {
      const text = JSON.parse(/\? ("(?:[^"\\]|\\.)*")$/m.exec(request.texts.at(-1)!)![1]!) as string;
      return { so: images.map(({ shows }) => shows(text)) };
    }
    case 'captions':
      return {
        captions: rangesIn(request).flatMap(([first, last], i) => {
          const [fact] = images.slice(first - 1, last).flatMap(({ facts }) => facts);
          return fact === undefined ? [] : [{ range: i + 1, text: fact }];
        }),
      };
    case 'fields':
      return {
        fields: fieldsIn(request).flatMap(({ name }, i) => {
          const value = images.find(({ values }) => values?.[name] !== undefined)?.values?.[name];
          return value === undefined ? [] : [{ field: i + 1, value }];
        }),
      };
    case 'words': {
      const sentences = questionsIn({ texts: ['', notesIn(request)] }).map((text, i) => ({ text, cites: [i + 1] }));
      const requested = /Is it shown: (.*)\?"$/m.exec(request.texts.at(-1)!)?.[1];
      const isRequested = ({ text }: { text: string }) =>
        requested === undefined || JSON.stringify(text) === `"${requested}"`;
      return { sentences: sentences.filter(isRequested), unknown: [] };
    }
  }
}

/** Notes as questions: without their times. */
const notesIn = ({ texts }: VisionModelRequest) => (texts.at(-1) ?? '').replaceAll(/^(\d+\.) <[^>]*> /gm, '$1 ');

/** Each fact once, where it is first seen. */
function factsIn(images: readonly KnownImage[]) {
  const first = new Map<string, number>();
  for (const [i, { facts }] of images.entries()) for (const fact of facts) if (!first.has(fact)) first.set(fact, i + 1);
  return [...first].map(([fact, frame]) => ({ frame, fact }));
}

/** Runs of images that show a question. */
function eventsIn(questions: readonly string[], images: readonly KnownImage[]) {
  return questions.flatMap((text, q) => {
    const runs: [number, number][] = [];
    for (const [i, { shows }] of images.entries()) {
      if (!shows(text)) continue;
      const last = runs.at(-1);
      if (last && last[1] === i) last[1] = i + 1;
      else runs.push([i + 1, i + 1]);
    }
    return runs.map(([first_frame, last_frame]) => ({
      question: q + 1,
      first_frame,
      last_frame,
      label: text,
      confidence: 0.9,
    }));
  });
}
