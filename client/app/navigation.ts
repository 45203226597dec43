import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Calendar from 'lucide-react/icons/calendar';
import Inbox from 'lucide-react/icons/inbox';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import SquareKanban from 'lucide-react/icons/square-kanban';
import Users from 'lucide-react/icons/users';
import { paths } from './paths.ts';

export interface Place {
  to: string;
  label: string;
  icon: LucideIcon;
  /** Whether it stands in the bottom bar of a phone; the others stand behind More. */
  isAtHand: boolean;
}

/** The places of the shell, in the product's own order and spelling. */
export const places: readonly Place[] = [
  { to: paths.dashboard, label: 'Dashboard', icon: LayoutDashboard, isAtHand: true },
  { to: paths.users, label: 'Users', icon: Users, isAtHand: false },
  { to: paths.matters, label: 'Matters', icon: Briefcase, isAtHand: true },
  { to: paths.tasks, label: 'Tasks', icon: SquareKanban, isAtHand: true },
  { to: paths.calendar, label: 'Calender', icon: Calendar, isAtHand: false },
  { to: paths.emails, label: 'Emails', icon: Mail, isAtHand: true },
  { to: paths.messages, label: 'Messages', icon: MessageCircle, isAtHand: true },
  { to: paths.intakes, label: 'Intakes', icon: Inbox, isAtHand: false },
];

/** A case belongs to Matters; the dashboard is itself alone. */
export function isAt(place: Place, pathname: string): boolean {
  if (place.to === paths.matters && pathname.startsWith('/dashboard/caseDetails/')) return true;
  return pathname === place.to || pathname === `${place.to}/`;
}
