import { Trans, useLingui } from '@lingui/react/macro';
import type { AuditEvent } from '@sightline/sdk';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Download, X } from 'lucide-react';
import { api } from '#api/client.ts';
import { cursorPages } from '#api/pages.ts';
import { useIsAdmin } from '#api/session.ts';
import type { SettingsSearch } from '#frame/search-params.ts';
import { membersQuery } from '#rooms/accounts/settings/members-query.ts';
import { clientName } from '#rooms/accounts/settings/user-agent.ts';
import { AdminOnly } from '#rooms/settings/admin-only.tsx';
import { Button } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { formatDateTime } from '#ui/format/format.ts';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, EmptyState } from '#ui/states.tsx';
import { ACTIONS, actionName } from './actions.ts';

const PAGE_SIZE = 100;
const EXPORT = '/api/audit-events/export';

const auditQuery = ({ action, user, outcome, subject }: SettingsSearch) =>
  infiniteQueryOptions({
    queryKey: ['audit-events', { action, user, outcome, subject }],
    ...cursorPages,
    queryFn: async ({ pageParam, signal }) => {
      const query = { limit: PAGE_SIZE, cursor: pageParam, action, user_id: user, outcome, subject_id: subject };
      return (await api.GET('/api/audit-events', { params: { query }, signal })).data!;
    },
  });

export function AuditSection() {
  return (
    <Section
      title={<Trans>Audit log</Trans>}
      hint={<Trans>What was changed, exported and shared in your organization, by whom, and what was refused.</Trans>}
    >
      {useIsAdmin() ? <AuditLog /> : <AdminOnly />}
    </Section>
  );
}

function AuditLog() {
  const { t } = useLingui();
  const search = useSearch({ from: '/app/settings/$section' });
  const { subject } = search;
  const navigate = useNavigate({ from: '/settings/$section' });
  const query = useInfiniteQuery(auditQuery(search));
  const members = useInfiniteQuery(membersQuery).data?.pages.flatMap((page) => page.members) ?? [];
  const filter = (changes: SettingsSearch) => void navigate({ search: { ...search, ...changes }, replace: true });
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <Select
          label={t`Action`}
          value={search.action ?? ''}
          options={[
            { value: '', label: t`All actions` },
            ...Object.entries(ACTIONS).map(([value, name]) => ({ value, label: t(name) })),
          ]}
          onChange={(action) => filter({ action: action || undefined })}
        />
        <Select
          label={t`User`}
          value={search.user ?? ''}
          options={[
            { value: '', label: t`All users` },
            ...members.map(({ user_id, email }) => ({ value: user_id, label: email })),
          ]}
          onChange={(user) => filter({ user: user || undefined })}
        />
        <Select
          label={t`Outcome`}
          value={search.outcome ?? ''}
          options={[
            { value: '', label: t`All outcomes` },
            { value: 'succeeded', label: t`Succeeded` },
            { value: 'refused', label: t`Refused` },
          ]}
          onChange={(outcome) => filter({ outcome: outcome ? (outcome as 'succeeded' | 'refused') : undefined })}
        />
        {subject && (
          <Button icon={X} onClick={() => filter({ subject: undefined })}>
            <Trans>Only object {subject}</Trans>
          </Button>
        )}
        <Menu
          align="end"
          trigger={
            <Button icon={Download} className="ml-auto">
              <Trans>Export</Trans>
            </Button>
          }
        >
          <MenuItem onSelect={() => window.location.assign(`${EXPORT}?format=csv`)}>{t`Whole log as CSV`}</MenuItem>
          <MenuItem onSelect={() => window.location.assign(`${EXPORT}?format=ndjson`)}>
            {t`Whole log as JSON lines`}
          </MenuItem>
        </Menu>
      </div>
      <ListTable
        label={t`Audit log`}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.events) ?? []}
        columns={useColumns((id) => filter({ subject: id }))}
        rowKey={({ event_id }) => event_id}
        empty={
          <EmptyState title={<Trans>No entries</Trans>}>
            <Trans>The log has no entries of this kind.</Trans>
          </EmptyState>
        }
      />
    </>
  );
}

function useColumns(onSubject: (subject: string) => void): Column<AuditEvent>[] {
  const { t } = useLingui();
  return [
    {
      id: 'at',
      header: t`Time`,
      className: 'num align-top sm:whitespace-nowrap',
      cell: ({ at }) => formatDateTime(at),
    },
    {
      id: 'action',
      header: t`Action`,
      className: 'align-top',
      cell: ({ action, outcome, detail, subject_id, email }) => {
        const name = actionName(action);
        return (
          <>
            <p className="font-medium">
              {name ? t(name) : action}
              {outcome === 'refused' && (
                <>
                  {' '}
                  <Badge tone="bad">{t`Refused`}</Badge>
                </>
              )}
            </p>
            <p className="text-ink-2 text-sm wrap-anywhere sm:hidden">{email ?? t`Operator or unknown`}</p>
            <Detail detail={detail} />
            <button
              type="button"
              className="num break-all text-left text-ink-2 text-xs hover:underline"
              aria-label={t`All entries of ${subject_id}`}
              onClick={() => onSubject(subject_id)}
            >
              {subject_id}
            </button>
          </>
        );
      },
    },
    {
      id: 'user',
      header: t`User`,
      // Narrow screens show the user with the action: the table would scroll sideways, and clip the action.
      className: 'align-top max-sm:hidden',
      cell: ({ email, key_id }) => (
        <>
          {email ?? <span className="text-ink-3">{t`Operator or unknown`}</span>}
          {key_id && <p className="text-ink-3 text-sm">{t`with an API key`}</p>}
        </>
      ),
    },
    {
      id: 'origin',
      header: t`Origin`,
      className: 'num align-top max-md:hidden',
      cell: ({ address, user_agent }) => (
        <>
          {address ?? '–'}
          <p className="text-ink-3 text-sm">{clientName(user_agent)}</p>
        </>
      ),
    },
  ];
}

/** The details of an entry as `name: value`, in the words of the API. */
function Detail({ detail }: { detail: AuditEvent['detail'] }) {
  const parts = Object.entries(detail).map(([name, value]) => `${name.replaceAll('_', ' ')}: ${toText(value)}`);
  return (
    <p className="line-clamp-2 max-w-prose text-ink-2 text-sm wrap-anywhere" lang="en">
      {parts.join(' · ')}
    </p>
  );
}

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/;

/** A value of the API as people read it: times in their time zone, lists with commas. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return TIMESTAMP.test(value) ? formatDateTime(value) : value;
}
