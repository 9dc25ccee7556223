import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps } from '@tanstack/react-router';
import {
  BellRing,
  Bot,
  CircleCheck,
  Download,
  Import,
  Layers,
  LayoutGrid,
  type LucideIcon,
  MessageSquareText,
  Radio,
  Search,
  Settings,
} from 'lucide-react';
import { liveCountQuery } from '#api/live-count.ts';
import { reviewCountQuery } from '#api/review-count.ts';
import { formatNumber } from '#ui/format/format.ts';

/** `starts`: the first one of a group, with space above it. */
type Place = { to: LinkProps['to']; icon: LucideIcon; name: MessageDescriptor; starts?: boolean; bottom?: boolean };

/** The pages of the navigation, in its order. The command palette offers them, too. */
export const PLACES: readonly Place[] = [
  { to: '/', icon: LayoutGrid, name: msg`Library` },
  { to: '/search', icon: Search, name: msg`Search` },
  { to: '/questions', icon: MessageSquareText, name: msg`Questions`, starts: true },
  { to: '/saved-questions', icon: BellRing, name: msg`Saved questions` },
  { to: '/review', icon: CircleCheck, name: msg`Review` },
  { to: '/live', icon: Radio, name: msg`Live`, starts: true },
  { to: '/recordings', icon: Bot, name: msg`Recordings` },
  { to: '/imports', icon: Import, name: msg`Imports` },
  { to: '/datasets', icon: Layers, name: msg`Datasets`, starts: true },
  { to: '/exports', icon: Download, name: msg`Exports` },
  { to: '/settings', icon: Settings, name: msg`Settings`, bottom: true },
];

/** The sections of the settings, by the last part of their path. */
export const SETTINGS = {
  profile: msg`Profile`,
  organization: msg`General`,
  members: msg`Members`,
  keys: msg`API keys`,
  integrations: msg`Integrations`,
  webhooks: msg`Webhooks`,
  audit: msg`Audit log`,
  usage: msg`Usage and limits`,
  system: msg`System`,
} satisfies Record<string, MessageDescriptor>;

/** Number of events that wait for the user. */
function ReviewCount() {
  const { data } = useQuery(reviewCountQuery);
  if (!data || data.total === 0) return null;
  return (
    <span className="num ml-auto text-ink-3 text-xs">
      {formatNumber(data.total)}
      {data.isComplete ? '' : '+'}
    </span>
  );
}

/** Number of livestreams that run. */
function LiveCount() {
  const { data } = useQuery(liveCountQuery);
  if (!data || data.running === 0) return null;
  return (
    <span className="num ml-auto text-bad text-xs">
      {formatNumber(data.running)}
      {data.isComplete ? '' : '+'}
    </span>
  );
}

/** Links to the main pages. */
export function Places() {
  const { t } = useLingui();
  return PLACES.map(({ to, icon: Icon, name, starts, bottom }) => (
    <Link
      key={to}
      to={to}
      activeOptions={{ exact: to === '/', includeSearch: false }}
      className={`flex items-center gap-2.5 rounded-md px-2 py-1.5 text-ink-2 hover:text-ink data-[status=active]:bg-raise data-[status=active]:font-medium data-[status=active]:text-ink ${bottom ? 'mt-auto' : starts ? 'mt-3' : ''}`}
    >
      <Icon size={16} strokeWidth={1.75} aria-hidden />
      {t(name)}
      {to === '/review' && <ReviewCount />}
      {to === '/live' && <LiveCount />}
    </Link>
  ));
}
