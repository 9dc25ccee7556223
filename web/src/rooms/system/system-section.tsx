import { Trans, useLingui } from '@lingui/react/macro';
import type { SystemInfo } from '@sightline/sdk';
import { useQuery } from '@tanstack/react-query';
import { BookOpen } from 'lucide-react';
import { useIsAdmin, useSession } from '#api/session.ts';
import { buttonClass } from '#ui/controls/button.tsx';
import { formatNumber } from '#ui/format/format.ts';
import { type Column, Table } from '#ui/lists/table.tsx';
import { Facts, Section } from '#ui/section.tsx';
import { ServiceText } from '#ui/service-text.tsx';
import { Badge, ErrorNotice, Skeleton } from '#ui/states.tsx';
import { ModelsSection } from './models-section.tsx';
import { observerName } from './observer-names.ts';
import { systemQuery } from './system-query.ts';
import { VisionProfiles } from './vision-profiles.tsx';
import { WorkloadSection } from './workload/workload-section.tsx';

type Observer = SystemInfo['observers'][number];

/** The service: version, parts that analyze videos, storage. */
export function SystemSection() {
  const { t } = useLingui();
  const isAdmin = useIsAdmin();
  const { operates_service } = useSession();
  const { data, error, refetch } = useQuery(systemQuery);
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-64" />;
  return (
    <>
      <Section
        title={<Trans>Service</Trans>}
        action={
          <a href="/docs" target="_blank" rel="noopener" className={buttonClass('plain')}>
            <BookOpen size={15} aria-hidden />
            <Trans>API documentation</Trans>
          </a>
        }
      >
        <Facts
          facts={[
            [t`Version`, data.version],
            [t`Engine`, data.engine.version],
            [t`Media library`, data.engine.media],
            [t`Runs as`, data.runs_as.user ?? t`An account without a name`],
            [t`Media processes`, <Containment key="containment" sandbox={data.sandbox} />],
            [t`Storage`, data.storage === 'file' ? t`Data folder` : data.storage.toUpperCase()],
            [t`Search among frames`, <VectorSearch key="vectors" state={data.vector_search} />],
            [t`Vision-language model`, data.vision_model ?? <span className="text-ink-3">{t`Not configured`}</span>],
            [t`Language model`, <LanguageModel key="language" model={data.language_model} />],
          ]}
        />
      </Section>
      {isAdmin && operates_service && <WorkloadSection />}
      {isAdmin && <ModelsSection />}
      {data.vision_profiles.length > 0 && <VisionProfiles profiles={data.vision_profiles} />}
      <Observers observers={data.observers} />
    </>
  );
}

/** Containment of the processes that read files of users, with what this system lacks. */
function Containment({ sandbox }: { sandbox: SystemInfo['sandbox'] }) {
  const { t } = useLingui();
  const { level, missing } = sandbox;
  const byRemedy = Map.groupBy(missing, ({ remedy }) => remedy);
  return (
    <span className="flex flex-wrap items-center gap-2">
      {level === 'isolated' && t`Isolated: no network, no files but those of their task`}
      {level === 'user' && t`As other users of this system`}
      {level === 'limits' && t`With limits only`}
      {level === 'none' && t`Not contained`}
      {level !== 'isolated' && <Badge tone="warn">{t`Not isolated`}</Badge>}
      {[...byRemedy].map(([remedy, lacking]) => (
        <span key={remedy} className="basis-full text-ink-2">
          <ServiceText>{`${lacking.map(({ protection }) => protection).join(', ')}: ${remedy}`}</ServiceText>
        </span>
      ))}
    </span>
  );
}

/** The search among frames: its method, and the number of vectors that it has. */
function VectorSearch({ state }: { state: SystemInfo['vector_search'] }) {
  const { t } = useLingui();
  const { method, version, stored, memory, reason } = state;
  const short = (count: number) => formatNumber(count, { notation: 'compact', maximumFractionDigits: 1 });
  const [total, most] = [short(stored ?? 0), short(memory)];
  return (
    <span className="flex flex-wrap items-center gap-2">
      {method === 'pgvector' ? t`Index of pgvector ${version ?? ''}` : t`Exact; fits in memory until ${most} vectors`}
      {stored !== null && <span className="num text-ink-2">{t`Stored vectors: ${total}`}</span>}
      {method === 'exact' && (stored ?? 0) > memory && <Badge tone="warn">{t`Slow`}</Badge>}
      {reason && (
        <span className="basis-full text-ink-2">
          <ServiceText>{reason}</ServiceText>
        </span>
      )}
    </span>
  );
}

/** The model that reads prompts, and why it is not used. */
function LanguageModel({ model }: { model: SystemInfo['language_model'] }) {
  const { t } = useLingui();
  if (!model) return <span className="text-ink-3">{t`Not configured`}</span>;
  return (
    <span className="flex flex-wrap items-center gap-2">
      {model.model}
      {model.state === 'failing' && <Badge tone="warn">{t`Failing`}</Badge>}
      {model.state === 'doubted' && <Badge tone="warn">{t`Not used`}</Badge>}
      {model.reason && (
        <span className="text-ink-2">
          <ServiceText>{model.reason}</ServiceText>
        </span>
      )}
    </span>
  );
}

function Observers({ observers }: { observers: readonly Observer[] }) {
  const { t } = useLingui();
  const columns: Column<Observer>[] = [
    {
      id: 'name',
      header: t`Observer`,
      cell: ({ kind }) => {
        const name = observerName(kind);
        return name ? t(name) : kind;
      },
    },
    {
      id: 'state',
      header: t`Status`,
      cell: ({ available, reason }) => (
        <div className="flex flex-wrap items-center gap-2">
          {available ? <Badge tone="ok">{t`Available`}</Badge> : <Badge tone="warn">{t`Not available`}</Badge>}
          {reason && (
            <span className="text-ink-2">
              <ServiceText>{reason}</ServiceText>
            </span>
          )}
        </div>
      ),
    },
    {
      id: 'version',
      header: t`Version`,
      className: 'num font-mono text-ink-2 text-sm max-sm:hidden',
      cell: ({ version }) => version ?? '–',
    },
  ];
  return (
    <Section
      title={<Trans>Observers</Trans>}
      hint={<Trans>Each video is observed once; all questions use what they stored.</Trans>}
    >
      <Table label={t`Observers`} rows={observers} columns={columns} rowKey={({ kind }) => kind} />
    </Section>
  );
}
