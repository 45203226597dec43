import type { ReactNode } from 'react';
import type { Person } from '@matterdesk/contract/cases.ts';
import { Avatar } from '../../../ui/Avatar.tsx';
import { fullName } from '../rules.ts';
import { useSelf } from './use-self.ts';

interface PersonLineProps {
  person: Person;
  note: string;
  children?: ReactNode;
}

/** A person, why they are listed, and what can be done about it. */
export function PersonLine({ person, note, children }: PersonLineProps) {
  const isSelf = useSelf().id === person.id;
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1.5">
      <Avatar name={fullName(person)} />
      <div className="min-w-0 grow">
        <p className="truncate font-medium">
          {fullName(person)} {isSelf && <span className="font-normal text-ink-2">you</span>}
        </p>
        <p className="text-note wrap-anywhere text-ink-2">{note}</p>
      </div>
      {children}
    </li>
  );
}
