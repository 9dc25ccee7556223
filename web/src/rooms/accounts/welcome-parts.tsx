import { Activity } from 'lucide-react';

/** The heading of pages for users who are not signed in yet. */
export function WelcomeHeading({ intro }: { intro: string }) {
  return (
    <div>
      <h1 className="flex items-center gap-2 text-xl tracking-tight">
        <Activity size={22} className="text-accent-text" aria-hidden />
        Sightline
      </h1>
      <p className="mt-1 text-ink-2">{intro}</p>
    </div>
  );
}

/** The path to open after signing in. Only paths of this service: an address could lead to another site. */
export const ownPath = (path: string | undefined): string => (path && /^\/(?![/\\])/.test(path) ? path : '/');
