import { Trans, useLingui } from '@lingui/react/macro';
import type { Dataset } from '@sightline/sdk';
import { Download } from 'lucide-react';
import { api } from '#api/client.ts';
import { download } from '#rooms/exports/queries.ts';
import { Button, IconButton } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { Menu, MenuItem } from '#ui/overlays/menu.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';
import { PATH } from './queries.ts';

type Approval = 'approved' | 'rejected';

/** Downloads a dataset as JSON, with all events or only with those of a verdict. `compact`: as an icon, for lists. */
export function DownloadMenu({ dataset, compact }: { dataset: Dataset; compact?: boolean }) {
  const { t } = useLingui();
  const { show, showError } = useToasts();
  const { id, name } = dataset;
  const isRunning = dataset.status === 'processing';
  async function save(approval?: Approval) {
    try {
      const params = { path: { dataset_id: id }, query: { approval } };
      const { download_url } = (await api.GET(`${PATH}/download`, { params })).data!;
      if (download_url) download(download_url);
      else show(t`A question of the dataset is still running. Download it when it has ended.`);
    } catch (error) {
      showError(error);
    }
  }
  const { total, approved } = dataset.totals.event_counts;
  return (
    <Menu
      align="end"
      trigger={
        compact ? (
          <IconButton icon={Download} label={t`Download ${name}`} disabled={isRunning} />
        ) : (
          <Button icon={Download} look="primary" disabled={isRunning}>
            <Trans>Download</Trans>
          </Button>
        )
      }
    >
      <MenuItem onSelect={() => void save()}>
        <span className="flex-1">{t`With all events`}</span>
        <span className="num text-ink-3">{formatNumber(total)}</span>
      </MenuItem>
      <MenuItem disabled={approved === 0} onSelect={() => void save('approved')}>
        <span className="flex-1">{t`Approved events only`}</span>
        <span className="num text-ink-3">{approved}</span>
      </MenuItem>
    </Menu>
  );
}
