import type { MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import type { ReactNode } from 'react';
import type { LibrarySort } from '#frame/search-params.ts';
import { formatAgo, formatBytes, formatDateTime, formatInZone, formatTime } from '#ui/format/format.ts';
import { zoneOf } from '../recorded.ts';
import type { LibraryVideo } from './library-query.ts';
import { EventCount, Tags } from './video-parts.tsx';

/** A column of the table of videos, after the name. */
export type LibraryColumn = {
  /** Its header, which screen readers also read before each value. */
  name: MessageDescriptor;
  /** Width, alignment and the screens that show it, of the header and of all cells. */
  className: string;
  /** Content of a cell; null, false or 0 if it is empty. */
  cell: (video: LibraryVideo) => ReactNode;
  tooltip?: (video: LibraryVideo) => string;
  /** Orders of the list by it; the first is the usual one. */
  orders?: readonly { value: LibrarySort; label: MessageDescriptor }[];
  /** True if only videos that are ready have it. Others show their state in place of all such columns. */
  ofReady?: true;
};

const NAME_ORDERS: LibraryColumn['orders'] = [
  { value: 'name', label: msg`Name, A to Z` },
  { value: 'name-desc', label: msg`Name, Z to A` },
];

/** Those that only ready videos have stand side by side. */
export const COLUMNS: readonly LibraryColumn[] = [
  {
    name: msg`Tags`,
    className: 'w-28 max-xl:hidden min-[1900px]:w-[16%]',
    cell: ({ tags }) => tags.length > 0 && <Tags tags={tags} />,
  },
  {
    name: msg`Incidents`,
    className: 'w-24 text-right max-lg:hidden min-[1900px]:w-[8%]',
    cell: (video) => video.events?.count && <EventCount video={video} />,
    ofReady: true,
  },
  {
    name: msg`Length`,
    className: 'w-18 text-right max-sm:hidden min-[1900px]:w-[7%]',
    cell: ({ duration_s }) => duration_s !== null && formatTime(duration_s, 0),
    orders: [
      { value: 'longest', label: msg`Longest first` },
      { value: 'shortest', label: msg`Shortest first` },
    ],
    ofReady: true,
  },
  {
    name: msg`Folder`,
    className: 'w-28 max-xl:hidden min-[1900px]:w-[16%]',
    cell: ({ folder_name }) => folder_name,
  },
  {
    name: msg`Size`,
    className: 'w-20 text-right max-sm:hidden min-[1900px]:w-[7%]',
    cell: ({ size_bytes }) => size_bytes !== null && formatBytes(size_bytes),
  },
  {
    name: msg`Recorded`,
    className: 'w-44 text-right max-xl:hidden min-[1900px]:w-[12%]',
    cell: (video) => video.recorded_at && formatDateTime(video.recorded_at, zoneOf(video)),
    tooltip: (video) =>
      video.recorded_at ? `${formatInZone(video.recorded_at, zoneOf(video))} (${zoneOf(video)})` : '',
    orders: [
      { value: 'recorded', label: msg`Latest recording first` },
      { value: 'recorded-first', label: msg`Earliest recording first` },
    ],
  },
  {
    name: msg`Uploaded`,
    className: 'w-28 text-right max-md:hidden min-[1900px]:w-[10%]',
    cell: ({ created_at }) => formatAgo(created_at),
    tooltip: ({ created_at }) => formatDateTime(created_at),
    orders: [
      { value: 'newest', label: msg`Newest first` },
      { value: 'oldest', label: msg`Oldest first` },
    ],
  },
];

/** Orders of the list as the user chooses them: the default first. */
export const ORDERS = [...COLUMNS.toReversed().flatMap(({ orders = [] }) => orders), ...NAME_ORDERS];
