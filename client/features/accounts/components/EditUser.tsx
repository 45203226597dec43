import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type User, type UserPatch, UserPatchSchema } from '@matterdesk/contract/accounts.ts';
import { CheckboxField, TextField } from '../../../core/fields.tsx';
import { showRefusalAt, useSave } from '../../../core/form.ts';
import { FormDialog } from '../../../core/FormDialog.tsx';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { changeUser } from '../api.ts';
import { lastAdminOf, patchOf, toUserForm } from '../rules.ts';
import { RoleFields } from './RoleFields.tsx';

interface EditUserProps {
  person: User;
  /** Only admins change roles and permissions. */
  isByAdmin: boolean;
  /** Others change their own names and number. */
  isByManager?: boolean;
  /** Whether the user may deactivate and reactivate this one. */
  mayTake: boolean;
  onClose: () => void;
  onChanged: (person: User) => void;
}

export function EditUser({
  person,
  isByAdmin,
  isByManager = true,
  mayTake,
  onClose,
  onChanged,
}: EditUserProps) {
  const isLastAdmin = lastAdminOf(usePeople().people) === person.id;
  const fixed = whyFixed(person, { isLastAdmin, mayTake });
  const [before] = useState(() => toUserForm(person));
  const saving = useSave<UserPatch, UserPatch>(UserPatchSchema, before, async (values, _, form) => {
    const patch = patchOf(before, values);
    if (Object.keys(patch).length === 0) return onClose();
    const changing = changeUser({ params: { id: person.id }, body: patch });
    return onChanged(await changing.catch(showRefusalAt(form, 'root')));
  });
  const { form } = saving;
  const { root } = form.formState.errors;
  const active = useWatch({ control: form.control, name: 'active' });
  return (
    <FormDialog
      saving={saving}
      title={`Edit ${fullName(person)}`}
      subtitle={person.email}
      submit="Save"
      size="small"
      onClose={onClose}
    >
      <div className="grid grid-cols-2 gap-3">
        <TextField form={form} name="firstName" label="First Name" />
        <TextField form={form} name="lastName" label="Last Name" />
      </div>
      <TextField form={form} name="phoneNumber" label="Phone Number" type="tel" />
      {isByAdmin && <RoleFields form={form} />}
      {isByManager &&
        (fixed === undefined ? (
          <CheckboxField
            form={form}
            name="active"
            label="Active"
            hint={
              person.active && active === false
                ? `On saving, ${person.firstName} is signed out right away.`
                : 'Only active people can sign in and be assigned work.'
            }
          />
        ) : (
          <Checkbox label="Active" hint={fixed} checked={person.active} disabled readOnly />
        ))}
      {root?.message !== undefined && (
        <p role="alert" className="text-red">
          {root.message}
        </p>
      )}
    </FormDialog>
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
