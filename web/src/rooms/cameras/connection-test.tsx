import { Trans, useLingui } from '@lingui/react/macro';
import type { CameraTest } from '@sightline/sdk';
import { Check, TriangleAlert, X } from 'lucide-react';
import { formatNumber } from '#ui/format/format.ts';
import { ServiceText } from '#ui/service-text.tsx';

type Step = CameraTest['steps'][number];

/** Steps of a connection test with their times, the first failed one with its reason. */
export function ConnectionTest({ test }: { test: CameraTest }) {
  const { t } = useLingui();
  const { steps, format, message, snapshot, source_url } = test;
  const names: Record<Step['step'], string> = {
    port: t`Connection`,
    sign_in: t`Sign-in`,
    first_frame: t`First frame`,
    format: format ? toFormat(format) : t`Format`,
  };
  return (
    <div className="grid gap-3 sm:grid-cols-[136px_minmax(0,1fr)]" role="status">
      {snapshot && (
        <img
          src={`data:image/jpeg;base64,${snapshot}`}
          alt={t`Frame of ${source_url}`}
          className="aspect-video w-full rounded-sm object-cover sm:w-34"
        />
      )}
      <ul className={snapshot ? 'grid content-start gap-0.5' : 'col-span-full grid gap-0.5'}>
        {steps.map((step) => (
          <li key={step.step} className="grid grid-cols-[16px_minmax(0,1fr)_auto] items-center gap-1.5">
            {step.ok ? (
              <Check size={14} aria-label={t`Passed`} className="text-ok" />
            ) : (
              <X size={14} aria-label={t`Failed`} className="text-bad" />
            )}
            <span className={step.ok ? undefined : 'text-bad'}>{names[step.step]}</span>
            <span className="num text-ink-3 text-sm">{toElapsed(step)}</span>
          </li>
        ))}
        {message && (
          <li className="pl-5.5 text-bad text-sm">
            <ServiceText>{message}</ServiceText>
          </li>
        )}
        {format && format.audio_codec === null && (
          <li className="grid grid-cols-[16px_minmax(0,1fr)] items-center gap-1.5 text-sm text-warn">
            <TriangleAlert size={14} aria-hidden />
            <Trans>No audio: questions about sounds find nothing</Trans>
          </li>
        )}
      </ul>
    </div>
  );
}

function toElapsed({ elapsed_ms: ms }: Step): string {
  if (ms === null) return '';
  return ms < 1_000 ? `${ms} ms` : `${formatNumber(ms / 1_000, { maximumFractionDigits: 2 })} s`;
}

function toFormat({ video_codec, width, height, frame_rate, bits_per_second }: NonNullable<CameraTest['format']>) {
  const rate = frame_rate === null ? '' : `, ${formatNumber(frame_rate, { maximumFractionDigits: 1 })} fps`;
  const bits = `${formatNumber(bits_per_second / 1e6, { maximumFractionDigits: 1 })} Mbit/s`;
  return `${video_codec.toUpperCase()}, ${width} × ${height}${rate}, ${bits}`;
}
