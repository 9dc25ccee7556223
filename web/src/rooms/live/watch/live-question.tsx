import { Trans, useLingui } from '@lingui/react/macro';
import type { LiveSession } from '@sightline/sdk';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useDeferredValue, useEffect, useRef, useState } from 'react';
import { api } from '#api/client.ts';
import { Preview } from '#rooms/analyses/ask/preview.tsx';
import { PromptField } from '#rooms/analyses/ask/prompt-field.tsx';
import { EMPTY_DRAFT, previewQuery } from '#rooms/analyses/queries.ts';
import { Button } from '#ui/controls/button.tsx';
import { formatClock } from '#ui/format/format.ts';
import { ErrorNotice } from '#ui/states.tsx';

/** The question of a running session, how it is understood, and a field to change it. */
export function LiveQuestion({ session }: { session: LiveSession }) {
  const { t } = useLingui();
  const queries = useQueryClient();
  const current = session.rapid_review_query ?? '';
  const [text, setText] = useState(current);
  const shownQuery = useRef(current);
  // Somebody else changed the question, and nothing was typed here.
  useEffect(() => {
    if (current === shownQuery.current) return;
    setText((typed) => (typed === shownQuery.current ? current : typed));
    shownQuery.current = current;
  }, [current]);
  const typed = useDeferredValue(text.trim());
  const preview = useQuery(previewQuery({ ...EMPTY_DRAFT, query: typed }, [session.video_id]));
  const { mutate, isPending, error } = useMutation({
    mutationFn: async (mode: 'replace' | 'add') => {
      const params = { path: { session_id: session.session_id } };
      const body = { rapid_review_query: text.trim(), mode };
      return (await api.POST('/api/live/session/{session_id}/query', { params, body })).data!;
    },
    onSuccess: ({ rapid_review_query }) => {
      shownQuery.current = rapid_review_query;
      setText(rapid_review_query);
      return queries.invalidateQueries({ queryKey: ['live-session', session.session_id] });
    },
  });
  const isChanged = text.trim() !== '' && text.trim() !== current;
  const isRunning = session.status === 'INITIALIZING' || session.status === 'ACTIVE';
  const change = (event?: FormEvent) => {
    event?.preventDefault();
    if (isChanged && !isPending) mutate('replace');
  };
  const shown = typed !== '' && text.trim() !== '' ? preview.data : undefined;
  return (
    <form className="grid gap-2.5 border-b p-3.5" onSubmit={change}>
      <div className="flex items-baseline gap-2">
        <h2 className="font-medium">
          {session.started_at ? (
            <Trans>Running since {formatClock(Date.parse(session.started_at))}</Trans>
          ) : (
            <Trans>Not recording yet</Trans>
          )}
        </h2>
        <Behind session={session} />
      </div>
      <PromptField text={text} onText={setText} onEnter={change} preview={shown} />
      {shown && <Preview preview={shown} stale={preview.isPlaceholderData} />}
      {current === '' && text.trim() === '' && (
        <p className="text-ink-2 text-sm">
          <Trans>
            The stream is recorded, and nothing is searched for. Ask a question, and events appear as they happen.
          </Trans>
        </p>
      )}
      {preview.error && <ErrorNotice error={preview.error} onRetry={() => void preview.refetch()} />}
      {isRunning && isChanged && (
        <div className="flex flex-wrap items-center gap-1.5">
          <Button look="primary" type="submit" busy={isPending}>
            {current === '' ? <Trans>Ask from now</Trans> : <Trans>Change from now</Trans>}
            <span aria-hidden className="rounded-sm bg-black/15 px-1 text-xs">
              ↵
            </span>
          </Button>
          {current !== '' && (
            <>
              <Button busy={isPending} onClick={() => mutate('add')}>
                <Trans>Add to the question</Trans>
              </Button>
              <Button look="ghost" onClick={() => setText(current)}>
                <Trans>Discard</Trans>
              </Button>
            </>
          )}
          <span className="text-ink-3 text-sm">{current !== '' && t`Events so far stay.`}</span>
        </div>
      )}
      {error !== null && <ErrorNotice error={error} />}
    </form>
  );
}

/** A shorter delay of the analysis is that of its chunks. */
const LATE_S = 6;

function Behind({ session: { analysis } }: { session: LiveSession }) {
  if (!analysis || analysis.behind_s < LATE_S) return null;
  const seconds = Math.round(analysis.behind_s);
  return (
    <span className="num ml-auto text-sm text-warn">
      <Trans>Analysis is {seconds} s late</Trans>
    </span>
  );
}
