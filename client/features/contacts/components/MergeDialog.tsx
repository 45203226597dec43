import type { Contact } from '@matterdesk/contract/contacts.ts';
import { type SubmitEvent, useState } from 'react';
import { useNavigate } from 'react-router';
import { CallError } from '../../../api.ts';
import { paths } from '../../../core/paths.ts';
import { useResource } from '../../../core/use-resource.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import type { Option } from '../../../ui/option.ts';
import { toast } from '../../../ui/toast-store.ts';
import { mergeContacts, unmergeContacts } from '../api.ts';
import { ContactDropdown } from './ContactDropdown.tsx';
import { MergeTable } from './MergeTable.tsx';
import { contactCard } from '../slice.ts';

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
  const [isBusy, setIsBusy] = useState(false);
  const navigate = useNavigate();
  const merge = async (kept: Contact, from: Contact) => {
    setIsBusy(true);
    try {
      await mergeContacts(kept.id, from.id);
      const run = () => void unmergeContacts(kept.id, from.id).catch(() => undefined);
      toast.plain(`Merged with ${from.name}`, { label: 'Undo', run });
      onClose();
      if (kept.id !== contact.id) void navigate(paths.contact(kept.id), { replace: true });
    } catch (error) {
      if (!(error instanceof CallError)) throw error;
    } finally {
      setIsBusy(false);
    }
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
