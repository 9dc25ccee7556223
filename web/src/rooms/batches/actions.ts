import type { Batch } from '@sightline/sdk';
import { useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { queries } from '#api/queries.ts';
import { useToasts } from '#ui/overlays/toasts.tsx';

/** Cancels a question, or asks it again on the videos where it failed or was canceled. Failures become messages. */
export function useBatchActions() {
  const { showError } = useToasts();
  const navigate = useNavigate();

  async function cancel({ batch_id }: Pick<Batch, 'batch_id'>) {
    try {
      await api.POST('/api/batch/{batch_id}/cancel', { params: { path: { batch_id } } });
    } catch (error) {
      showError(error);
    }
    await queries.invalidateQueries({ queryKey: ['batch', batch_id] });
    await queries.invalidateQueries({ queryKey: ['batches'] });
  }

  async function retry({ batch_id }: Pick<Batch, 'batch_id'>) {
    try {
      const { data } = await api.POST('/api/batch/{batch_id}/retry', { params: { path: { batch_id } } });
      void queries.invalidateQueries({ queryKey: ['batches'] });
      await navigate({ to: '/questions/$batchId', params: { batchId: data!.batch_id } });
    } catch (error) {
      showError(error);
    }
  }
  return { cancel, retry };
}

/** True if analyses of an ended question failed or were canceled. */
export const canRetry = (batch: Batch): boolean =>
  batch.status !== 'processing' && (batch.aggregated_progress.failed > 0 || batch.status === 'cancelled');
