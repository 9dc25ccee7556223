import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Ellipsis, RotateCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { sightline } from '#api/client.ts';
import { classes } from '#ui/classes.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { formatAgo } from '#ui/format/format.ts';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { Badge, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { analysesQuery, type Draft } from './queries.ts';
import { useStatuses } from './stages.ts';

const TONES = { PROCESSING: 'accent', FAILED: 'bad', COMPLETED: 'neutral' } as const;

/** Earlier questions about a video, newest first: open an answer, ask again, or delete it. */
export function PastQuestions({
  videoId,
  current,
  onOpen,
  onAgain,
  onDeleted,
}: {
  videoId: string;
  current: string | undefined;
  onOpen: (analysisId: string) => void;
  onAgain: (draft: Draft) => void;
  onDeleted: (analysisId: string) => void;
}) {
  const { t } = useLingui();
  const statuses = useStatuses();
  const [toDelete, setToDelete] = useState<{ id: string; query: string } | null>(null);
  const queries = useQueryClient();
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(analysesQuery(videoId));
  const analyses = data?.pages.flatMap((page) => page.analyses) ?? [];

  async function remove() {
    const { id } = toDelete!;
    await sightline.deleteAnalysis(videoId, id);
    onDeleted(id);
    queries.removeQueries({ queryKey: ['analysis', videoId, id] });
    await queries.invalidateQueries({ queryKey: ['analyses', videoId] });
  }

  if (isPending) return <Skeleton className="h-24" />;
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (analyses.length === 0) return null;
  return (
    <section className="grid gap-1 border-t pt-3.5">
      <h2>
        <Trans>Questions about this video</Trans>
      </h2>
      <p className="text-ink-3 text-sm">
        <Trans>Another question answers from what is stored.</Trans>
      </p>
      <ul className="-mx-2 mt-1">
        {analyses.map(
          ({ analysis_id: id, query, mode, min_confidence, status, event_count: events, created_at: at }) => (
            <li
              key={id}
              className={classes(
                'group relative flex items-center gap-2 rounded-md px-2 py-1 hover:bg-raise/60 has-[button:focus-visible]:bg-raise/60',
                id === current && 'bg-raise',
              )}
            >
              <button
                type="button"
                aria-current={id === current || undefined}
                onClick={() => onOpen(id)}
                className="min-w-0 flex-1 truncate text-left after:absolute after:inset-0"
              >
                {query}
              </button>
              <span className="num shrink-0 text-ink-3 text-sm">
                {status === 'COMPLETED' ? (
                  <Plural value={events} one="# event" other="# events" />
                ) : (
                  <Badge tone={TONES[status as keyof typeof TONES] ?? 'neutral'}>{statuses(status)}</Badge>
                )}
              </span>
              <span className="num shrink-0 text-ink-3 text-sm">{formatAgo(at)}</span>
              <Menu
                align="end"
                trigger={<IconButton icon={Ellipsis} label={t`Actions for “${query}”`} className="relative -my-1" />}
              >
                <MenuItem
                  icon={RotateCw}
                  onSelect={() => onAgain({ query, fast: mode === 'fast', minConfidence: min_confidence })}
                >
                  <Trans>Ask again</Trans>
                </MenuItem>
                <MenuItem icon={Trash2} danger onSelect={() => setToDelete({ id, query })}>
                  <Trans>Delete</Trans>
                </MenuItem>
              </Menu>
            </li>
          ),
        )}
      </ul>
      {hasNextPage && (
        <Button className="justify-self-start" onClick={() => void fetchNextPage()}>
          <Trans>Show more</Trans>
        </Button>
      )}
      <ConfirmDialog
        open={toDelete !== null}
        onClose={() => setToDelete(null)}
        title={<Trans>Delete this question?</Trans>}
        action={<Trans>Delete question</Trans>}
        look="danger"
        onConfirm={remove}
      >
        <Trans>The answer to “{toDelete?.query}” and its evidence images are deleted for everyone, for good.</Trans>
      </ConfirmDialog>
    </section>
  );
}
