import { Plural } from '@lingui/react/macro';
import type { AnalysisDocument } from '@sightline/sdk';
import { CircleAlert } from 'lucide-react';

/** The answer in words, how the question was understood, and the number of events. */
export function Answer({ analysis }: { analysis: AnalysisDocument['analysis'] }) {
  const { answer, interpretation, events, candidates = [], status, message } = analysis;
  if (status === 'FAILED') {
    return (
      <p className="flex items-start gap-2 break-words">
        <CircleAlert size={16} className="mt-0.5 shrink-0 text-bad" aria-hidden />
        {message ?? answer}
      </p>
    );
  }
  return (
    <div className="grid gap-1.5" lang="en">
      <p className="break-words">{answer}</p>
      {interpretation && <p className="break-words text-ink-2 text-sm">{interpretation}</p>}
      <p className="num flex justify-between font-semibold">
        <Plural value={events.length} one="# event" other="# events" />
        {candidates.length > 0 && (
          <span className="font-normal text-ink-3">
            <Plural value={candidates.length} one="# candidate" other="# candidates" />
          </span>
        )}
      </p>
    </div>
  );
}
