import type { LucideIcon } from 'lucide-react';
import Briefcase from 'lucide-react/icons/briefcase-business';
import ContactRound from 'lucide-react/icons/contact-round';
import SquareKanban from 'lucide-react/icons/square-kanban';
import UserRound from 'lucide-react/icons/user-round';
import UserRoundPlus from 'lucide-react/icons/user-round-plus';
import type { User } from '@matterdesk/contract/accounts.ts';
import { NOT_FILED, type Case } from '@matterdesk/contract/cases.ts';
import { columnTitles } from '@matterdesk/contract/columns.ts';
import type { Contact } from '@matterdesk/contract/contacts.ts';
import type { Intake } from '@matterdesk/contract/intakes.ts';
import { normalized } from '@matterdesk/contract/normalization.ts';
import { searchWords } from '@matterdesk/contract/search.ts';
import type { ListedTask } from '@matterdesk/contract/task-lists.ts';
import { fullName } from '../core/full-name.ts';
import { paths } from '../core/paths.ts';
import { formatCount } from '../core/words.ts';
import { matchedFields } from '../features/cases/rules.matches.ts';
import { contactOption } from '../features/contacts/rules.ts';
import { formatDay, localDay } from '../ui/days.ts';

/** A row of the palette: an address to open, or something to do here. */
export interface PaletteItem {
  label: string;
  note?: string;
  /** At the right end of the row. */
  aside?: string;
  icon: LucideIcon;
  to?: string;
  run?: () => void;
}
export interface PaletteGroup {
  title: string;
  finds: PaletteItem[];
  /** Number of matches, if not all are shown. */
  matching?: string | undefined;
  /** Whether they were found for an earlier text. */
  isOld?: boolean;
}

/** Number of matches, unless all are shown. */
export function matchingBeyond(shown: number, total = 0, isCapped?: boolean): string | undefined {
  return total > shown ? formatCount(total, isCapped) : undefined;
}

export function toBriefItem({
  id,
  caseName,
  caseNo,
}: Pick<Case, 'id' | 'caseName' | 'caseNo'>): PaletteItem {
  return { label: caseName, note: caseNo ?? NOT_FILED, icon: Briefcase, to: paths.caseDetails(id) };
}

/** Names the fields that matched where the name and the number did not. */
export function toCaseItem(matter: Case, words: readonly string[]): PaletteItem {
  const note = [matter.caseNo ?? NOT_FILED, ...matchedFields(matter, words)].join(' · ');
  return { ...toBriefItem(matter), note };
}

export function toContactItem(contact: Contact, words: readonly string[] = []): PaletteItem {
  const { id, label, note = '' } = contactOption(contact, words);
  return { label, note, icon: ContactRound, to: paths.contact(id) };
}

export function toPersonItem(person: User): PaletteItem {
  const { email } = person;
  return { label: fullName(person), note: email, icon: UserRound, to: paths.usersNamed(email) };
}

export function toTaskItem({ id, name, case: caseId, caseName, type, endTime }: ListedTask): PaletteItem {
  return {
    label: name,
    note: `${caseName} · ${columnTitles[type]}`,
    aside: `due ${formatDay(localDay(new Date(endTime)), 'list')}`,
    icon: SquareKanban,
    to: paths.cardOf(caseId, id),
  };
}

export function toIntakeItem({ id, number, name, description }: Intake): PaletteItem {
  const note = [`No. ${number}`, description?.replaceAll(/\s+/g, ' ')].filter(Boolean).join(' · ');
  return { label: name, note, icon: UserRoundPlus, to: paths.intake(id) };
}

/** Whether each word of a search is part of a name or of the other names of the same thing. */
export function isCalled({ label, also = '' }: { label: string; also?: string }, text: string) {
  const name = fold(`${label} ${also}`);
  return searchWords(text).every((word) => name.includes(fold(word)));
}

/** Rows that are called exactly as the text come first, and so do the groups of people that hold one. */
export function exactlyCalledFirst(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const isExact = ({ label }: PaletteItem) => fold(label) === fold(text);
  const ranked = groups.map(({ finds, ...group }) => ({
    ...group,
    finds: [...finds.filter(isExact), ...finds.filter((find) => !isExact(find))],
  }));
  const isNamed = ({ title, finds }: PaletteGroup) =>
    (title === 'People' || title === 'Contacts') && finds.some(isExact);
  return [...ranked.filter(isNamed), ...ranked.filter((group) => !isNamed(group))];
}

function fold(text: string): string {
  return normalized(text).toLocaleLowerCase().trim();
}
