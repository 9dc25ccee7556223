import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { formatBytes, formatNumber, formatTime } from '#ui/format/format.ts';
import { Facts, Section } from '#ui/section.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';
import { Meter } from './meter.tsx';
import { systemQuery } from './system-query.ts';
import { VisionUsage } from './vision-usage.tsx';

const usageQuery = {
  queryKey: ['usage'],
  queryFn: async ({ signal }: { signal: AbortSignal }) => (await api.GET('/api/usage', { signal })).data!,
};

/** Usage of the organization, and the limits of the service. */
export function UsageSection() {
  return (
    <>
      <UsedAmounts />
      <Limits />
    </>
  );
}

function UsedAmounts() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(usageQuery);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-28" />;
  return (
    <>
      <Section title={<Trans>Usage</Trans>} hint={<Trans>Videos in the trash count until they are deleted.</Trans>}>
        <div className="grid max-w-2xl gap-5 sm:grid-cols-2">
          <Meter label={t`Videos`} used={data.videos} limit={data.max_videos} format={formatNumber} />
          <Meter label={t`Storage`} used={data.bytes} limit={data.max_bytes} format={formatBytes} />
        </div>
      </Section>
      <VisionUsage usage={data.vision} />
    </>
  );
}

function Limits() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery(systemQuery);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40" />;
  const { limits } = data;
  return (
    <Section title={<Trans>Limits</Trans>} hint={<Trans>The operator of the service sets them.</Trans>}>
      <Facts
        facts={[
          [t`Size of a file`, formatBytes(limits.upload_bytes)],
          [t`Length of a video`, formatTime(limits.video_seconds, 0)],
          [t`Videos of a question`, formatNumber(limits.videos_per_query)],
          [t`Characters of a question`, formatNumber(limits.query_length)],
          [t`Size of a request`, formatBytes(limits.json_bytes)],
          [t`Reads per minute`, formatNumber(limits.reads_per_minute)],
          [t`Writes per minute`, formatNumber(limits.writes_per_minute)],
          [t`Writes per day`, formatNumber(limits.writes_per_day)],
        ]}
      />
    </Section>
  );
}
