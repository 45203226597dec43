import * as z from 'zod/mini';

export const permissionNames = ['createCases', 'editTasks', 'manageUsers'] as const;
export type Permission = (typeof permissionNames)[number];

/** What a person may do beyond what every signed-in person may. */
export const PermissionsSchema = z.object({
  createCases: z.boolean(),
  editTasks: z.boolean(),
  manageUsers: z.boolean(),
});
export type Permissions = z.infer<typeof PermissionsSchema>;
