import { CONTROL_PROMPTS, type ControlSentence } from '#engine/language/reliability/control-prompts';
import type { VisionModelReply, VisionModelRequest } from './vision-model.ts';

/** A language model's answer about a prompt: its language, rewritten parts, and the parts that it leaves out. */
export type Reading = { language: string; sentences: { from: string; to: string }[]; left: string[] };

const SENTENCES = new Map(Object.values(CONTROL_PROMPTS).flatMap((list) => list.map((each) => [each.prompt, each])));

/** The prompt in a request to a language model. */
export const promptOf = ({ texts }: VisionModelRequest): string =>
  (JSON.parse(texts.at(-1)!) as { prompt: string }).prompt;

/** True if all sentences of a prompt are control prompts. */
export const isControlPrompt = (prompt: string): boolean => prompt.split('; ').every((each) => SENTENCES.has(each));

/** The true reading of control prompts; other sentences are left, unless `known` has their meaning. */
export function readTruly(prompt: string, known: ReadonlyMap<string, ControlSentence> = new Map()): Reading {
  const sentences = prompt
    .split('; ')
    .map((each) => known.get(each) ?? SENTENCES.get(each) ?? { prompt: each, to: null });
  const language = Object.entries(CONTROL_PROMPTS).find(([, list]) =>
    list.some((each) => each.prompt === sentences[0]!.prompt),
  );
  return {
    language: language?.[0] ?? 'English',
    sentences: sentences.flatMap(({ prompt: from, to }) => (to === null ? [] : [{ from, to }])),
    left: sentences.flatMap(({ prompt: from, to }) => (to === null ? [from] : [])),
  };
}

/** Answers control prompts truly, and other prompts as the script says. */
export const honestly =
  (script: (prompt: string, request: VisionModelRequest) => VisionModelReply | string) =>
  (request: VisionModelRequest): VisionModelReply => {
    const prompt = promptOf(request);
    if (isControlPrompt(prompt)) return { text: JSON.stringify(readTruly(prompt)) };
    const reply = script(prompt, request);
    return typeof reply === 'string' ? { text: reply } : reply;
  };
