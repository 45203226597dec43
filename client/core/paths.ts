/** Every address of the application. `calender` is spelt as the product spells it. */
export const paths = {
  login: '/',
  register: '/register',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password/:token',
  enrol: '/set-up-second-factor',
  dashboard: '/dashboard',
  account: '/dashboard/account',
  users: '/dashboard/users',
  usersNamed: (search: string) => `/dashboard/users?search=${encodeURIComponent(search)}`,
  matters: '/dashboard/matters',
  newCase: '/dashboard/matters?new',
  caseDetails: (id: string) => `/dashboard/caseDetails/${encodeURIComponent(id)}`,
  /** 'Edit case' at one of its fields, over its case. */
  editOf: (id: string, field: string) =>
    `/dashboard/caseDetails/${encodeURIComponent(id)}?edit=${field}`,
  /** The access dialog, over its case. */
  accessOf: (id: string) => `/dashboard/caseDetails/${encodeURIComponent(id)}?access=1`,
  /** The preview of a file, over its case. */
  fileOf: (caseId: string, folder: string, name: string) =>
    `/dashboard/caseDetails/${encodeURIComponent(caseId)}?folder=${encodeURIComponent(folder)}&file=${encodeURIComponent(name)}`,
  contacts: '/dashboard/contacts',
  contact: (id: string) => `/dashboard/contacts/${encodeURIComponent(id)}`,
  conflicts: '/dashboard/conflicts',
  /** Checks of a case or an intake, where a new one takes its names from it. */
  conflictsOf: (kind: 'case' | 'intake', id: string) =>
    `/dashboard/conflicts?${kind}=${encodeURIComponent(id)}`,
  conflict: (id: string) => `/dashboard/conflicts/${encodeURIComponent(id)}`,
  tasks: '/dashboard/tasks',
  tasksOf: (caseId: string) => `/dashboard/tasks?case=${encodeURIComponent(caseId)}`,
  newTask: '/dashboard/tasks?new',
  newTaskIn: (caseId: string) => `/dashboard/tasks?case=${encodeURIComponent(caseId)}&new`,
  myTasks: '/dashboard/tasks?view=mine',
  cardOf: (caseId: string, taskId: string) =>
    `/dashboard/tasks?case=${encodeURIComponent(caseId)}&task=${encodeURIComponent(taskId)}`,
  calendar: '/dashboard/calender',
  /** The card of an event over its day, `YYYY-MM-DD`. */
  event: (id: string, day: string) => `/dashboard/calender?view=day&date=${day}&event=${id}`,
  emails: '/dashboard/emails',
  emailTo: (address: string) => `/dashboard/emails?to=${encodeURIComponent(address)}`,
  /** A draft at Google, whose text is in the state of the location. */
  draft: (draftId: string) => `/dashboard/emails?draft=${encodeURIComponent(draftId)}`,
  mail: (id: string) => `/dashboard/emails?mail=${encodeURIComponent(id)}`,
  messages: '/dashboard/messages',
  messagesWith: (number: string) => `/dashboard/messages?with=${encodeURIComponent(number)}`,
  toFile: '/dashboard/to-file',
  intakes: '/dashboard/intakes',
  intake: (id: string) => `/dashboard/intakes?intake=${encodeURIComponent(id)}`,
  firm: '/dashboard/firm',
  templates: '/dashboard/firm/templates',
  imports: '/dashboard/firm/move-in',
  /** 'New document' with a template, over its case. */
  letterOf: (id: string, template: string) =>
    `/dashboard/caseDetails/${encodeURIComponent(id)}?letter=${encodeURIComponent(template)}`,
  storage: '/dashboard/storage',
  record: '/dashboard/record',
  help: (guide: 'google' | 'twilio') => `/dashboard/help/${guide}`,
} as const;
