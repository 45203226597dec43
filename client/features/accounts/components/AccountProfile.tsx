import type { CurrentUser } from '@matterdesk/contract/accounts.ts';
import { lazy, Suspense, useState } from 'react';
import { useAppDispatch } from '../../../core/store.ts';
import { Button } from '../../../ui/Button.tsx';
import { fullName } from '../rules.ts';
import { personReceived } from '../slice.ts';

const EditUser = lazy(async () => ({ default: (await import('./EditUser.tsx')).EditUser }));

/** The user's name, address and phone number. */
export function AccountProfile({ person }: { person: CurrentUser }) {
  const dispatch = useAppDispatch();
  const [isEditing, setIsEditing] = useState(false);
  const fields = [
    ['Name', fullName(person)],
    ['Email', person.email],
    ['Phone', person.phoneNumber],
  ] as const;
  return (
    <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
      <dl className="grid grow gap-x-6 gap-y-2 sm:grid-cols-3">
        {fields.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-ink-3">{label}</dt>
            <dd className="font-medium wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
      {person.permissions.manageUsers && (
        <Button onClick={() => setIsEditing(true)}>Edit profile</Button>
      )}
      <Suspense>
        {isEditing && (
          <EditUser
            person={person}
            isByAdmin={person.role === 'admin'}
            mayTake
            onClose={() => setIsEditing(false)}
            onChanged={(changed) => {
              dispatch(personReceived(changed));
              setIsEditing(false);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
