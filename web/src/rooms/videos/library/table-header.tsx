import { Trans } from '@lingui/react/macro';

/** Names of the columns, as wide as those of `VideoRow`. Its cells are one cell with a name of its own. */
export const TableHeader = () => (
  <div
    aria-hidden
    className="sticky top-0 z-10 flex h-8 items-center gap-3 border-b bg-bg px-2 font-medium text-ink-3 text-sm"
  >
    <span className="min-w-0 flex-1 pl-8">
      <Trans>Name</Trans>
    </span>
    <span className="w-28 max-xl:hidden">
      <Trans>Tags</Trans>
    </span>
    <span className="w-24 text-right max-lg:hidden">
      <Trans>Events</Trans>
    </span>
    <span className="w-18 text-right max-sm:hidden">
      <Trans>Length</Trans>
    </span>
    <span className="w-28 max-xl:hidden">
      <Trans>Folder</Trans>
    </span>
    <span className="w-20 text-right max-sm:hidden">
      <Trans>Size</Trans>
    </span>
    <span className="w-28 text-right max-md:hidden">
      <Trans>Uploaded</Trans>
    </span>
  </div>
);
