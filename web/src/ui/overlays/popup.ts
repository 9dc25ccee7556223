/** Class names shared by menus, selects and popovers. */
export const POPUP = 'min-w-40 rounded-lg bg-panel p-1 text-ink shadow-float outline-none';
export const POPUP_ITEM =
  'flex cursor-default select-none items-center gap-2 rounded-md px-2 py-1.5 outline-none data-disabled:text-ink-3 data-highlighted:bg-raise';
