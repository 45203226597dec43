import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

interface EmptyStateProps {
  icon: LucideIcon;
  title: string;
  children?: ReactNode;
  /** The next step, as a button. */
  action?: ReactNode;
}

/** Shown in place of an empty list. */
export function EmptyState({ icon: Icon, title, children, action }: EmptyStateProps) {
  return (
    <div
      data-empty=""
      className="mx-auto flex max-w-sm flex-col items-center px-4 py-16 text-center"
    >
      <span className="mb-4 grid size-11 place-items-center rounded-full bg-sunken text-ink-3">
        <Icon className="size-5" />
      </span>
      <p className="text-heading font-semibold">{title}</p>
      {children !== undefined && <p className="mt-1 text-pretty text-ink-2">{children}</p>}
      {action !== undefined && <div className="mt-5">{action}</div>}
    </div>
  );
}
