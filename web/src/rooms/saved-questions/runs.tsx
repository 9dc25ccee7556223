import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion, SavedQuestionRun } from '@sightline/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, EmptyState, FailedState } from '#ui/states.tsx';
import { runsQuery } from './queries.ts';

/** Videos that a saved question ran on, newest first. */
export function Runs({ question }: { question: SavedQuestion }) {
  const { t } = useLingui();
  const query = useInfiniteQuery(runsQuery(question.saved_question_id));
  return (
    <Section title={<Trans>Runs</Trans>} hint={<span className="break-words">{question.name}</span>}>
      <ListTable
        label={t`Runs`}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.runs) ?? []}
        columns={useColumns()}
        rowKey={({ run_id }) => run_id}
        empty={
          <EmptyState title={<Trans>No runs yet</Trans>}>
            <Trans>Each new video is listed here. Run the question on existing videos from its menu.</Trans>
          </EmptyState>
        }
      />
    </Section>
  );
}

function useColumns(): Column<SavedQuestionRun>[] {
  const { t } = useLingui();
  return [
    {
      id: 'created',
      header: t`Time`,
      className: 'num whitespace-nowrap align-top max-sm:hidden',
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
    {
      id: 'video',
      header: t`Video`,
      className: 'align-top',
      cell: ({ video_id, video_name, analysis_id }) => (
        <Link
          to="/videos/$videoId"
          params={{ videoId: video_id }}
          search={{ tab: 'events', analysis: analysis_id ?? undefined }}
          className="break-all font-medium hover:underline"
        >
          {video_name}
        </Link>
      ),
    },
    { id: 'status', header: t`Status`, className: 'align-top', cell: (run) => <RunState run={run} /> },
    { id: 'alerts', header: t`Alerts`, className: 'align-top', cell: (run) => <Alerts run={run} /> },
  ];
}

function RunState({ run: { status, message } }: { run: SavedQuestionRun }) {
  if (status === 'completed')
    return (
      <Badge tone="ok">
        <Trans>Completed</Trans>
      </Badge>
    );
  if (status === 'failed') return <FailedState message={message} />;
  return <Badge>{status === 'waiting' ? <Trans>Waiting</Trans> : <Trans>Running</Trans>}</Badge>;
}

function Alerts({ run: { status, matching_count, alert_count, silenced } }: { run: SavedQuestionRun }) {
  if (status !== 'completed') return '–';
  const reasons = {
    not_requested: <Trans>without alerts</Trans>,
    paused: <Trans>paused</Trans>,
    snoozed: <Trans>snoozed</Trans>,
    quiet_hours: <Trans>quiet hours</Trans>,
    cooldown: <Trans>soon after another alert</Trans>,
  };
  return (
    <>
      <p className="num">
        <Plural value={alert_count} _0="None" one="# alert" other="# alerts" />
      </p>
      {matching_count > 0 && (
        <p className="text-ink-3 text-sm">
          <Plural value={matching_count} one="# event" other="# events" />
          {silenced && <> · {reasons[silenced]}</>}
        </p>
      )}
    </>
  );
}
