import { Trans, useLingui } from '@lingui/react/macro';
import type { ApiKey, CreatedApiKey } from '@sightline/sdk';
import { infiniteQueryOptions, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useFolderName } from '#api/folders-query.ts';
import { cursorPages } from '#api/pages.ts';
import { useIsAdmin } from '#api/session.ts';
import { AdminOnly } from '#rooms/settings/admin-only.tsx';
import { Button } from '#ui/controls/button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, EmptyState } from '#ui/states.tsx';
import { CreateKeyDialog } from './create-key-dialog.tsx';
import { CreatedKeyDialog } from './created-key-dialog.tsx';

const PAGE_SIZE = 100;

const keysQuery = infiniteQueryOptions({
  queryKey: ['keys'],
  ...cursorPages,
  queryFn: async ({ pageParam, signal }) =>
    (await api.GET('/api/keys', { params: { query: { limit: PAGE_SIZE, cursor: pageParam } }, signal })).data!,
});

export function KeysSection() {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  const queryClient = useQueryClient();
  const [creating, setCreating] = useState(false);
  const [created, setCreated] = useState<CreatedApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const query = useInfiniteQuery(keysQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['keys'] });
  const rows = query.data?.pages.flatMap((page) => page.keys) ?? [];
  const createButton = (look: 'primary' | 'plain') =>
    isAdmin && (
      <Button icon={KeyRound} look={look} onClick={() => setCreating(true)}>
        <Trans>Create key</Trans>
      </Button>
    );
  return (
    <Section
      title={<Trans>API keys</Trans>}
      hint={<Trans>Programs use the API with a key. It acts in the name of the user who created it.</Trans>}
      action={rows.length > 0 && createButton('plain')}
    >
      {!isAdmin && (
        <div className="mb-3">
          <AdminOnly />
        </div>
      )}
      <ListTable
        label={t`API keys`}
        query={query}
        rows={rows}
        columns={useColumns(isAdmin ? setRevoking : null)}
        rowKey={({ key_id }) => key_id}
        empty={
          <EmptyState title={<Trans>No keys yet</Trans>} action={createButton('primary')}>
            <Trans>Create one for a script, the command line or a pipeline.</Trans>
          </EmptyState>
        }
      />
      {creating && (
        <CreateKeyDialog
          onClose={() => setCreating(false)}
          onCreated={(key) => {
            setCreated(key);
            void refresh();
          }}
        />
      )}
      {created && <CreatedKeyDialog created={created} onClose={() => setCreated(null)} />}
      <ConfirmDialog
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={<Trans>Revoke the key “{revoking?.name}”?</Trans>}
        action={<Trans>Revoke key</Trans>}
        look="danger"
        onConfirm={async () => {
          await api.DELETE('/api/keys/{key_id}', { params: { path: { key_id: revoking!.key_id } } });
          await refresh();
        }}
      >
        <Trans>Programs that use it are refused within a second. A revoked key cannot be restored.</Trans>
      </ConfirmDialog>
    </Section>
  );
}

function useColumns(onRevoke: ((key: ApiKey) => void) | null): Column<ApiKey>[] {
  const { t } = useLingui();
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: ({ name, prefix, email }) => (
        <div className="min-w-0">
          <p className="break-words font-medium">{name}</p>
          <p className="break-words text-ink-3 text-sm">
            <span className="font-mono text-xs">{prefix}…</span> · {email}
          </p>
        </div>
      ),
    },
    {
      id: 'state',
      header: t`Status`,
      sort: ({ status }) => status,
      cell: (key) => <KeyState apiKey={key} />,
    },
    {
      id: 'scopes',
      header: t`Permissions`,
      className: 'max-sm:hidden',
      cell: ({ scopes, folder_id }) => (
        <>
          {scopes.join(', ')}
          {folder_id && <FolderLimit id={folder_id} />}
        </>
      ),
    },
    {
      id: 'used',
      header: t`Last used`,
      className: 'num whitespace-nowrap',
      sort: ({ last_used_at }) => last_used_at,
      cell: ({ last_used_at }) => (last_used_at ? <Ago time={last_used_at} /> : t`Never`),
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (key) =>
        onRevoke &&
        key.status === 'active' && (
          <Button look="ghost" aria-label={t`Revoke ${key.name}`} onClick={() => onRevoke(key)}>
            <Trans>Revoke</Trans>
          </Button>
        ),
    },
  ];
}

function KeyState({ apiKey: { status, revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (status === 'active')
    return (
      <>
        <Badge tone="ok">
          <Trans>Active</Trans>
        </Badge>
        <p className="num whitespace-nowrap text-ink-3 text-sm">
          <Trans>
            expires <Ago time={expires_at} />
          </Trans>
        </p>
      </>
    );
  return <Badge>{revoked_at ? <Trans>Revoked</Trans> : <Trans>Expired</Trans>}</Badge>;
}

function FolderLimit({ id }: { id: string }) {
  const name = useFolderName(id);
  return (
    <p className="text-ink-3 text-sm">
      <Trans>only in {name ?? id}</Trans>
    </p>
  );
}
