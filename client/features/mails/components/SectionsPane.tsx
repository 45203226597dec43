import type { MailSection } from '@matterdesk/contract/mails.ts';
import { cx } from '../../../ui/cx.ts';
import type { MailList } from '../slice.ts';
import { AccountNote } from './AccountNote.tsx';
import { MailSections } from './MailSections.tsx';

interface SectionsPaneProps {
  section: MailSection;
  list: MailList | undefined;
  /** On a phone the open mail covers it. */
  isBehind: boolean;
  onCompose: () => void;
  onRefresh: () => void;
}

/** Where to look, and whose mailbox it is. */
export function SectionsPane(props: SectionsPaneProps) {
  const { section, list, isBehind, onCompose, onRefresh } = props;
  return (
    <div
      className={cx(
        'flex min-w-0 flex-col gap-2 px-3 pt-3 @2xl:border-r @2xl:border-line @5xl:gap-6 @5xl:pt-6',
        isBehind && '@max-2xl:hidden',
      )}
    >
      <MailSections section={section} onCompose={onCompose} />
      <AccountNote list={list} onRefresh={onRefresh} />
    </div>
  );
}
