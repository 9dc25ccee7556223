import { Trans, useLingui } from '@lingui/react/macro';
import type { Webhook } from '@sightline/sdk';
import { Ellipsis } from 'lucide-react';
import { useFolderName } from '#api/folders-query.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { TestButton } from '#ui/controls/test-button.tsx';
import { Ago } from '#ui/format/ago.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { Badge } from '#ui/states.tsx';
import { EVENT_TYPES, FORMATS } from './event-types.ts';

export type WebhookAction = { kind: 'change' | 'rotate' | 'delete'; webhook: Webhook };

type Handlers = {
  onTest: (webhook: Webhook) => Promise<void>;
  onDeliveries: (webhook: Webhook) => void;
  onEnable: (webhook: Webhook, enabled: boolean) => Promise<void>;
  onAction: (action: WebhookAction) => void;
};

export function useWebhookColumns({ onTest, onDeliveries, onEnable, onAction }: Handlers): Column<Webhook>[] {
  const { t } = useLingui();
  return [
    {
      id: 'url',
      header: t`URL`,
      sort: ({ url }) => url,
      cell: ({ url, format, description, folder_id, topic }) => (
        <div className="min-w-0">
          <p className="break-all font-mono text-xs">{url}</p>
          {format !== 'standard' && <p className="text-ink-2 text-sm">{t(FORMATS[format])}</p>}
          {topic && <p className="break-all font-mono text-ink-2 text-xs">{topic}</p>}
          {description && <p className="text-ink-2 text-sm">{description}</p>}
          {folder_id && <FolderFilter id={folder_id} />}
        </div>
      ),
    },
    {
      id: 'types',
      header: t`Messages`,
      className: 'max-md:hidden',
      cell: ({ event_types: types }) =>
        types.length === 0 ? t`All` : types.map((type) => t(EVENT_TYPES[type])).join(', '),
    },
    {
      id: 'state',
      header: t`Status`,
      sort: ({ enabled }) => Number(enabled),
      cell: (webhook) => <WebhookState webhook={webhook} />,
    },
    {
      id: 'actions',
      header: t`Actions`,
      hideHeader: true,
      end: true,
      cell: (webhook) => (
        <div className="flex justify-end gap-1">
          <TestButton name={webhook.url} onTest={() => onTest(webhook)} />
          <Menu align="end" trigger={<IconButton icon={Ellipsis} label={t`More for ${webhook.url}`} />}>
            <MenuItem onSelect={() => onDeliveries(webhook)}>{t`Show deliveries`}</MenuItem>
            <MenuItem onSelect={() => onAction({ kind: 'change', webhook })}>{t`Edit`}</MenuItem>
            <MenuItem onSelect={() => void onEnable(webhook, !webhook.enabled)}>
              {webhook.enabled ? t`Disable` : t`Enable`}
            </MenuItem>
            <MenuItem onSelect={() => onAction({ kind: 'rotate', webhook })}>{t`Rotate secret`}</MenuItem>
            <MenuItem danger onSelect={() => onAction({ kind: 'delete', webhook })}>{t`Delete`}</MenuItem>
          </Menu>
        </div>
      ),
    },
  ];
}

function WebhookState({ webhook: { enabled, disabled_reason, failing_since, recipient } }: { webhook: Webhook }) {
  if (!enabled) {
    const reason = {
      failing: <Trans>Every message of three days failed</Trans>,
      removed: <Trans>The endpoint responded that it was removed</Trans>,
    };
    return (
      <>
        <Badge tone={disabled_reason ? 'bad' : 'neutral'}>
          <Trans>Disabled</Trans>
        </Badge>
        {disabled_reason && <p className="text-ink-2 text-sm">{reason[disabled_reason]}</p>}
      </>
    );
  }
  if (recipient === 'unconfirmed')
    return (
      <>
        <Badge tone="warn">
          <Trans>Waiting</Trans>
        </Badge>
        <p className="text-ink-2 text-sm">
          <Trans>The recipient has not confirmed yet. A test message sends the mail with the link again.</Trans>
        </p>
      </>
    );
  if (recipient === 'declined')
    return (
      <>
        <Badge tone="bad">
          <Trans>Declined</Trans>
        </Badge>
        <p className="text-ink-2 text-sm">
          <Trans>The recipient does not want these mails.</Trans>
        </p>
      </>
    );
  if (failing_since)
    return (
      <>
        <Badge tone="warn">
          <Trans>Failing</Trans>
        </Badge>
        <p className="whitespace-nowrap text-ink-2 text-sm">
          <Ago time={failing_since} />
        </p>
      </>
    );
  return (
    <Badge tone="ok">
      <Trans>Enabled</Trans>
    </Badge>
  );
}

function FolderFilter({ id }: { id: string }) {
  const name = useFolderName(id);
  return (
    <p className="text-ink-3 text-sm">
      <Trans>only in {name ?? id}</Trans>
    </p>
  );
}
