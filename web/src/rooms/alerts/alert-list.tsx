import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { AlertList as Page } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { BellOff, Ellipsis } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { api } from '#api/client.ts';
import { serviceNow } from '#api/service-clock.ts';
import { classes } from '#ui/classes.ts';
import { Button, buttonClass, IconButton } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatConfidence, formatDateTime, formatTime } from '#ui/format/format.ts';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { EmptyState, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { alertsQuery } from './queries.ts';

type Alert = Page['alerts'][number];
type Mute = Page['mutes'][number];

const HOUR_MS = 3_600_000;
const MUTE = '/api/saved-questions/{saved_question_id}/mute';

/** Alerts, newest first. Those that were new when the list opened stay marked until it is closed. */
export function AlertList({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { showError } = useToasts();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(alertsQuery);
  const alerts = data?.pages.flatMap((page) => page.alerts) ?? [];
  const mutes = data?.pages[0]?.mutes ?? [];
  const newest = alerts[0];
  // New alerts stay marked while the list is open, though the service already knows that they were seen.
  const fresh = useRef(new Set<string>());
  for (const { alert_id, is_read } of alerts) if (!is_read) fresh.current.add(alert_id);
  const refresh = () => queries.invalidateQueries({ queryKey: alertsQuery.queryKey });
  useEffect(() => {
    if (!newest || newest.is_read) return;
    const body = { alert_id: newest.alert_id };
    api
      .POST('/api/alerts/read', { body })
      .then(() => queries.invalidateQueries({ queryKey: alertsQuery.queryKey }), showError);
  }, [newest, queries, showError]);

  async function mute(saved_question_id: string, hours: number | null) {
    const until = hours === null ? null : new Date(serviceNow() + hours * HOUR_MS).toISOString();
    try {
      await api.PUT(MUTE, { params: { path: { saved_question_id } }, body: { until } });
      await refresh();
    } catch (failure) {
      showError(failure);
    }
  }
  async function unmute(saved_question_id: string) {
    try {
      await api.DELETE(MUTE, { params: { path: { saved_question_id } } });
      await refresh();
    } catch (failure) {
      showError(failure);
    }
  }

  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} className="m-3" />;
  if (!data) return <Skeleton className="m-3 h-40" />;
  return (
    <div className="min-h-0 overflow-y-auto">
      {alerts.length === 0 && (
        <EmptyState
          title={<Trans>No alerts yet</Trans>}
          action={
            <Link to="/saved-questions" className={buttonClass('primary')} onClick={onClose}>
              <Trans>Save a question</Trans>
            </Link>
          }
        >
          <Trans>A saved question runs on each new video. What it finds appears here, and where you send it.</Trans>
        </EmptyState>
      )}
      <ul className="divide-y">
        {alerts.map((alert) => (
          <AlertRow
            key={alert.alert_id}
            alert={alert}
            isNew={fresh.current.has(alert.alert_id)}
            onOpen={onClose}
            onMute={(id, hours) => void mute(id, hours)}
            onUnmute={(id) => void unmute(id)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <div className="grid justify-center border-t p-2">
          <Button look="ghost" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            <Trans>Show more</Trans>
          </Button>
        </div>
      )}
      {mutes.length > 0 && <Mutes mutes={mutes} onUnmute={(id) => void unmute(id)} />}
    </div>
  );
}

function AlertRow({
  alert,
  isNew,
  onOpen,
  onMute,
  onUnmute,
}: {
  alert: Alert;
  isNew: boolean;
  onOpen: () => void;
  onMute: (questionId: string, hours: number | null) => void;
  onUnmute: (questionId: string) => void;
}) {
  const { t } = useLingui();
  const { saved_question_id, saved_question_name, camera_id, camera_name, fault } = alert;
  const source = saved_question_name ?? camera_name ?? '';
  return (
    <li className="relative flex gap-2 py-2 pr-2 pl-3 hover:bg-raise/60">
      <span
        aria-hidden
        className={classes('mt-1.5 size-1.75 shrink-0 rounded-full', isNew && !alert.is_muted && 'bg-accent')}
      />
      <div className="grid min-w-0 flex-1 gap-0.5">
        <p className="flex items-baseline gap-2 text-ink-3 text-sm">
          <span className="truncate" title={source}>
            {source}
          </span>
          {alert.is_muted && <BellOff size={12} className="shrink-0 self-center" aria-label={t`Muted`} />}
          <span className="ml-auto shrink-0">
            <Ago time={alert.created_at} />
          </span>
        </p>
        {fault === null ? (
          <EventLink alert={alert} onOpen={onOpen} />
        ) : (
          <Link to="/live/cameras" search={{ camera: camera_id! }} onClick={onOpen} className={LINK}>
            {fault === 'offline' ? (
              <Trans>Camera is offline</Trans>
            ) : fault === 'black' ? (
              <Trans>Picture is black</Trans>
            ) : (
              <Trans>Picture is frozen</Trans>
            )}
          </Link>
        )}
        {alert.other_events > 0 && (
          <p className="num text-ink-3 text-sm">
            <Plural value={alert.other_events} one="and # more event" other="and # more events" />
          </p>
        )}
      </div>
      {saved_question_id !== null && (
        <Menu
          align="end"
          trigger={<IconButton icon={Ellipsis} label={t`More for ${source}`} className="relative -mt-1" />}
        >
          {alert.is_muted ? (
            <MenuItem onSelect={() => onUnmute(saved_question_id)}>{t`Unmute`}</MenuItem>
          ) : (
            <>
              <MenuItem onSelect={() => onMute(saved_question_id, 1)}>{t`Snooze for an hour`}</MenuItem>
              <MenuItem onSelect={() => onMute(saved_question_id, 24)}>{t`Snooze for a day`}</MenuItem>
              <MenuItem onSelect={() => onMute(saved_question_id, 7 * 24)}>{t`Snooze for a week`}</MenuItem>
              <MenuSeparator />
              <MenuItem onSelect={() => onMute(saved_question_id, null)}>{t`Mute this question`}</MenuItem>
            </>
          )}
        </Menu>
      )}
    </li>
  );
}

const LINK = 'break-words font-medium after:absolute after:inset-y-0 after:right-10 after:left-0';

/** The event of an alert, with its video, time and confidence. */
function EventLink({ alert, onOpen }: { alert: Alert; onOpen: () => void }) {
  const { t } = useLingui();
  const { label, video_id, video_name, analysis_id, event_id, start_s, confidence } = alert;
  const search = {
    tab: 'events' as const,
    analysis: analysis_id ?? undefined,
    event: event_id ?? undefined,
    t: start_s ?? undefined,
  };
  return (
    <>
      <Link
        to="/videos/$videoId"
        params={{ videoId: video_id ?? '' }}
        search={search}
        onClick={onOpen}
        className={LINK}
        lang="en"
      >
        <span className="inline-block first-letter:uppercase">{label}</span>
      </Link>
      <p className="num flex gap-2 text-ink-2 text-sm">
        <span className="truncate" title={video_name ?? ''}>
          {video_name}
        </span>
        <span className="shrink-0">{formatTime(start_s ?? 0)}</span>
        {analysis_id === null && (
          <span className="shrink-0 font-medium">
            <Trans>Live</Trans>
          </span>
        )}
        <span className="ml-auto shrink-0" title={t`Confidence`}>
          {formatConfidence(confidence ?? 0)}
        </span>
      </p>
    </>
  );
}

/** Questions whose alerts the user does not want to see; colleagues and webhooks still get them. */
function Mutes({ mutes, onUnmute }: { mutes: readonly Mute[]; onUnmute: (id: string) => void }) {
  const { t } = useLingui();
  return (
    <section aria-label={t`Muted`} className="border-t bg-bg/40 px-3 py-2">
      <h3 className="text-ink-3 text-sm">
        <Trans>Muted for you</Trans>
      </h3>
      <ul>
        {mutes.map(({ saved_question_id, saved_question_name, muted_until }) => (
          <li key={saved_question_id} className="flex items-center gap-2">
            <span className="min-w-0 flex-1">
              <span className="block truncate" title={saved_question_name}>
                {saved_question_name}
              </span>
              {muted_until !== null && (
                <span className="block text-ink-3 text-sm">
                  <Trans>until {formatDateTime(muted_until)}</Trans>
                </span>
              )}
            </span>
            <Button
              look="ghost"
              aria-label={t`Unmute ${saved_question_name}`}
              onClick={() => onUnmute(saved_question_id)}
            >
              <Trans>Unmute</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
