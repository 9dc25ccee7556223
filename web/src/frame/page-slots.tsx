import { createContext, type ReactNode, use, useEffect, useState } from 'react';
import { createPortal } from 'react-dom';

const TitleSlot = createContext<{ node: HTMLElement | null; attach: (node: HTMLElement | null) => void }>({
  node: null,
  attach: () => {},
});

/** Lets pages fill the title of the frame. */
export function PageSlots({ children }: { children: ReactNode }) {
  const [node, attach] = useState<HTMLElement | null>(null);
  return <TitleSlot value={{ node, attach }}>{children}</TitleSlot>;
}

/** Where the frame shows the title of the page. */
export function PageTitle() {
  const { attach } = use(TitleSlot);
  return <div ref={attach} className="flex min-w-0 items-center gap-2" />;
}

/** Sets the title of the frame and of the browser tab. `children` replaces the heading, such as with breadcrumbs. */
export function Title({ text, children }: { text: string; children?: ReactNode }) {
  const { node } = use(TitleSlot);
  useEffect(() => {
    document.title = `${text} · Sightline`;
  }, [text]);
  return node && createPortal(children ?? <h1 className="truncate text-base">{text}</h1>, node);
}
