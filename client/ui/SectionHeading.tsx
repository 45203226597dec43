import type { ReactNode } from 'react';

/** The heading of a section, with optional content at the right end. */
export function SectionHeading({ children, aside }: { children: string; aside?: ReactNode }) {
  return (
    <div className="mb-3 flex items-center justify-between gap-4">
      <h2 className="text-heading font-semibold">{children}</h2>
      {aside !== undefined && <div className="text-sm">{aside}</div>}
    </div>
  );
}
