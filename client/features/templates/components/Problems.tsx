import type { TemplateProblem } from '@matterdesk/contract/templates.ts';

/** Problems of a version with their places; nothing for one that can be used. */
export function Problems({ problems }: { problems: readonly TemplateProblem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Problems" className="divide-y divide-line border-y border-line text-sm">
      {problems.map(({ place, message }, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the same may be wrong twice in one place
        <li key={at} className="grid grid-cols-[7rem_1fr] gap-3 py-1.5">
          <span className="text-ink-2">{place}</span>
          <span className="wrap-anywhere">{message}</span>
        </li>
      ))}
    </ul>
  );
}
