import { Trans, useLingui } from '@lingui/react/macro';
import type { SystemInfo } from '@sightline/sdk';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { Badge } from '#ui/states.tsx';

type Profile = SystemInfo['vision_profiles'][number];

/** Vision-language models, with the state of their endpoints as this node knows it. */
export function VisionProfiles({ profiles }: { profiles: readonly Profile[] }) {
  const { t } = useLingui();
  const columns: Column<Profile>[] = [
    {
      id: 'name',
      header: t`Profile`,
      cell: ({ name, is_default, model }) => (
        <div className="grid">
          <span className="flex items-center gap-2">
            {name}
            {is_default && <Badge tone="neutral">{t`Default`}</Badge>}
          </span>
          <span className="text-ink-2 text-sm">{model}</span>
        </div>
      ),
    },
    {
      id: 'state',
      header: t`Status`,
      cell: ({ state, reason, clips }) => (
        <div className="flex flex-wrap items-center gap-2">
          {state === 'ok' && <Badge tone="ok">{t`Available`}</Badge>}
          {state === 'failing' && <Badge tone="warn">{t`Failing`}</Badge>}
          {state === 'unknown' && <span className="text-ink-3">{t`Not used yet`}</span>}
          {reason && (
            <span className="text-ink-2">
              <ServiceText>{reason}</ServiceText>
            </span>
          )}
          {clips.state === 'accepted' && <Badge tone="neutral">{t`Frames as clips`}</Badge>}
          {clips.reason && (
            <span className="text-ink-2">
              {t`Images instead of clips:`} <ServiceText>{clips.reason}</ServiceText>
            </span>
          )}
        </div>
      ),
    },
    {
      id: 'price',
      header: t`Price per million tokens`,
      className: 'num text-ink-2 text-sm max-sm:hidden',
      cell: ({ input_price, output_price }) => `${formatNumber(input_price)} / ${formatNumber(output_price)}`,
    },
  ];
  return (
    <Section
      title={<Trans>Vision-language models</Trans>}
      hint={<Trans>Queries and folders may name another profile than the default one.</Trans>}
    >
      <Table label={t`Vision-language models`} rows={profiles} columns={columns} rowKey={({ name }) => name} />
    </Section>
  );
}
