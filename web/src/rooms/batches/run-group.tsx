import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { runsQuery } from '#rooms/saved-questions/queries.ts';
import { Ago } from '#ui/format/ago.tsx';
import { Badge } from '#ui/states.tsx';
import { EventCount, QuestionRow } from './question-row.tsx';
import type { QuestionEntry } from './run-groups.ts';

/** The runs of a saved question as one row, which shows them. */
export function RunGroup({ group }: { group: Extract<QuestionEntry, { kind: 'runs' }> }) {
  const { t } = useLingui();
  const [open, setOpen] = useState(false);
  const { savedQuestionId, query, batches } = group;
  const running = batches.filter(({ status }) => status === 'processing').length;
  const events = batches.reduce((sum, { event_count }) => sum + event_count, 0);
  const Icon = open ? ChevronDown : ChevronRight;
  return (
    <section aria-label={t`Runs of ${query}`}>
      <div className="relative flex min-h-13 flex-wrap items-center gap-x-4 gap-y-1 border-b px-2 py-2 hover:bg-raise/60">
        <div className="min-w-0 flex-1 basis-60">
          <button
            type="button"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
            className="flex w-full items-center gap-1.5 text-left font-medium after:absolute after:inset-0"
          >
            <Icon size={14} className="shrink-0" aria-hidden />
            <span className="min-w-0 truncate" title={query}>
              {query}
            </span>
          </button>
          <p className="num pl-5 text-ink-3 text-sm">
            <Plural value={batches.length} one="# run" other="# runs" />
            {' · '}
            {running > 0 && events === 0 ? <Trans>nothing found so far</Trans> : <EventCount count={events} />}
            {' · '}
            <Trans>
              last <Ago time={batches[0]!.created_at} />
            </Trans>
          </p>
        </div>
        {running > 0 && (
          <Badge tone="accent">
            <Plural value={running} one="# running" other="# running" />
          </Badge>
        )}
        <Link
          to="/saved-questions"
          search={{ question: savedQuestionId }}
          className="relative text-accent-text text-sm hover:underline"
        >
          <Trans>Saved question</Trans>
        </Link>
      </div>
      {open && <GroupRuns group={group} />}
    </section>
  );
}

function GroupRuns({ group: { savedQuestionId, batches } }: Parameters<typeof RunGroup>[0]) {
  const { data } = useInfiniteQuery(runsQuery(savedQuestionId));
  const names = new Map(data?.pages.flatMap(({ runs }) => runs.map((run) => [run.batch_id, run.video_name])));
  return (
    <ul className="pl-5">
      {batches.map((batch) => (
        <li key={batch.batch_id}>
          <QuestionRow
            batch={batch}
            // A run on existing videos is one batch over all of them.
            run={{ video: batch.aggregated_progress.total === 1 ? names.get(batch.batch_id) : undefined }}
          />
        </li>
      ))}
    </ul>
  );
}
