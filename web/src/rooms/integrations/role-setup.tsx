import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { CopyField } from '#ui/controls/copy.tsx';
import { ErrorNotice, Skeleton } from '#ui/states.tsx';

/** The trust policy that a role in the user's AWS account needs. */
export function RoleSetup() {
  const { t } = useLingui();
  const { data, error, refetch } = useQuery({
    queryKey: ['role-setup'],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/cloud-integrations/s3-storage-transfer/setup', { signal })).data!,
  });
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-32" />;
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">
        <Trans>
          Create a role in your AWS account with this trust policy, and allow it s3:ListBucket and s3:GetObject on the
          bucket. No keys are stored.
        </Trans>
      </p>
      <CopyField label={t`Trust policy`} text={JSON.stringify(data.aws_trust_policy_template, null, 2)} block />
    </div>
  );
}
