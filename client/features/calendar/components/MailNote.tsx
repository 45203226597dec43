import type { ComponentType, ReactNode } from 'react';

interface MailNoteProps {
  label: string;
  icon: ComponentType;
  action: ReactNode;
  children: ReactNode;
}

/** A line above a mail's text, with what can be done about it. */
export function MailNote({ label, icon: Icon, action, children }: MailNoteProps) {
  return (
    <section
      aria-label={label}
      className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1 rounded-card bg-accent-soft py-1 pr-1 pl-2.5 text-sm text-accent-ink"
    >
      <Icon />
      <p className="min-w-0 grow basis-40 wrap-anywhere">{children}</p>
      {action}
    </section>
  );
}
