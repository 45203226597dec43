import type { Person } from '@matterdesk/contract/cases.ts';
import { AvatarStack } from '../../../ui/AvatarStack.tsx';
import { fullName } from '../rules.ts';
import { Dash } from './Dash.tsx';

const NAMED = 2;

/** The team of a case; narrow tables show only the avatars. */
export function Assignees({ people }: { people: readonly Person[] }) {
  const names = people.map(fullName);
  if (names.length === 0) return <Dash means="Nobody" />;
  const others = names.length - NAMED;
  return (
    <span title={names.join(', ')} className="flex min-w-0 items-center gap-[9px]">
      <AvatarStack names={names} />
      <span
        aria-hidden="true"
        className="hidden min-w-0 truncate text-sm text-ink-2 @min-[62rem]:block"
      >
        {names.slice(0, NAMED).join(', ')}
        {others > 0 && `, +${others}`}
      </span>
      <span className="sr-only">{names.join(', ')}</span>
    </span>
  );
}
