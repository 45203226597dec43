import Mail from 'lucide-react/icons/mail';
import { useState } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Link } from 'react-router';
import type { UserPatch } from '@matterdesk/contract/accounts.ts';
import { NewInvitationSchema } from '@matterdesk/contract/invitations.ts';
import { permissionsBy } from '@matterdesk/contract/permissions.ts';
import { TextField } from '../../../core/fields.tsx';
import { showRefusalAt, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import type { HandedDraft } from '../../../core/handed-draft.ts';
import { paths } from '../../../core/paths.ts';
import { useAppSelector } from '../../../core/store.ts';
import { useFirm } from '../../../core/use-firm.ts';
import { buttonClass } from '../../../ui/Button.tsx';
import { cx } from '../../../ui/cx.ts';
import { Dialog, DialogClose } from '../../../ui/Dialog.tsx';
import { OneTimeLink } from '../../../ui/OneTimeLink.tsx';
import { invite } from '../api.access.ts';
import { RoleFields } from './RoleFields.tsx';

interface InviteUserProps {
  /** Only admins grant roles and permissions. */
  isByAdmin: boolean;
  onClose: () => void;
  onInvited: () => void;
}

/** Invites an address, then shows the link. */
export function InviteUser({ isByAdmin, onClose, onInvited }: InviteUserProps) {
  const [invited, setInvited] = useState<{ email: string; url: string }>();
  const blank = { email: '', role: 'user', permissions: permissionsBy(() => false) } as const;
  const saving = useSave(NewInvitationSchema, blank, async (values, _, form) => {
    const { role, permissions } = values;
    const body = { ...values, ...(role === 'user' && { permissions }) };
    const { url } = await invite({ body }).catch(showRefusalAt(form, 'email'));
    setInvited({ email: values.email, url });
    onInvited();
  });
  const { form } = saving;
  if (invited)
    return (
      <Dialog open onClose={onClose} title="Invite" size="small" footer={<DialogClose />}>
        <OneTimeLink
          url={invited.url}
          hint="Shown once. It works for three days, for this address."
        />
        <MailIt {...invited} />
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

/** Opens a mail with the link, for users who have connected their mailbox. */
function MailIt({ email, url }: { email: string; url: string }) {
  const me = useAppSelector((state) => state.user.current);
  const { data: firm } = useFirm();
  if (me?.googleEmail == null) return null;
  const name = firm?.name ?? 'our firm';
  const text = `Please open this link to create your account. It works for three days, for this address.\n\n${url}\n`;
  const draft: HandedDraft = { to: email, subject: `Your account at ${name}`, text };
  return (
    <Link to={paths.emailTo(email)} state={draft} className={cx(buttonClass(), 'mt-3')}>
      <Mail />
      Send by email
    </Link>
  );
}
