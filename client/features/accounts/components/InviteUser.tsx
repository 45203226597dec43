import { zodResolver } from '@hookform/resolvers/zod';
import type { UserPatch } from '@matterdesk/contract/accounts.ts';
import { NewInvitationSchema } from '@matterdesk/contract/invitations.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { useState } from 'react';
import { useForm, type UseFormReturn } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { showFieldErrors } from '../../../core/form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
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
  const form = useForm({
    resolver: zodResolver(NewInvitationSchema),
    defaultValues: { email: '', role: 'user', permissions: permissionsBy(() => false) },
  });
  const { errors, isSubmitting } = form.formState;
  const handleSubmit = form.handleSubmit(async (values) => {
    try {
      const { role, permissions } = values;
      const body = { ...values, ...(role === 'user' && { permissions }) };
      setUrl((await invite(body)).url);
      onInvited();
    } catch (error) {
      if (!showFieldErrors(form, error) && error instanceof CallError)
        form.setError('email', { message: error.message });
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title="Invite"
      size="small"
      isDirty={form.formState.isDirty && url === undefined}
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          {url === undefined && (
            <Button type="submit" variant="primary" busy={isSubmitting}>
              Create invitation
            </Button>
          )}
        </>
      }
    >
      {url === undefined ? (
        <div className="space-y-4">
          <Field label="Email" error={errors.email?.message}>
            <TextInput {...form.register('email')} type="email" autoComplete="off" />
          </Field>
          {isByAdmin && (
            // Its fields are those of a user’s form.
            <RoleFields form={form as unknown as UseFormReturn<UserPatch, unknown, UserPatch>} />
          )}
        </div>
      ) : (
        <LinkToHandOver url={url} hint="Shown once. It works for three days, for this address." />
      )}
    </Dialog>
  );
}
