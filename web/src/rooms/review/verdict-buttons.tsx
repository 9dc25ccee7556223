import { useLingui } from '@lingui/react/macro';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Check, X } from 'lucide-react';
import { sightline } from '#api/client.ts';
import { classes } from '#ui/classes.ts';
import { IconButton } from '#ui/controls/button.tsx';
import { useToasts } from '#ui/overlays/toasts.tsx';

/** Approves or rejects an event where it is listed; a second press withdraws the verdict. */
export function VerdictButtons({ eventId, approval }: { eventId: string; approval: string }) {
  const { t } = useLingui();
  const { showError } = useToasts();
  const queries = useQueryClient();
  const { mutate, variables, isPending } = useMutation({
    mutationFn: (next: 'approved' | 'rejected' | 'pending') => sightline.review([eventId], { approval: next }),
    onError: showError,
    onSuccess: () =>
      Promise.all(
        ['analysis', 'batch-documents', 'events', 'review-count', 'datasets', 'comparison'].map((key) =>
          queries.invalidateQueries({ queryKey: [key] }),
        ),
      ),
  });
  const shown = isPending ? variables : approval;
  const toggle = (verdict: 'approved' | 'rejected') => mutate(shown === verdict ? 'pending' : verdict);
  return (
    <span className="relative flex">
      <IconButton
        icon={Check}
        label={t`Approve`}
        pressed={shown === 'approved'}
        className={classes('size-6!', shown === 'approved' && 'text-ok!')}
        onClick={() => toggle('approved')}
      />
      <IconButton
        icon={X}
        label={t`Reject`}
        pressed={shown === 'rejected'}
        className={classes('size-6!', shown === 'rejected' && 'text-bad!')}
        onClick={() => toggle('rejected')}
      />
    </span>
  );
}
