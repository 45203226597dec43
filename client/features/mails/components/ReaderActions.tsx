import Archive from 'lucide-react/icons/archive';
import Ellipsis from 'lucide-react/icons/ellipsis';
import FolderInput from 'lucide-react/icons/folder-input';
import Forward from 'lucide-react/icons/forward';
import Inbox from 'lucide-react/icons/inbox';
import MailIcon from 'lucide-react/icons/mail';
import PencilLine from 'lucide-react/icons/pencil-line';
import Reply from 'lucide-react/icons/reply';
import ReplyAll from 'lucide-react/icons/reply-all';
import Trash from 'lucide-react/icons/trash-2';
import { lazy, Suspense, useState } from 'react';
import type { MailDetail } from '@matterdesk/contract/mails.ts';
import type { CaseField } from '../../../core/case-field.ts';
import { useMakeIntake } from '../../../core/make-intake.ts';
import { Button } from '../../../ui/Button.tsx';
import { IconButton } from '../../../ui/IconButton.tsx';
import { MenuButton } from '../../../ui/MenuButton.tsx';
import { Tooltip } from '../../../ui/Tooltip.tsx';
import type { Changing } from '../hooks/use-changing.ts';
import type { AnswerKind } from '../rules.writing.ts';

const FileToCase = lazy(async () => ({ default: (await import('./FileToCase.tsx')).FileToCase }));

interface ReaderActionsProps {
  mail: MailDetail;
  /** Null for drafts. */
  changing: Changing | null;
  caseField: CaseField;
  onAnswer: (kind: AnswerKind) => void;
  onEditDraft: () => void;
}

export function ReaderActions(props: ReaderActionsProps) {
  const { mail, changing, onAnswer, onEditDraft } = props;
  const [isFiling, setIsFiling] = useState(false);
  const intakes = useMakeIntake();
  if (mail.draftId !== null) {
    return (
      <Button icon={PencilLine} onClick={onEditDraft}>
        Edit draft
      </Button>
    );
  }
  return (
    <>
      {changing?.archive && (
        <Tooltip text="Archive">
          <IconButton
            label="Archive"
            icon={Archive}
            variant="quiet"
            aria-keyshortcuts="e"
            onClick={changing.archive}
          />
        </Tooltip>
      )}
      {changing && (
        <Tooltip text="Move to the trash" className="@max-md:hidden">
          <IconButton
            label="Move to the trash"
            icon={Trash}
            variant="quiet"
            aria-keyshortcuts="#"
            onClick={changing.trash}
          />
        </Tooltip>
      )}
      <Button icon={FolderInput} onClick={() => setIsFiling(true)}>
        File to case
      </Button>
      <Button icon={Reply} aria-keyshortcuts="r" onClick={() => onAnswer('reply')}>
        Reply
      </Button>
      <MenuButton
        label="More"
        icon={Ellipsis}
        heading="Answer"
        entries={[
          { label: 'Reply all', icon: ReplyAll, onSelect: () => onAnswer('replyAll') },
          { label: 'Forward', icon: Forward, onSelect: () => onAnswer('forward') },
          ...(intakes
            ? [
                {
                  label: 'Make intake',
                  icon: Inbox,
                  onSelect: () => intakes.make({ fromMail: mail.id }),
                },
              ]
            : []),
          ...(changing
            ? [{ label: 'Move to the trash', icon: Trash, onSelect: changing.trash }]
            : []),
          ...(changing?.markUnread
            ? [{ label: 'Mark as unread', icon: MailIcon, onSelect: changing.markUnread }]
            : []),
        ]}
      />
      <Suspense>
        {isFiling && (
          <FileToCase mail={mail} caseField={props.caseField} onClose={() => setIsFiling(false)} />
        )}
      </Suspense>
    </>
  );
}
