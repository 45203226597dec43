import type { ReactNode } from 'react';

/** The toolbar of a document: the switch to its text at the left, the viewer's controls at the right. */
export function ViewerBar({ modes, children }: { modes?: ReactNode; children?: ReactNode }) {
  if (!modes && !children) return null;
  return (
    <div
      data-viewer-bar=""
      className="flex min-h-11 flex-none flex-wrap items-center gap-2 border-b border-line bg-paper px-4 py-1.5"
    >
      {modes}
      <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
    </div>
  );
}
