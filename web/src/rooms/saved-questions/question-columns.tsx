import { Trans, useLingui } from '@lingui/react/macro';
import type { SavedQuestion } from '@sightline/sdk';
import { Ellipsis } from 'lucide-react';
import { serviceNow } from '#api/service-clock.ts';
import { useIsAdmin, useSession } from '#api/session.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import type { Column } from '#ui/lists/table.tsx';
import { Menu, MenuItem, MenuSeparator } from '#ui/overlays/menu.tsx';
import { Badge } from '#ui/states.tsx';

export type QuestionAction = { kind: 'change' | 'compare' | 'reading' | 'run' | 'delete'; question: SavedQuestion };
export type QuestionChanges = { enabled?: boolean; snoozed_until?: string };

type Handlers = {
  onRuns: (question: SavedQuestion) => void;
  onChange: (question: SavedQuestion, changes: QuestionChanges) => void;
  onAction: (action: QuestionAction) => void;
};

const HOUR_MS = 3_600_000;
const later = (hours: number) => new Date(serviceNow() + hours * HOUR_MS).toISOString();

export function useQuestionColumns({ onRuns, onChange, onAction }: Handlers): Column<SavedQuestion>[] {
  const { t } = useLingui();
  const { user_id } = useSession();
  const isAdmin = useIsAdmin();
  return [
    {
      id: 'name',
      header: t`Question`,
      sort: ({ name }) => name,
      cell: ({ name, query, folder_id, folder_name }) => (
        <div className="min-w-0">
          <p className="break-words font-medium">{name}</p>
          <p className="line-clamp-2 max-w-prose break-words text-ink-2 text-sm">{query}</p>
          <p className="text-ink-3 text-sm">
            {folder_id === null ? <Trans>All folders</Trans> : <Trans>only in {folder_name ?? folder_id}</Trans>}
          </p>
        </div>
      ),
    },
    { id: 'state', header: t`Status`, sort: ({ state }) => state, cell: (each) => <State of={each} /> },
    {
      id: 'alert',
      header: t`Last alert`,
      className: 'num whitespace-nowrap max-md:hidden',
      sort: ({ last_alert_at }) => last_alert_at,
      cell: ({ last_alert_at }) => (last_alert_at === null ? '–' : <Ago time={last_alert_at} />),
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (question) => (
        <div className="flex justify-end gap-1">
          <Button
            look="ghost"
            className="max-sm:hidden"
            aria-label={t`Runs of ${question.name}`}
            onClick={() => onRuns(question)}
          >
            <Trans>Runs</Trans>
          </Button>
          <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t`More for ${question.name}`} />}>
            <MenuItem onSelect={() => onRuns(question)}>{t`Show runs`}</MenuItem>
            {(isAdmin || question.owner_id === user_id) && (
              <>
                <MenuItem onSelect={() => onAction({ kind: 'run', question })}>{t`Run on existing videos`}</MenuItem>
                <MenuItem onSelect={() => onAction({ kind: 'compare', question })}>{t`Try a change`}</MenuItem>
                <MenuItem onSelect={() => onAction({ kind: 'change', question })}>{t`Edit`}</MenuItem>
                {question.reading?.state === 'declined' && (
                  <MenuItem
                    onSelect={() => onAction({ kind: 'reading', question })}
                  >{t`Accept other reading`}</MenuItem>
                )}
                <MenuSeparator />
                <MenuItem onSelect={() => onChange(question, { enabled: !question.enabled })}>
                  {question.enabled ? t`Pause` : t`Resume`}
                </MenuItem>
                {question.state === 'snoozed' ? (
                  <MenuItem onSelect={() => onChange(question, { snoozed_until: later(0) })}>{t`End snooze`}</MenuItem>
                ) : (
                  <>
                    <MenuItem onSelect={() => onChange(question, { snoozed_until: later(1) })}>
                      {t`Snooze for an hour`}
                    </MenuItem>
                    <MenuItem onSelect={() => onChange(question, { snoozed_until: later(24) })}>
                      {t`Snooze for a day`}
                    </MenuItem>
                    <MenuItem onSelect={() => onChange(question, { snoozed_until: later(7 * 24) })}>
                      {t`Snooze for a week`}
                    </MenuItem>
                  </>
                )}
                <MenuSeparator />
                <MenuItem danger onSelect={() => onAction({ kind: 'delete', question })}>{t`Delete`}</MenuItem>
              </>
            )}
          </Menu>
        </div>
      ),
    },
  ];
}

function State({ of: { state, snoozed_until } }: { of: SavedQuestion }) {
  switch (state) {
    case 'active':
      return (
        <Badge tone="ok">
          <Trans>Active</Trans>
        </Badge>
      );
    case 'paused':
      return (
        <Badge>
          <Trans>Paused</Trans>
        </Badge>
      );
    case 'snoozed':
      return (
        <>
          <Badge tone="warn">
            <Trans>Snoozed</Trans>
          </Badge>
          <p className="text-ink-2 text-sm">
            <Trans>until {formatDateTime(snoozed_until!)}</Trans>
          </p>
        </>
      );
    case 'folder_deleted':
      return (
        <Badge tone="bad">
          <Trans>Folder deleted</Trans>
        </Badge>
      );
    default:
      return (
        <Badge tone="bad">
          <Trans>Owner left</Trans>
        </Badge>
      );
  }
}
