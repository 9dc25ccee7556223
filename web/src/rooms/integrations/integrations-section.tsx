import { Trans, useLingui } from '@lingui/react/macro';
import type { Integration, IntegrationTest } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, Plus } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { useIsAdmin } from '#api/session.ts';
import { Button, buttonClass, IconButton } from '#ui/controls/button.tsx';
import { TestButton } from '#ui/controls/test-button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog, Dialog } from '#ui/overlays/dialog.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { Badge, EmptyState } from '#ui/states.tsx';
import { IntegrationDialog } from './integration-dialog.tsx';
import { integrationsQuery, locationOf, TYPES } from './integration-query.ts';

type Action = { kind: 'create' } | { kind: 'change' | 'delete'; integration: Integration };
type Tested = { integration: Integration; result: IntegrationTest };

/** Saved access to buckets. */
export function IntegrationsSection() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const [action, setAction] = useState<Action | null>(null);
  const [tested, setTested] = useState<Tested | null>(null);
  const query = useQuery(integrationsQuery);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['integrations'] });

  async function test(integration: Integration) {
    try {
      const path = { integration_id: integration.id };
      const { data } = await api.POST('/api/cloud-integrations/{integration_id}/test', { params: { path } });
      setTested({ integration, result: data! });
    } catch (error) {
      showError(error);
    }
  }
  const createButton = (look: 'primary' | 'plain') => (
    <Button icon={Plus} look={look} onClick={() => setAction({ kind: 'create' })}>
      <Trans>Add integration</Trans>
    </Button>
  );
  return (
    <Section
      title={<Trans>Integrations</Trans>}
      hint={<Trans>Saved access to buckets, for imports. Credentials are encrypted and never shown.</Trans>}
      action={(query.data?.length ?? 0) > 0 && createButton('plain')}
    >
      <ListTable
        label={t`Integrations`}
        query={query}
        rows={query.data ?? []}
        columns={useColumns({ onTest: test, onAction: setAction })}
        rowKey={({ id }) => id}
        empty={
          <EmptyState title={<Trans>No integrations yet</Trans>} action={createButton('primary')}>
            <Trans>Connect a bucket of S3, Google Cloud Storage or Hugging Face to import videos from it.</Trans>
          </EmptyState>
        }
      />
      {action && action.kind !== 'delete' && (
        <IntegrationDialog
          changed={action.kind === 'change' ? action.integration : null}
          onClose={() => setAction(null)}
          onSaved={() => void refresh()}
        />
      )}
      <ConfirmDialog
        open={action?.kind === 'delete'}
        onClose={() => setAction(null)}
        title={<Trans>Delete the integration “{action?.kind === 'delete' ? action.integration.name : ''}”?</Trans>}
        action={<Trans>Delete integration</Trans>}
        look="danger"
        onConfirm={async () => {
          const path = { integration_id: action?.kind === 'delete' ? action.integration.id : '' };
          await api.DELETE('/api/cloud-integrations/{integration_id}', { params: { path } });
          await refresh();
        }}
      >
        <Trans>Its credentials are erased and its scheduled imports end. Imported videos stay.</Trans>
      </ConfirmDialog>
      <TestResult tested={tested} onClose={() => setTested(null)} />
    </Section>
  );
}

function TestResult({ tested, onClose }: { tested: Tested | null; onClose: () => void }) {
  return (
    <Dialog open={tested !== null} onClose={onClose} title={<Trans>Test of {tested?.integration.name ?? ''}</Trans>}>
      {tested && (
        <div className="grid justify-items-start gap-2">
          {tested.result.ok ? (
            <Badge tone="ok">
              <Trans>Works</Trans>
            </Badge>
          ) : (
            <Badge tone="bad">
              <Trans>Does not work</Trans>
            </Badge>
          )}
          <p className="break-words">
            <ServiceText>{tested.result.message}</ServiceText>
          </p>
          {tested.result.error && <p className="font-mono text-ink-3 text-xs">{tested.result.error}</p>}
        </div>
      )}
    </Dialog>
  );
}

function useColumns({
  onTest,
  onAction,
}: {
  onTest: (integration: Integration) => Promise<void>;
  onAction: (action: Action) => void;
}): Column<Integration>[] {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  return [
    {
      id: 'name',
      header: t`Name`,
      sort: ({ name }) => name,
      cell: (integration) => (
        <div className="min-w-0">
          <p className="font-medium">{integration.name}</p>
          <p className="break-all font-mono text-ink-2 text-xs">{locationOf(integration)}</p>
        </div>
      ),
    },
    { id: 'type', header: t`Type`, sort: ({ type }) => type, cell: ({ type }) => t(TYPES[type]) },
    {
      id: 'scope',
      header: t`For`,
      className: 'max-md:hidden',
      sort: ({ scope }) => scope,
      cell: ({ scope }) => (scope === 'org' ? t`Everyone` : t`Only you`),
    },
    {
      id: 'by',
      header: t`Created by`,
      className: 'max-lg:hidden',
      sort: ({ created_by_display_name }) => created_by_display_name,
      cell: ({ created_by_display_name }) => created_by_display_name,
    },
    {
      id: 'used',
      header: t`Last used`,
      className: 'num whitespace-nowrap max-sm:hidden',
      sort: ({ last_used }) => last_used,
      cell: ({ last_used }) => (last_used ? <Ago time={last_used} /> : t`Never`),
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (integration) => (
        <div className="flex justify-end gap-1">
          <Link
            to="/imports/new"
            search={{ integration: integration.id }}
            className={buttonClass('ghost', 'max-sm:hidden')}
          >
            <Trans>Import</Trans>
          </Link>
          <TestButton name={integration.name} onTest={() => onTest(integration)} />
          {(integration.is_owner || isAdmin) && (
            <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t`More for ${integration.name}`} />}>
              <MenuItem onSelect={() => onAction({ kind: 'change', integration })}>{t`Edit`}</MenuItem>
              <MenuItem danger onSelect={() => onAction({ kind: 'delete', integration })}>{t`Delete`}</MenuItem>
            </Menu>
          )}
        </div>
      ),
    },
  ];
}
