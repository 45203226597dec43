/** Every address of the application. `calender` is spelt as the product spells it. */
export const paths = {
  login: '/',
  register: '/register',
  forgotPassword: '/forgot-password',
  dashboard: '/dashboard',
  users: '/dashboard/users',
  usersNamed: (search: string) => `/dashboard/users?search=${encodeURIComponent(search)}`,
  matters: '/dashboard/matters',
  caseDetails: (id: string) => `/dashboard/caseDetails/${encodeURIComponent(id)}`,
  tasks: '/dashboard/tasks',
  tasksOf: (caseId: string) => `/dashboard/tasks?case=${encodeURIComponent(caseId)}`,
  calendar: '/dashboard/calender',
  emails: '/dashboard/emails',
  messages: '/dashboard/messages',
  messagesWith: (number: string) => `/dashboard/messages?with=${encodeURIComponent(number)}`,
  intakes: '/dashboard/intakes',
} as const;
