import { Trans, useLingui } from '@lingui/react/macro';
import type { QueryPreview } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#ui/controls/button.tsx';
import { formatLeast } from '#ui/controls/confidence-select.tsx';
import { Select } from '#ui/controls/select.tsx';
import { ErrorNotice } from '#ui/states.tsx';
import { type Draft, previewQuery, type QuestionVideos } from '../queries.ts';
import { DetectorSelect } from './detector-select.tsx';
import { EXAMPLES } from './examples.ts';
import { useModeOptions } from './mode-options.ts';
import { Estimate, Preview } from './preview.tsx';
import { PromptField } from './prompt-field.tsx';
import { Suggestions } from './suggestions.tsx';
import { VisionProfileSelect } from './vision-profile-select.tsx';

/** Pause of typing after which the prompt is read. */
const PAUSE_MS = 200;
const CONFIDENCES = [0.3, 0.5, 0.7, 0.9];

/** The box for a question: text, how it is understood while typing, mode, least confidence, models, cost. */
export function AskBox({
  videos,
  draft,
  onDraft,
  onAsk,
  answered,
  autoFocus,
  suggestions,
  children,
}: {
  videos: QuestionVideos;
  draft: Draft;
  onDraft: (draft: Draft) => void;
  /** Asks; the box shows why it failed. */
  onAsk: (draft: Draft) => Promise<unknown>;
  /** The question whose answer is shown: its reading is part of the answer, and not repeated here. */
  answered?: Draft | null;
  autoFocus?: boolean;
  /** Shown below the field: what the text may name. */
  suggestions?: ReactNode;
  /** Another way to ask the question, beside the button. */
  children?: ReactNode;
}) {
  const { t } = useLingui();
  const modeOptions = useModeOptions();
  const { query: text, ...options } = draft;
  const { fast, minConfidence, visionProfile, detector } = options;
  const onText = (query: string) => onDraft({ ...draft, query });
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<unknown>(null);
  const typed = usePaused(text.trim(), PAUSE_MS);
  const preview = useQuery(previewQuery({ query: typed, ...options }, videos));
  const isStale = preview.isPlaceholderData || typed !== text.trim();
  const isAnswered =
    answered?.query === text.trim() &&
    answered.fast === fast &&
    answered.minConfidence === minConfidence &&
    answered.visionProfile === visionProfile &&
    answered.detector === detector;
  const shown: QueryPreview | undefined = typed && text.trim() && !isAnswered ? preview.data : undefined;
  const form = useRef<HTMLFormElement>(null);

  async function ask(event?: FormEvent) {
    event?.preventDefault();
    const query = text.trim();
    if (!query || busy) return;
    setBusy(true);
    setProblem(null);
    try {
      await onAsk({ query, ...options });
      // The next question replaces this one.
      form.current?.querySelector('textarea')?.select();
    } catch (error) {
      setProblem(error);
    } finally {
      setBusy(false);
    }
  }

  return (
    <form ref={form} className="grid gap-2.5" onSubmit={(event) => void ask(event)}>
      <PromptField text={text} onText={onText} onEnter={() => void ask()} preview={shown} autoFocus={autoFocus} />
      {suggestions}
      {text.trim() === '' && <Examples onPick={onText} />}
      {shown && <Preview preview={isStale ? stillTyped(shown, text) : shown} stale={isStale} />}
      <Suggestions of={isStale ? undefined : shown?.suggestions} onPick={onText} />
      {preview.error && typed && <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />}
      <div className="flex flex-wrap items-center gap-1.5">
        <Button look="primary" type="submit" busy={busy} disabled={text.trim() === ''}>
          <Trans>Ask</Trans>
          <span aria-hidden className="rounded-sm bg-black/15 px-1 text-xs">
            ↵
          </span>
        </Button>
        {text.trim() !== '' && children}
        <Select
          label={t`Mode`}
          value={fast ? 'fast' : 'thinking'}
          onChange={(mode) => onDraft({ ...draft, fast: mode === 'fast' })}
          options={modeOptions}
        />
        <Select
          label={t`Least confidence`}
          value={String(minConfidence)}
          onChange={(value) => onDraft({ ...draft, minConfidence: Number(value) })}
          options={confidencesWith(minConfidence).map((value) => ({ value, label: formatLeast(Number(value)) }))}
        />
        <VisionProfileSelect profile={visionProfile} onChange={(name) => onDraft({ ...draft, visionProfile: name })} />
        <DetectorSelect detector={detector} onChange={(name) => onDraft({ ...draft, detector: name })} />
        <span className="ml-auto text-ink-3 text-sm">{shown && !isStale && <Estimate preview={shown} />}</span>
      </div>
      {problem !== null && <ErrorNotice error={problem} />}
    </form>
  );
}

/** Leaves out parts that were typed over: they would look like the reading of the new text. */
function stillTyped(preview: QueryPreview, text: string): QueryPreview {
  const typed = text.toLowerCase();
  return {
    ...preview,
    parts: preview.parts.filter((part) => typed.includes(part.text.toLowerCase())),
    corrected: preview.corrected.filter(({ from }) => typed.includes(from.toLowerCase())),
  };
}

/** The levels to choose from, and one that an earlier question had. */
const confidencesWith = (current: number): string[] =>
  [...new Set([...CONFIDENCES, current])].sort((a, b) => a - b).map(String);

function Examples({ onPick }: { onPick: (text: string) => void }) {
  const { t } = useLingui();
  return (
    <ul aria-label={t`Examples`} className="flex flex-wrap gap-1" lang="en">
      {EXAMPLES.map((example) => (
        <li key={example}>
          <button
            type="button"
            onClick={() => onPick(example)}
            className="rounded-full border px-2 text-ink-2 text-sm leading-5.5 hover:border-strong-line hover:text-ink"
          >
            {example}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** A value that has not changed for a while. */
function usePaused<T>(value: T, pauseMs: number): T {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value, pauseMs]);
  return paused;
}
