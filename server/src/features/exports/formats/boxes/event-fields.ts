import { rounded } from '#platform/numbers';
import type { ExportedEvent } from '../../types.ts';

/** Fields of the event of an image, so that the file can be imported as labels again. */
export const toEventFields = ({ label, severity, approval, startS, endS, startAt, endAt }: ExportedEvent) => ({
  label,
  severity,
  approval,
  start_s: rounded(startS),
  end_s: rounded(endS),
  start_at: startAt,
  end_at: endAt,
});
