import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import Calendar from 'lucide-react/icons/calendar';
import ContactRound from 'lucide-react/icons/contact-round';
import FileText from 'lucide-react/icons/file-text';
import GitFork from 'lucide-react/icons/git-fork';
import Mail from 'lucide-react/icons/mail';
import PenLine from 'lucide-react/icons/pen-line';
import Phone from 'lucide-react/icons/phone';
import SquareKanban from 'lucide-react/icons/square-kanban';
import Users from 'lucide-react/icons/users';
import type { ImportKind } from '@matterdesk/contract/imports.ts';
import { kindLabels } from '../rules.ts';

const icons: Record<ImportKind, LucideIcon> = {
  people: Users,
  contacts: ContactRound,
  matters: Briefcase,
  parties: GitFork,
  notes: PenLine,
  calls: Phone,
  tasks: SquareKanban,
  events: Calendar,
  documents: FileText,
  mails: Mail,
};

/** A kind of record with its icon. */
export function KindName({ kind }: { kind: ImportKind }) {
  const Icon = icons[kind];
  return (
    <span className="inline-flex items-center gap-2">
      <Icon className="text-ink-3" />
      {kindLabels[kind]}
    </span>
  );
}
