import type { UserPatch } from '@matterdesk/contract/accounts.ts';
import { NewInvitationSchema } from '@matterdesk/contract/invitations.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { TextField } from '../../../core/fields.tsx';
import { refusedAt, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { invite } from '../api.access.ts';
import { LinkToHandOver } from '../../../ui/LinkToHandOver.tsx';
import { RoleFields } from './RoleFields.tsx';

interface InviteUserProps {
  /** Only admins grant roles and permissions. */
  isByAdmin: boolean;
  onClose: () => void;
  onInvited: () => void;
}

/** Invites an address, then shows the link. */
export function InviteUser({ isByAdmin, onClose, onInvited }: InviteUserProps) {
  const [url, setUrl] = useState<string>();
  const blank = { email: '', role: 'user', permissions: permissionsBy(() => false) } as const;
  const saving = useSave(NewInvitationSchema, blank, async (values, _, form) => {
    const { role, permissions } = values;
    const body = { ...values, ...(role === 'user' && { permissions }) };
    setUrl((await invite({ body }).catch(refusedAt(form, 'email'))).url);
    onInvited();
  });
  const { form } = saving;
  if (url !== undefined)
    return (
      <Dialog open onClose={onClose} title="Invite" size="small" footer={<DialogClose />}>
        <LinkToHandOver url={url} hint="Shown once. It works for three days, for this address." />
      </Dialog>
    );
  return (
    <FormDialog
      saving={saving}
      title="Invite"
      submit="Create invitation"
      size="small"
      onClose={onClose}
    >
      <TextField form={form} name="email" label="Email" type="email" />
      {isByAdmin && (
        // Its fields are those of a user’s form.
        <RoleFields form={form as unknown as UseFormReturn<UserPatch, unknown, UserPatch>} />
      )}
    </FormDialog>
  );
}
