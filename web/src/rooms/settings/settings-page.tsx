import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { Link, useParams } from '@tanstack/react-router';
import { type ComponentType, Suspense, useEffect, useRef } from 'react';
import { lazyComponent } from '#api/lazy-component.ts';
import { NotFound } from '#frame/errors.tsx';
import { Title } from '#frame/page-slots.tsx';
import { SETTINGS } from '#frame/places.tsx';
import { Skeleton } from '#ui/states.tsx';

type SettingsSection = { name: MessageDescriptor; content: ComponentType };
const section = (name: MessageDescriptor, load: () => Promise<ComponentType>): SettingsSection => ({
  name,
  content: lazyComponent(load),
});

/** Sections by the last part of their path, in groups. */
const GROUPS: { name: MessageDescriptor; sections: Record<string, SettingsSection> }[] = [
  {
    name: msg`Your account`,
    sections: {
      profile: section(
        SETTINGS.profile,
        async () => (await import('#rooms/accounts/settings/profile-section.tsx')).ProfileSection,
      ),
    },
  },
  {
    name: msg`Organization`,
    sections: {
      organization: section(
        SETTINGS.organization,
        async () => (await import('#rooms/accounts/settings/organization-section.tsx')).OrganizationSection,
      ),
      members: section(
        SETTINGS.members,
        async () => (await import('#rooms/accounts/settings/members-section.tsx')).MembersSection,
      ),
      keys: section(SETTINGS.keys, async () => (await import('#rooms/keys/keys-section.tsx')).KeysSection),
      integrations: section(
        SETTINGS.integrations,
        async () => (await import('#rooms/integrations/integrations-section.tsx')).IntegrationsSection,
      ),
      webhooks: section(
        SETTINGS.webhooks,
        async () => (await import('#rooms/webhooks/webhooks-section.tsx')).WebhooksSection,
      ),
      audit: section(SETTINGS.audit, async () => (await import('#rooms/audit/audit-section.tsx')).AuditSection),
    },
  },
  {
    name: msg`Service`,
    sections: {
      usage: section(SETTINGS.usage, async () => (await import('#rooms/system/usage-section.tsx')).UsageSection),
      system: section(SETTINGS.system, async () => (await import('#rooms/system/system-section.tsx')).SystemSection),
    },
  },
];

/** The settings: a list of sections and the selected one. */
export function SettingsPage() {
  const { t } = useLingui();
  const { section: selected } = useParams({ from: '/app/settings/$section' });
  const found = GROUPS.flatMap(({ sections }) => Object.entries(sections)).find(([path]) => path === selected)?.[1];
  if (!found) return <NotFound />;
  const Content = found.content;
  return (
    <div className="flex flex-col gap-x-8 md:flex-row">
      <Title text={`${t`Settings`} · ${t(found.name)}`}>
        <h1 className="truncate text-base">
          <span className="mr-2 font-normal text-ink-3">
            {t`Settings`} <span className="ml-1">/</span>
          </span>
          {t(found.name)}
        </h1>
      </Title>
      <SectionList selected={selected} />
      <div className="min-w-0 flex-1 p-4.5 md:py-6">
        <Suspense fallback={<Skeleton className="h-40" />}>
          <Content />
        </Suspense>
      </div>
    </div>
  );
}

function SectionList({ selected }: { selected: string }) {
  const { t } = useLingui();
  const list = useRef<HTMLElement>(null);
  // On narrow screens, the list is a row that scrolls.
  useEffect(() => {
    // Links learn later which one is current.
    const link = list.current!.querySelector(`[href$="/${selected}"]`);
    link?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [selected]);
  return (
    <nav
      ref={list}
      aria-label={t`Settings`}
      className="relative flex shrink-0 gap-x-4 overflow-x-auto border-b px-3 py-2 md:sticky md:top-0 md:w-48 md:flex-col md:self-start md:border-b-0 md:px-0 md:py-6 md:pl-4.5"
    >
      {GROUPS.map(({ name, sections }) => (
        <div key={name.id} className="flex gap-0.5 md:mb-4 md:flex-col">
          <h2 className="mb-1 px-2 font-medium text-ink-3 text-sm max-md:sr-only">{t(name)}</h2>
          {Object.entries(sections).map(([path, { name: text }]) => (
            <Link
              key={path}
              to="/settings/$section"
              params={{ section: path }}
              activeOptions={{ includeSearch: false }}
              className="whitespace-nowrap rounded-md px-2 py-1 text-ink-2 hover:text-ink data-[status=active]:bg-raise data-[status=active]:font-medium data-[status=active]:text-ink"
            >
              {t(text)}
            </Link>
          ))}
        </div>
      ))}
    </nav>
  );
}
