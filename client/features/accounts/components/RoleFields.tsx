import { type UseFormReturn, useWatch } from 'react-hook-form';
import type { UserPatch } from '@matterdesk/contract/accounts.ts';
import { permissionNames, type Permission } from '@matterdesk/contract/permissions.ts';
import { fullName } from '../../../core/full-name.ts';
import { usePeople } from '../../../core/people.ts';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { Select } from '../../../ui/Select.tsx';
import { permissionLabels, rightsInWords, roleOptions, toUserForm } from '../rules.ts';

const HINTS: Record<Permission, string> = {
  createCases: 'Open, edit, archive, import and export cases',
  editTasks: 'Create, edit and delete tasks',
  manageUsers: 'Invite, edit, activate and deactivate users',
  handleIntakes: 'Answer intakes and turn them into matters',
  clearConflicts: 'Run and conclude conflict checks',
  manageWalls: 'Decide who may see a matter',
  editCalendar: 'Create and change events and deadlines',
  sortPapers: 'File scans and uploads of others to matters',
  editTemplates: 'Add and change the templates of letters',
  exportMatters: 'Export a matter as a zip file',
};

/** Role and permissions; an admin has all of them. */
export function RoleFields({ form }: { form: UseFormReturn<UserPatch, unknown, UserPatch> }) {
  const isAdmin = useWatch({ control: form.control, name: 'role' }) === 'admin';
  return (
    <>
      <RadioGroup legend="Role" options={roleOptions} {...form.register('role')} />
      <SameRights form={form} />
      <fieldset className="space-y-1.5">
        <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
        {permissionNames.map((name) => {
          const words = { label: permissionLabels[name], hint: HINTS[name] };
          return isAdmin ? (
            <Checkbox key={`${name} of an admin`} {...words} checked disabled readOnly />
          ) : (
            <Checkbox key={name} {...words} {...form.register(`permissions.${name}`)} />
          );
        })}
        {isAdmin && <p className="text-note text-ink-3">Admins have every permission.</p>}
      </fieldset>
    </>
  );
}

/** Copies the role and the permissions of another user. */
function SameRights({ form }: { form: UseFormReturn<UserPatch, unknown, UserPatch> }) {
  const { people } = usePeople();
  const options = people
    .filter((person) => person.active)
    .map((person) => ({
      value: person.id,
      label: `${fullName(person)}: ${rightsInWords(person)}`,
    }));
  const copy = (id: string) => {
    const like = people.find((person) => person.id === id);
    if (!like) return;
    const { role, permissions } = toUserForm(like);
    form.setValue('role', role, { shouldDirty: true });
    for (const name of permissionNames)
      form.setValue(`permissions.${name}`, permissions[name], { shouldDirty: true });
  };
  return (
    <Select
      aria-label="Same rights as"
      placeholder="Same rights as …"
      options={options}
      onChange={(event) => copy(event.target.value)}
    />
  );
}
