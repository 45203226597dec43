import type { Contact } from '@matterdesk/contract/contacts.ts';
import { formatDay } from '../../../ui/days.ts';
import { kindNames } from '../rules.ts';

interface MergeTableProps {
  contacts: readonly [Contact, Contact];
  keptId: string;
  onKeep: (id: string) => void;
}

/** What two contacts say, line by line; the one whose name, address and notes stay is chosen on top. */
export function MergeTable({ contacts, keptId, onKeep }: MergeTableProps) {
  const lines = rows.filter(({ of }) => contacts.some((contact) => of(contact) !== ''));
  return (
    <table className="w-full table-fixed border-collapse text-left">
      <caption className="sr-only">Both contacts</caption>
      <thead>
        <tr className="border-b border-line align-top">
          <td className="w-[22%] py-2 pr-3 text-sm text-ink-3">Stays</td>
          {contacts.map(({ id, name }) => (
            <th key={id} scope="col" className="py-2 pr-3 font-medium wrap-anywhere">
              <label className="flex min-h-6 items-start gap-2 pointer-coarse:min-h-11">
                <input
                  type="radio"
                  name="kept"
                  checked={keptId === id}
                  onChange={() => onKeep(id)}
                  className="mt-0.5 size-4 flex-none accent-accent"
                />
                {name}
              </label>
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {lines.map(({ label, of }) => (
          <tr key={label} className="border-b border-line align-top">
            <th scope="row" className="py-2 pr-3 text-sm font-normal text-ink-3">
              {label}
            </th>
            {contacts.map((contact) => (
              <td key={contact.id} className="py-2 pr-3 text-sm whitespace-pre-line wrap-anywhere">
                {of(contact) || <span className="text-ink-3">None</span>}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const rows: { label: string; of: (contact: Contact) => string }[] = [
  { label: 'Kind', of: ({ kind }) => kindNames[kind] },
  { label: 'Organization', of: ({ organisation }) => organisation ?? '' },
  { label: 'Other names', of: ({ otherNames }) => otherNames.join('\n') },
  { label: 'Phone', of: ({ phoneNumbers }) => phoneNumbers.join('\n') },
  { label: 'Email', of: ({ emails }) => emails.join('\n') },
  { label: 'Address', of: ({ address }) => address ?? '' },
  { label: 'Born', of: ({ dateOfBirth }) => (dateOfBirth ? formatDay(dateOfBirth) : '') },
  { label: 'Notes', of: ({ notes }) => notes ?? '' },
];
