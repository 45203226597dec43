import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Calendar from 'lucide-react/icons/calendar';
import ContactRound from 'lucide-react/icons/contact-round';
import HardDrive from 'lucide-react/icons/hard-drive';
import Inbox from 'lucide-react/icons/inbox';
import Landmark from 'lucide-react/icons/landmark';
import LayoutDashboard from 'lucide-react/icons/layout-dashboard';
import Mail from 'lucide-react/icons/mail';
import MessageCircle from 'lucide-react/icons/message-circle';
import ScrollText from 'lucide-react/icons/scroll-text';
import SquareKanban from 'lucide-react/icons/square-kanban';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import Users from 'lucide-react/icons/users';
import type { Overview } from '@matterdesk/contract/dashboard.ts';
import { paths } from '../core/paths.ts';
import { type RootState, useAppSelector } from '../core/store.ts';
import { useResource } from '../core/use-resource.ts';
import { callsInWords } from '../features/dashboard/slice.ts';
import { NEWEST, newestOf, intakeList } from '../features/intakes/slice.ts';
import { unreadMails } from '../features/mails/slice.ts';
import { unreadOf } from '../features/messages/slice.ts';
import { countOf, MINE, trayCounts } from '../features/tray/slice.ts';

export interface Place {
  to: string;
  label: string;
  /** Other names that the palette finds it by. */
  keywords?: string;
  icon: LucideIcon;
  /** Target of the count beside it, if not the place itself. */
  countTo?: string;
  /** Whether a phone shows it in the bottom bar; the others are under More. */
  isAtHand: boolean;
  /** Whether only admins see it. */
  isForAdmins?: true;
}

/** The places of the shell, in the product's order and spelling. */
const places: readonly Place[] = [
  {
    to: paths.dashboard,
    label: 'Dashboard',
    keywords: 'Home Overview',
    icon: LayoutDashboard,
    isAtHand: true,
  },
  { to: paths.users, label: 'Users', keywords: 'People', icon: Users, isAtHand: false },
  { to: paths.matters, label: 'Matters', keywords: 'Cases', icon: Briefcase, isAtHand: true },
  {
    to: paths.contacts,
    label: 'Contacts',
    keywords: 'Parties Address book',
    icon: ContactRound,
    isAtHand: false,
  },
  {
    to: paths.tasks,
    label: 'Tasks',
    keywords: 'Board',
    icon: SquareKanban,
    countTo: paths.myTasks,
    isAtHand: true,
  },
  { to: paths.calendar, label: 'Calender', keywords: 'Calendar', icon: Calendar, isAtHand: false },
  { to: paths.emails, label: 'Emails', keywords: 'Mail', icon: Mail, isAtHand: true },
  { to: paths.messages, label: 'Messages', keywords: 'Texts', icon: MessageCircle, isAtHand: true },
  {
    to: paths.toFile,
    label: 'To file',
    keywords: 'Tray Scans Uploads',
    icon: Inbox,
    isAtHand: false,
  },
  { to: paths.intakes, label: 'Intakes', icon: UserRoundPlus, isAtHand: false },
  {
    to: paths.firm,
    label: 'Firm',
    keywords: 'Settings Office Templates Letters Move in',
    icon: Landmark,
    isAtHand: false,
    isForAdmins: true,
  },
  {
    to: paths.storage,
    label: 'Storage',
    keywords: 'Trash Disk',
    icon: HardDrive,
    isAtHand: false,
    isForAdmins: true,
  },
  {
    to: paths.record,
    label: 'Record',
    keywords: 'Audit log',
    icon: ScrollText,
    isAtHand: false,
    isForAdmins: true,
  },
];

const forUsers = places.filter(({ isForAdmins }) => !isForAdmins);

/** The places of a user's role. */
export function placesOf({ user }: RootState): readonly Place[] {
  return user.current?.role === 'admin' ? places : forUsers;
}

/** A page below a place counts as it, and that of a case as its list; all start with the dashboard's address. */
export function isAt(place: Place, pathname: string): boolean {
  if (place.to === paths.matters && pathname.startsWith('/dashboard/caseDetails/')) return true;
  if (pathname === place.to || pathname === `${place.to}/`) return true;
  return place.to !== paths.dashboard && pathname.startsWith(`${place.to}/`);
}

type WaitingCounts = { texts: number; mails: number; papers: number; intakes: number };

/** The count beside a place; undefined instead of zero. */
export function countAt(
  place: Place,
  counts: Overview['counts'] | undefined,
  unread: WaitingCounts,
) {
  if (place.to === paths.messages && unread.texts > 0)
    return { number: unread.texts, words: `${unread.texts} unread` };
  if (place.to === paths.emails && unread.mails > 0)
    return { number: unread.mails, words: `${unread.mails} unread` };
  if (place.to === paths.toFile && unread.papers > 0)
    return { number: unread.papers, words: `${unread.papers} to file` };
  if (place.to === paths.intakes && unread.intakes > 0)
    return { number: unread.intakes, words: `${unread.intakes} new` };
  if (counts && place.to === paths.matters && counts.activeCases > 0)
    return { number: counts.activeCases, words: `${counts.activeCases} active` };
  if (counts && place.to === paths.tasks && counts.myOpenTasks > 0)
    return { number: counts.myOpenTasks, words: `${counts.myOpenTasks} of yours` };
  if (counts && place.to === paths.calendar && counts.deadlines > 0)
    return { number: counts.deadlines, words: callsInWords(counts.deadlines) };
  return undefined;
}

/** Milliseconds between two fetches of what is new at least. */
const MIN_FETCH_INTERVAL_MS = 3000;

export function useUnread(): WaitingCounts {
  const texts = useAppSelector((state) => unreadOf(state.messages));
  const mails = useAppSelector((state) => unreadMails(state.mails));
  // After the page, which the calls of intakes would delay.
  const isConnected = useAppSelector(({ socket }) => socket.id !== null);
  useResource(intakeList, isConnected ? NEWEST : null, {
    batchMs: 120,
    minIntervalMs: MIN_FETCH_INTERVAL_MS,
  });
  const tray = useResource(trayCounts, isConnected ? MINE : null, {
    batchMs: 120,
    minIntervalMs: MIN_FETCH_INTERVAL_MS,
  });
  const intakes = useAppSelector((state) => newestOf(state.intakes)?.counts.new ?? 0);
  return { texts, mails, papers: tray.data ? countOf(tray.data) : 0, intakes };
}
