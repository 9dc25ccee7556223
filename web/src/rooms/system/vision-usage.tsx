import { Trans, useLingui } from '@lingui/react/macro';
import type { Usage } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { formatMonth, formatNumber } from '#ui/format/format.ts';
import { Facts, Section } from '#ui/section.tsx';
import { Meter } from './meter.tsx';
import { systemQuery } from './system-query.ts';

/** Tokens and money of this month; nothing on a service that has no model and used none. */
export function VisionUsage({ usage }: { usage: Usage['vision'] }) {
  const { t } = useLingui();
  const { data: system } = useQuery(systemQuery);
  if (usage.calls === 0 && !system?.vision && !system?.language_model) return null;
  const formatCost = (cost: number) => formatNumber(cost, { maximumFractionDigits: 2 });
  return (
    <Section
      title={<Trans>Vision-language and language models</Trans>}
      hint={<Trans>{formatMonth(usage.month)} (UTC). Answers from the cache are free and do not count.</Trans>}
    >
      <div className="mb-4 grid max-w-2xl gap-5 sm:grid-cols-2">
        <Meter
          label={t`Tokens`}
          used={usage.input_tokens + usage.output_tokens}
          limit={usage.max_tokens}
          format={formatNumber}
        />
        <Meter label={t`Cost`} used={usage.cost} limit={usage.max_cost} format={formatCost} />
      </div>
      <Facts
        facts={[
          [t`Calls`, formatNumber(usage.calls)],
          [t`Input tokens`, formatNumber(usage.input_tokens)],
          [t`Output tokens`, formatNumber(usage.output_tokens)],
        ]}
      />
    </Section>
  );
}
