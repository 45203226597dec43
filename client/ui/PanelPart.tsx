import type { ReactNode } from 'react';

/** A part of a panel beside a list, under its heading. */
export function PanelPart(props: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={props.title} className="border-t border-line px-6 py-4">
      <div className="mb-2 flex items-baseline justify-between gap-3">
        <h3 className="font-semibold">{props.title}</h3>
        {props.aside}
      </div>
      {props.children}
    </section>
  );
}
