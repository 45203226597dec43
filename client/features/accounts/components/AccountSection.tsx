import type { ReactNode } from 'react';

interface AccountSectionProps {
  title: string;
  hint: string;
  children: ReactNode;
}

/** A part of the account: its name and a line about it at the left, its controls at the right. */
export function AccountSection({ title, hint, children }: AccountSectionProps) {
  return (
    <section className="grid gap-x-10 gap-y-3 border-t border-line py-4 lg:grid-cols-[14.75rem_minmax(0,1fr)]">
      <div>
        <h2 className="text-heading font-semibold">{title}</h2>
        <p className="mt-0.5 text-note text-ink-2">{hint}</p>
      </div>
      <div className="min-w-0">{children}</div>
    </section>
  );
}
