import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookWithSecret } from '@sightline/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { api, sightline } from '#api/client.ts';
import { useIsAdmin } from '#api/session.ts';
import { AdminOnly } from '#rooms/settings/admin-only.tsx';
import { Button } from '#ui/controls/button.tsx';
import { ListTable } from '#ui/lists/table.tsx';
import { ConfirmDialog } from '#ui/overlays/dialog.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { EmptyState } from '#ui/states.tsx';
import { Deliveries } from './deliveries.tsx';
import { webhooksQuery } from './queries.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookColumns, type WebhookAction } from './webhook-columns.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';

/** Messages to endpoints of the organization. */
export function WebhooksSection() {
  if (useIsAdmin()) return <Webhooks />;
  return (
    <Section title={<Trans>Webhooks</Trans>}>
      <AdminOnly />
    </Section>
  );
}

function Webhooks() {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const search = useSearch({ from: '/app/settings/$section' });
  const navigate = useNavigate({ from: '/settings/$section' });
  const [creating, setCreating] = useState(false);
  const [action, setAction] = useState<WebhookAction | null>(null);
  const [shown, setShown] = useState<WebhookWithSecret | null>(null);
  const query = useQuery(webhooksQuery);
  const selected = query.data?.find(({ webhook_id }) => webhook_id === search.webhook);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['webhooks'] });
  const select = (webhook: string | undefined, status?: typeof search.status) =>
    void navigate({ search: { ...search, webhook, status }, replace: true });

  async function ping({ webhook_id }: Webhook) {
    select(webhook_id);
    try {
      await sightline.pingWebhook(webhook_id);
      await refresh();
    } catch (error) {
      showError(error);
    }
  }
  async function setEnabled({ webhook_id }: Webhook, enabled: boolean) {
    try {
      await api.PATCH('/api/webhooks/{webhook_id}', { params: { path: { webhook_id } }, body: { enabled } });
      await refresh();
    } catch (error) {
      showError(error);
    }
  }
  const createButton = (look: 'primary' | 'plain') => (
    <Button icon={Plus} look={look} onClick={() => setCreating(true)}>
      <Trans>Create webhook</Trans>
    </Button>
  );
  const params = { path: { webhook_id: action?.webhook.webhook_id ?? '' } };
  return (
    <>
      <Section
        title={<Trans>Webhooks</Trans>}
        hint={
          <Trans>Signed messages about videos, analyses, events and imports to your own endpoints and chats.</Trans>
        }
        action={(query.data?.length ?? 0) > 0 && createButton('plain')}
      >
        <ListTable
          label={t`Webhooks`}
          query={query}
          rows={query.data ?? []}
          columns={useWebhookColumns({
            onTest: ping,
            onDeliveries: ({ webhook_id }) => select(webhook_id),
            onEnable: setEnabled,
            onAction: setAction,
          })}
          rowKey={({ webhook_id }) => webhook_id}
          empty={
            <EmptyState title={<Trans>No webhooks yet</Trans>} action={createButton('primary')}>
              <Trans>
                Create one to get a message, or to start something of your own, when a video is ready or an event was
                found.
              </Trans>
            </EmptyState>
          }
        />
      </Section>
      {selected && (
        <Deliveries
          webhook={selected}
          status={search.status}
          onStatus={(status) => select(selected.webhook_id, status)}
        />
      )}
      {(creating || action?.kind === 'change') && (
        <WebhookDialog
          changed={creating ? null : action!.webhook}
          onClose={() => {
            setCreating(false);
            setAction(null);
          }}
          onSaved={(created) => {
            setShown(created);
            void refresh();
          }}
        />
      )}
      {shown && <SecretDialog webhook={shown} onClose={() => setShown(null)} />}
      <ConfirmDialog
        open={action?.kind === 'rotate'}
        onClose={() => setAction(null)}
        title={<Trans>Rotate the secret of the webhook?</Trans>}
        action={<Trans>Rotate secret</Trans>}
        look="primary"
        onConfirm={async () => {
          const { data } = await api.POST('/api/webhooks/{webhook_id}/rotate-secret', { params, body: {} });
          setShown(data!);
          await refresh();
        }}
      >
        <Trans>For a day, messages are signed with the previous secret, too. Use the new one within this time.</Trans>
      </ConfirmDialog>
      <ConfirmDialog
        open={action?.kind === 'delete'}
        onClose={() => setAction(null)}
        title={<Trans>Delete the webhook?</Trans>}
        action={<Trans>Delete webhook</Trans>}
        look="danger"
        onConfirm={async () => {
          // Its deliveries must not be read again.
          if (params.path.webhook_id === search.webhook) select(undefined);
          await api.DELETE('/api/webhooks/{webhook_id}', { params });
          await queryClient.invalidateQueries({ queryKey: webhooksQuery.queryKey, exact: true });
        }}
      >
        <Trans>Its deliveries are deleted, and messages that wait are not sent.</Trans>
      </ConfirmDialog>
    </>
  );
}
