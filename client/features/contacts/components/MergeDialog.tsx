import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import { paths } from '../../../core/paths.ts';
import { useAttempt } from '../../../core/use-attempt.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { formatDay } from '../../../ui/days.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { toast } from '../../../ui/toast-store.ts';
import { mergeContacts, pairOf, unmergeContacts } from '../api.ts';
import { kindNames } from '../rules.ts';
import { contactCard } from '../slice.ts';
import { ContactDropdown } from './ContactDropdown.tsx';

interface MergeDialogProps {
  contact: Contact;
  /** The other one; null to choose it here. */
  other: Contact | null;
  onClose: () => void;
}

/** 'Compare and merge': two contacts side by side, and which of them stays. */
export function MergeDialog({ contact, other, onClose }: MergeDialogProps) {
  const [chosen, setChosen] = useState<Option | null>(null);
  const { data } = useResource(contactCard, chosen?.id ?? null);
  const second = other ?? data?.contact ?? null;
  const [keptId, setKeptId] = useState(contact.id);
  const { isBusy, attempt } = useAttempt();
  const navigate = useNavigate();
  const merge = (kept: Contact, from: Contact) => {
    const pair = pairOf(kept, from);
    return attempt(pair, async () => {
      await mergeContacts(pair);
      const run = () => void unmergeContacts(pair).catch(() => undefined);
      toast.plain(`Merged with ${from.name}`, { label: 'Undo', run });
      onClose();
      if (kept.id !== contact.id) void navigate(paths.contact(kept.id), { replace: true });
    });
  };
  const handleSubmit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (second) void (keptId === second.id ? merge(second, contact) : merge(contact, second));
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title="Compare and merge"
      size="large"
      onSubmit={handleSubmit}
      footer={
        <>
          <DialogClose>Cancel</DialogClose>
          <Button type="submit" variant="primary" busy={isBusy} disabled={second === null}>
            Merge
          </Button>
        </>
      }
    >
      {other === null && (
        <Field label="Other contact" className="mb-5">
          <ContactDropdown value={chosen} onChange={setChosen} without={[contact.id]} />
        </Field>
      )}
      {second && <MergeTable contacts={[contact, second]} keptId={keptId} onKeep={setKeptId} />}
      <p className="mt-4 text-sm text-ink-2">
        Names, numbers, addresses, matters, intakes and links of both stay. You can undo the merge
        for 30 days.
      </p>
    </Dialog>
  );
}

interface MergeTableProps {
  contacts: readonly [Contact, Contact];
  keptId: string;
  onKeep: (id: string) => void;
}

/** Two contacts line by line; the one whose name, address and notes stay is chosen on top. */
function MergeTable({ contacts, keptId, onKeep }: MergeTableProps) {
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
  { label: 'Fax', of: ({ fax }) => fax ?? '' },
  { label: 'Salutation', of: ({ salutation }) => salutation ?? '' },
  { label: 'Name in letters', of: ({ letterName }) => letterName ?? '' },
  { label: 'Born', of: ({ dateOfBirth }) => (dateOfBirth ? formatDay(dateOfBirth) : '') },
  { label: 'Notes', of: ({ notes }) => notes ?? '' },
];
