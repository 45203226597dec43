import type { Relation } from '@matterdesk/contract/contacts.ts';
import X from 'lucide-react/icons/x';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Select } from '../../../ui/Select.tsx';
import type { ContactForm } from '../rules.form.ts';
import { relationOptions } from '../rules.ts';
import { ContactDropdown } from './ContactDropdown.tsx';

type Links = ContactForm['links'];

interface LinksFieldProps {
  value: Links;
  onChange: (links: Links) => void;
  ownId: string | undefined;
}

/** Other contacts and what they are to this one; a link shows on both. */
export function LinksField({ value, onChange, ownId }: LinksFieldProps) {
  return (
    <fieldset className="min-w-0 sm:col-span-2">
      <legend className="mb-[5px] text-sm font-medium">Linked contacts</legend>
      <div className="grid gap-1.5">
        {value.map(({ contact, relation }, at) => (
          <div key={contact.id} className="flex items-center gap-2">
            <span className="min-w-0 grow truncate">{contact.name}</span>
            <Select
              aria-label={`What ${contact.name} is`}
              className="w-44 flex-none"
              placeholder="Relation"
              options={relationOptions}
              value={relation}
              onChange={({ target }) =>
                onChange(value.toSpliced(at, 1, { contact, relation: target.value as Relation }))
              }
            />
            <IconButton
              label={`Remove the link to ${contact.name}`}
              icon={X}
              variant="quiet"
              size="small"
              onClick={() => onChange(value.toSpliced(at, 1))}
            />
          </div>
        ))}
        <ContactDropdown
          aria-label="Link a contact"
          placeholder="Link a contact"
          value={null}
          without={[...value.map(({ contact }) => contact.id), ownId ?? '']}
          onChange={(option) => {
            if (option === null) return;
            const contact = { id: option.id, name: option.label };
            onChange([...value, { contact, relation: 'other' }]);
          }}
        />
      </div>
    </fieldset>
  );
}
