import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook, WebhookDelivery } from '@sightline/sdk';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Button } from '#ui/controls/button.tsx';
import { Select } from '#ui/controls/select.tsx';
import { Ago } from '#ui/format/ago.tsx';
import { type Column, ListTable } from '#ui/lists/table.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { Section } from '#ui/section.tsx';
import { Badge, EmptyState } from '#ui/states.tsx';
import { typeName } from './event-types.ts';
import { type DeliveryStatus, deliveriesQuery } from './queries.ts';

/** Deliveries to a webhook in the last 30 days, newest first. */
export function Deliveries({
  webhook,
  status,
  onStatus,
}: {
  webhook: Webhook;
  status: DeliveryStatus | undefined;
  onStatus: (status: DeliveryStatus | undefined) => void;
}) {
  const { t } = useLingui();
  const queryClient = useQueryClient();
  const { showError } = useToasts();
  const { webhook_id, url } = webhook;
  const query = useInfiniteQuery(deliveriesQuery(webhook_id, status));

  async function resend({ delivery_id }: WebhookDelivery) {
    try {
      const params = { path: { webhook_id, delivery_id } };
      await api.POST('/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend', { params });
      await queryClient.invalidateQueries({ queryKey: ['webhooks', webhook_id] });
    } catch (error) {
      showError(error);
    }
  }
  return (
    <Section
      title={<Trans>Deliveries</Trans>}
      hint={<span className="break-all">{url}</span>}
      action={
        <Select<DeliveryStatus | ''>
          label={t`Status`}
          value={status ?? ''}
          options={[
            { value: '', label: t`All deliveries` },
            { value: 'pending', label: t`Waiting` },
            { value: 'delivered', label: t`Delivered` },
            { value: 'failed', label: t`Failed` },
          ]}
          onChange={(value) => onStatus(value === '' ? undefined : value)}
        />
      }
    >
      <ListTable
        label={t`Deliveries`}
        query={query}
        rows={query.data?.pages.flatMap((page) => page.deliveries) ?? []}
        columns={useColumns(webhook.enabled ? resend : null)}
        rowKey={({ delivery_id }) => delivery_id}
        empty={
          <EmptyState title={<Trans>No deliveries</Trans>}>
            <Trans>Messages of the last 30 days are listed here. Send a test message to try the webhook.</Trans>
          </EmptyState>
        }
      />
    </Section>
  );
}

function useColumns(onResend: ((delivery: WebhookDelivery) => Promise<void>) | null): Column<WebhookDelivery>[] {
  const { t } = useLingui();
  const nameOf = (type: string) => {
    const name = typeName(type);
    return name ? t(name) : type;
  };
  return [
    {
      id: 'created',
      header: t`Time`,
      className: 'num whitespace-nowrap align-top',
      cell: ({ created_at }) => <Ago time={created_at} />,
    },
    {
      id: 'type',
      header: t`Message`,
      className: 'align-top',
      cell: ({ type, subject }) => (
        <>
          <p className="font-medium">{nameOf(type)}</p>
          <p className="break-all font-mono text-ink-3 text-xs max-sm:hidden">{subject}</p>
        </>
      ),
    },
    { id: 'status', header: t`Status`, className: 'align-top', cell: (each) => <DeliveryState delivery={each} /> },
    {
      id: 'response',
      header: t`Response`,
      className: 'align-top max-md:hidden',
      cell: ({ response_status, duration_ms, response_excerpt, message }) => (
        <div className="max-w-sm">
          <p className="num">{response_status ? t`Status ${response_status} after ${duration_ms ?? 0} ms` : message}</p>
          {response_excerpt && (
            <p className="line-clamp-2 break-all font-mono text-ink-3 text-xs">{response_excerpt}</p>
          )}
        </div>
      ),
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      className: 'align-top',
      cell: (delivery) =>
        onResend && delivery.status !== 'pending' && <ResendButton onResend={() => onResend(delivery)} />,
    },
  ];
}

function ResendButton({ onResend }: { onResend: () => Promise<void> }) {
  const [busy, setBusy] = useState(false);
  return (
    <Button
      look="ghost"
      busy={busy}
      onClick={() => {
        setBusy(true);
        void onResend().finally(() => setBusy(false));
      }}
    >
      <Trans>Send again</Trans>
    </Button>
  );
}

function DeliveryState({ delivery: { status, attempts, next_attempt_at } }: { delivery: WebhookDelivery }) {
  if (status === 'delivered')
    return (
      <Badge tone="ok">
        <Trans>Delivered</Trans>
      </Badge>
    );
  if (status === 'failed')
    return (
      <Badge tone="bad">
        <Trans>Failed</Trans>
      </Badge>
    );
  return (
    <>
      <Badge>
        <Trans>Waiting</Trans>
      </Badge>
      {attempts > 0 && next_attempt_at && (
        <p className="whitespace-nowrap text-ink-3 text-sm">
          <Trans>
            Next attempt: <Ago time={next_attempt_at} />
          </Trans>
        </p>
      )}
    </>
  );
}
