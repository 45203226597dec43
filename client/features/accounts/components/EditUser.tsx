import { zodResolver } from '@hookform/resolvers/zod';
import { UserPatchSchema, type User } from '@matterdesk/contract/accounts.ts';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { CallError } from '../../../api.ts';
import { usePeople } from '../../../core/people.ts';
import { showFieldErrors } from '../../../core/form.ts';
import { Button } from '../../../ui/Button.tsx';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { DialogClose } from '../../../ui/DialogClose.tsx';
import { Field } from '../../../ui/Field.tsx';
import { TextInput } from '../../../ui/TextInput.tsx';
import { changeUser } from '../api.ts';
import { fullName, lastAdminOf, patchOf, toUserForm } from '../rules.ts';
import { RoleFields } from './RoleFields.tsx';

interface EditUserProps {
  person: User;
  /** Only admins change roles and permissions. */
  isByAdmin: boolean;
  /** Whether the user may deactivate and reactivate this one. */
  mayTake: boolean;
  onClose: () => void;
  onChanged: (person: User) => void;
}

export function EditUser({ person, isByAdmin, mayTake, onClose, onChanged }: EditUserProps) {
  const isLastAdmin = lastAdminOf(usePeople().people) === person.id;
  const fixed = whyFixed(person, { isLastAdmin, mayTake });
  const [before] = useState(() => toUserForm(person));
  const form = useForm({ resolver: zodResolver(UserPatchSchema), defaultValues: before });
  const { errors, isSubmitting, isDirty } = form.formState;
  const active = useWatch({ control: form.control, name: 'active' });
  const handleSubmit = form.handleSubmit(async (values) => {
    const patch = patchOf(before, values);
    if (Object.keys(patch).length === 0) return onClose();
    try {
      onChanged(await changeUser(person.id, patch));
    } catch (error) {
      const isShownBelow = showFieldErrors(form, error);
      if (!isShownBelow && error instanceof CallError)
        form.setError('root', { message: error.message });
    }
  });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Edit ${fullName(person)}`}
      subtitle={person.email}
      size="small"
      isDirty={isDirty}
      onSubmit={(event) => void handleSubmit(event)}
      footer={
        <>
          <DialogClose />
          <Button type="submit" variant="primary" busy={isSubmitting}>
            Save
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <div className="grid grid-cols-2 gap-3">
          <Field label="First Name" error={errors.firstName?.message}>
            <TextInput {...form.register('firstName')} autoComplete="off" />
          </Field>
          <Field label="Last Name" error={errors.lastName?.message}>
            <TextInput {...form.register('lastName')} autoComplete="off" />
          </Field>
        </div>
        <Field label="Phone Number" error={errors.phoneNumber?.message}>
          <TextInput {...form.register('phoneNumber')} type="tel" autoComplete="off" />
        </Field>
        {isByAdmin && <RoleFields form={form} />}
        {fixed === undefined ? (
          <Checkbox
            {...form.register('active')}
            label="Active"
            hint={
              person.active && active === false
                ? `On saving, ${person.firstName} is signed out right away.`
                : 'Only active people can sign in and be assigned work.'
            }
          />
        ) : (
          <Checkbox label="Active" hint={fixed} checked={person.active} disabled readOnly />
        )}
        {errors.root?.message !== undefined && (
          <p role="alert" className="text-red">
            {errors.root.message}
          </p>
        )}
      </div>
    </Dialog>
  );
}

/** Why the account stays as active as it is; undefined where that can change. */
function whyFixed(
  { firstName }: User,
  { isLastAdmin, mayTake }: { isLastAdmin: boolean; mayTake: boolean },
): string | undefined {
  if (isLastAdmin) return 'The last active admin stays active.';
  if (mayTake) return undefined;
  return `Only an admin can change this: ${firstName} has permissions that you lack.`;
}
