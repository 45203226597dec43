import type { ReactNode } from 'react';

/** The work at the left, and what belongs to it in a quieter column, which is below it on a narrow screen. */
export function TwoColumns({ aside, children }: { aside: ReactNode; children: ReactNode }) {
  return (
    <div className="move-in">
      <div>{children}</div>
      <div className="move-in-aside">{aside}</div>
    </div>
  );
}
