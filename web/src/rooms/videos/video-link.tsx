import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';

/** A link to the page of a video. */
export const VideoLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/videos/$videoId" params={{ videoId: id }} className="text-accent-text hover:underline">
    {children}
  </Link>
);
