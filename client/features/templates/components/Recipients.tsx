import { useState } from 'react';
import { type Party, type PartyRole } from '@matterdesk/contract/contacts.ts';
import { RECIPIENTS_MAX } from '@matterdesk/contract/templates.ts';
import type { ContactField } from '../../../core/contact-field.ts';
import { roleNames } from '../../../core/party-roles.ts';
import { formatCount } from '../../../core/words.ts';
import type { Option } from '../../../ui/option.ts';

export type Recipient = { id: string; name: string; role: PartyRole | null; note: string };

interface RecipientsProps {
  offered: readonly Recipient[];
  chosen: readonly string[];
  contactField: ContactField;
  onChange: (ids: string[]) => void;
  onAdd: (contact: Option) => void;
}

/** The matter's parties, each of whom may get a letter, and any other contact. */
export function Recipients({ offered, chosen, contactField, onChange, onAdd }: RecipientsProps) {
  const [isAdding, setIsAdding] = useState(false);
  const Contacts = contactField;
  const isFull = chosen.length >= RECIPIENTS_MAX;
  return (
    <section aria-labelledby="recipients">
      <div className="flex items-baseline justify-between gap-3 pb-2">
        <h3 id="recipients" className="text-heading font-semibold">
          Recipients{' '}
          <span className="font-normal text-ink-2">
            {`${formatCount(chosen.length)} of ${formatCount(offered.length)}`}
          </span>
        </h3>
        <button type="button" className="link text-sm" onClick={() => setIsAdding(true)}>
          Add a contact
        </button>
      </div>
      {isAdding && (
        <Contacts
          aria-label="Another recipient"
          value={null}
          without={offered.map(({ id }) => id)}
          ref={(field) => field?.focus()}
          onChange={(option) => {
            setIsAdding(false);
            if (option) onAdd(option);
          }}
          className="pb-2"
        />
      )}
      <ul className="divide-y divide-line border-y border-line">
        {offered.map(({ id, name, role, note }) => (
          <li key={id}>
            <label className="flex min-h-9 items-center gap-2.5 py-1.5 pointer-coarse:min-h-11">
              <input
                type="checkbox"
                className="size-4 flex-none accent-accent"
                checked={chosen.includes(id)}
                disabled={isFull && !chosen.includes(id)}
                onChange={({ target }) =>
                  onChange(target.checked ? [...chosen, id] : chosen.filter((one) => one !== id))
                }
              />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="max-w-[50%] flex-none truncate text-sm text-ink-2">
                {[role && roleNames[role], note.split('\n')[0]].filter(Boolean).join(', ')}
              </span>
            </label>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Everyone who has a part in the matter once, the client last, whom letters rarely go to by name. */
export function recipientsOf(parties: readonly Party[], added: readonly Option[]): Recipient[] {
  const found = new Map<string, Recipient>();
  for (const { contact, role, note } of parties)
    if (!found.has(contact.id))
      found.set(contact.id, { id: contact.id, name: contact.name, role, note });
  for (const { id, label } of added)
    if (!found.has(id)) found.set(id, { id, name: label, role: null, note: '' });
  return [...found.values()];
}
