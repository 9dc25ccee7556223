import { clock } from '../../find/index.ts';
import type { Citation, CitedSource, VideoEvent } from '../../types.ts';
import { readSentences, SENTENCES } from '../calls/index.ts';
import { pickEvenly } from '../plan/windows.ts';
import { answerPrompt } from '../prompts.ts';
import type { LookSession } from '../session.ts';
import type { SeenFact } from '../types.ts';

const MAX_EVENTS = 30;
const MAX_FACTS = 60;
const MAX_TOKENS = 700;
/** Times that a sentence lists. */
const MAX_TIMES = 3;

/**
 * Answers a request in words from what was seen in the frames and from events. Each sentence cites its sources; null if
 * there is nothing to cite.
 */
export async function answerInWords(
  session: LookSession,
  request: string,
  facts: readonly SeenFact[],
  events: readonly VideoEvent[],
): Promise<{ text: string; citations: Citation[] } | null> {
  const sources = [
    ...pickEvenly(events, MAX_EVENTS).map(
      ({ startS, startPts, endPts, label }): CitedSource => ({
        ...{ timeS: startS, text: label },
        event: { startPts, endPts, label },
      }),
    ),
    ...pickEvenly(facts, MAX_FACTS).map(({ timeS, text }) => ({ timeS, text })),
  ].toSorted((a, b) => a.timeS - b.timeS);
  if (sources.length === 0) return null;
  const sentences = await session.ask([], {
    text: () => answerPrompt(request, sources),
    schema: SENTENCES,
    read: (reply) => readSentences(reply, sources.length),
    maxTokens: MAX_TOKENS,
  });
  if (sentences === null || sentences.length === 0) return null;
  const citations = sentences.map(({ text, cites }) => ({
    sentence: text,
    sources: cites.map((cite) => sources[cite - 1]!).toSorted((a, b) => a.timeS - b.timeS),
  }));
  return { text: citations.map(withTimes).join(' '), citations };
}

/** "The cup is red (0:03.2, 0:07.9)." */
function withTimes({ sentence, sources }: Citation): string {
  const times = [...new Set(sources.map(({ timeS }) => clock(timeS)))].slice(0, MAX_TIMES).join(', ');
  const end = /[.!?…]$/.exec(sentence)?.[0] ?? '.';
  return `${sentence.replace(/[.!?…]$/, '')} (${times})${end}`;
}
