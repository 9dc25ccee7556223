import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { signedUrlQuery } from '#api/signed-urls.ts';
import { classes } from '#ui/classes.ts';
import { formatNumber } from '#ui/format/format.ts';
import { viewsQuery } from '../queries.ts';
import { Section } from './details-section.tsx';

/** The views of the scene that a video shows, with their posters. */
export function ViewList({ videoId }: { videoId: string }) {
  const { t } = useLingui();
  const { data } = useQuery(viewsQuery(videoId));
  if (!data) return null;
  return (
    <Section title={<Plural value={data.details.length} one="# view of this scene" other="# views of this scene" />}>
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(9rem,1fr))] gap-2.5">
        {data.details.map(({ role, video_id: id, label, offset_s }) => (
          <li key={id}>
            <Link
              to="/videos/$videoId"
              params={{ videoId: id }}
              search={{ tab: 'details' }}
              aria-current={id === videoId ? 'page' : undefined}
              className="group grid gap-1"
            >
              <ViewPoster videoId={id} isCurrent={id === videoId} />
              <span className="truncate font-medium group-hover:underline">{label ?? role}</span>
              <span className="num text-ink-3 text-sm">
                {id === data.primary_view_id ? (
                  <Trans>primary</Trans>
                ) : (
                  t`starts ${formatNumber(offset_s, { signDisplay: 'exceptZero', maximumFractionDigits: 3 })} s from the primary`
                )}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function ViewPoster({ videoId, isCurrent }: { videoId: string; isCurrent: boolean }) {
  const { data: url } = useQuery({ ...signedUrlQuery(videoId, 'poster'), retry: false });
  const [missing, setMissing] = useState(false);
  return (
    <span
      className={classes(
        'block aspect-video overflow-hidden rounded-md border bg-raise group-hover:border-strong-line',
        isCurrent && 'border-accent',
      )}
    >
      {url && !missing && (
        <img src={url} alt="" loading="lazy" onError={() => setMissing(true)} className="size-full object-cover" />
      )}
    </span>
  );
}
