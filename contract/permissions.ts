import * as z from 'zod/mini';

export const permissionNames = ['createCases', 'editTasks', 'manageUsers'] as const;
export type Permission = (typeof permissionNames)[number];

/** Permissions beyond those of every signed-in user. */
export const PermissionsSchema = z.object({
  createCases: z.boolean(),
  editTasks: z.boolean(),
  manageUsers: z.boolean(),
});
export type Permissions = z.infer<typeof PermissionsSchema>;
