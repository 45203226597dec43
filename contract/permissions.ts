import * as z from 'zod/mini';

export const permissionNames = [
  'createCases',
  'editTasks',
  'manageUsers',
  'handleIntakes',
  'clearConflicts',
  'manageWalls',
  'editCalendar',
  'sortPapers',
  'editTemplates',
  'exportMatters',
] as const;
export type Permission = (typeof permissionNames)[number];

/** Permissions beyond those of every signed-in user. */
export const PermissionsSchema = z.object({
  createCases: z.boolean(),
  editTasks: z.boolean(),
  manageUsers: z.boolean(),
  handleIntakes: z.boolean(),
  clearConflicts: z.boolean(),
  manageWalls: z.boolean(),
  editCalendar: z.boolean(),
  sortPapers: z.boolean(),
  editTemplates: z.boolean(),
  exportMatters: z.boolean(),
});
export type Permissions = z.infer<typeof PermissionsSchema>;

/** Every permission, each granted or not as `isGranted` decides. */
export function permissionsBy(isGranted: (name: Permission) => boolean): Permissions {
  return Object.fromEntries(permissionNames.map((name) => [name, isGranted(name)])) as Permissions;
}
