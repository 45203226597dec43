import { permissionNames, type Permission } from '@matterdesk/contract/permissions.ts';
import type { UserPatch } from '@matterdesk/contract/accounts.ts';
import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Checkbox } from '../../../ui/Checkbox.tsx';
import { RadioGroup } from '../../../ui/RadioGroup.tsx';
import { roleOptions } from '../rules.ts';

const WORDS: Record<Permission, { label: string; hint: string }> = {
  createCases: { label: 'Cases', hint: 'Open, edit, archive, import and export cases' },
  editTasks: { label: 'Tasks', hint: 'Create, edit and delete tasks' },
  manageUsers: { label: 'Users', hint: 'Invite, edit, activate and deactivate users' },
  handleIntakes: { label: 'Intakes', hint: 'Answer intakes and turn them into matters' },
  clearConflicts: { label: 'Conflicts', hint: 'Run and conclude conflict checks' },
  manageWalls: { label: 'Walls', hint: 'Decide who may see a matter' },
  editCalendar: { label: 'Calendar', hint: 'Create and change events and deadlines' },
};

/** Role and permissions; an admin has all of them. */
export function RoleFields({ form }: { form: UseFormReturn<UserPatch, unknown, UserPatch> }) {
  const isAdmin = useWatch({ control: form.control, name: 'role' }) === 'admin';
  return (
    <>
      <RadioGroup legend="Role" options={roleOptions} {...form.register('role')} />
      <fieldset className="space-y-1.5">
        <legend className="mb-1.5 text-sm font-medium">Permissions</legend>
        {permissionNames.map((name) =>
          isAdmin ? (
            <Checkbox key={`${name} of an admin`} {...WORDS[name]} checked disabled readOnly />
          ) : (
            <Checkbox key={name} {...WORDS[name]} {...form.register(`permissions.${name}`)} />
          ),
        )}
        {isAdmin && <p className="text-note text-ink-3">Admins have every permission.</p>}
      </fieldset>
    </>
  );
}
